import { codePointLength, splitLines } from '../../../src/code-points.ts';
import type { FileMemo } from '../../../src/files/file-fingerprint.ts';
import { readLastRecords } from '../../../src/files/read-file.ts';
import { parseRecord } from '../../../src/json.ts';
import { parseBrief, summariseNotes, wholeNotes } from '../../../src/memory/brief-and-notes.ts';
import { clipEnd, clipMiddle } from '../../../src/memory/clip-context.ts';
import { countLines, readNotes, readNotesWindow } from '../../../src/memory/io/memory-files.ts';
import { findConflicts, toGap, toLogItem } from '../../../src/memory/read-context.ts';
import { whyNotPlainName } from '../../../src/safety/hidden-characters.ts';
import { scratch } from '../scratch.ts';
import { type FuzzTarget, hold, holdPlain, same } from '../target.ts';

const files = scratch();
const NO_STORE: FileMemo<number> = { get: () => null, put: () => {} };

const brief: FuzzTarget = {
  name: 'brief',
  words: [
    'Tastes:',
    '**Tastes:**',
    '- tastes: a',
    '```',
    '~~~',
    '> ',
    '1. ',
    '[a, b]',
    '_default',
    '"a.md"',
    '__',
    '\n',
  ],
  seeds: [
    '# Intent\nTastes: a, b\nmore',
    '**Tastes: a, [b]**\n```\nTastes: no\n```\n- Tastes: c.md',
    '> 1) tastes : "x"\r\n',
  ],
  run(bytes) {
    const raw = bytes.toString('utf8');
    const { brief: parsed, declaredAt, warnings } = parseBrief(raw);
    hold(parsed.raw === raw, 'raw is the text itself');
    hold(parsed.intent.length <= raw.length, 'the intent is part of the text');
    for (const name of parsed.tastes) hold(whyNotPlainName(name, '.md') === null, 'a declared taste is a plain name');
    hold(new Set(parsed.tastes).size === parsed.tastes.length, 'a taste is declared once');
    const lines = splitLines(raw).length;
    for (const line of declaredAt.values()) hold(line >= 1 && line <= lines, 'a declaration has a line of the text');
    hold(warnings.length <= 7, 'few warnings');
    for (const warning of warnings) holdPlain(warning);
    same(parseBrief(raw), { brief: parsed, declaredAt, warnings }, 'the same text gives the same brief');
  },
};

// Long enough for the way of large files, which reads only both ends.
const notes: FuzzTarget = {
  name: 'notes',
  words: ['\n', '\r', '\r\n', 'a line\n', '\n\n\n\n\n\n\n\n\n\n', 'é', '\ufeff'],
  seeds: ['one\ntwo\r\nthree\rfour', '\n'.repeat(60), 'x\r\n'.repeat(45)],
  run(bytes) {
    for (const filler of ['', 'a long line of notes to fill a block\r\n'.repeat(1_800)]) {
      // The noise is at both ends and across the middle, so that block edges fall into it.
      const whole = Buffer.concat([bytes, Buffer.from(filler), bytes]);
      const path = files.write('notes.md', whole);
      const lines = splitLines(whole.toString('utf8').replace(/^\ufeff/, ''));
      const read = readNotes(path, null, NO_STORE);
      hold(read.status === 'ok', 'a plain file is readable');
      const summary = summariseNotes(read.value.notes);
      const expected = summariseNotes(wholeNotes(whole.toString('utf8').replace(/^\ufeff/, '')));
      if (read.value.valid) same(summary, expected, 'both ends read alone are the ends of the whole');
      const count = countLines(path, null, NO_STORE);
      hold(count.status === 'ok' && count.value === lines.length, 'lines are counted as they are split');
      for (const offset of [0, 1, 10, Math.max(0, lines.length - 3), lines.length]) {
        const window = readNotesWindow(path, null, NO_STORE, { offset, limit: 7 });
        hold(window.status === 'ok' && window.value.totalLines === lines.length, 'a window knows all lines');
        if (window.value.valid)
          same(window.value.lines, lines.slice(offset, offset + 7), 'a window is a part of the lines');
      }
    }
  },
};

const records: FuzzTarget = {
  name: 'records',
  words: [
    '{"op":"a"}\n',
    '"timestamp":"2026-01-01T00:00:00Z"',
    '"params":{',
    '"image_id":',
    '"satisfaction":',
    '"operations_involved":[',
    '\n',
    '\r',
    '__proto__',
    '"toString":1',
    '[',
  ],
  seeds: [
    '{"timestamp":"t","op":"crop","params":{"x":1}}\n{"op":2}\n\nno\n',
    '{"timestamp":"t","description":"d","satisfaction":-1,"operations_involved":["a"],"workaround":null}',
    '{"__proto__":{"a":1},"a":{"a":{"a":[]}}}\r{"b":1}\r',
  ],
  run(bytes) {
    const path = files.write('log.jsonl', bytes);
    const read = readLastRecords(path, null, 3);
    hold(read.status === 'ok', 'a plain file is readable');
    const all = bytes
      .toString('utf8')
      .split('\n')
      .flatMap((line) => {
        const text = line.replace(/^\ufeff/, '');
        const record = parseRecord(text);
        return record !== null || !text.includes('\r') ? [record] : text.split('\r').map(parseRecord);
      });
    const good = all.filter((record) => record !== null && record !== undefined);
    if (read.value.valid) same(read.value.records, good.slice(-3).reverse(), 'the newest records come from the end');
    for (const record of good) {
      JSON.stringify([toLogItem(record), toGap(record)]);
      same(Object.keys(toLogItem(record)), Object.keys(toLogItem({})), 'a log item has its own fields only');
      const own = new Set([...Object.keys(toGap({})), 'workaround']);
      hold(
        Object.keys(toGap(record)).every((key) => own.has(key)),
        'a gap has its own fields only',
      );
    }
  },
};

const texts: FuzzTarget = {
  name: 'clip',
  words: ['🙂', '\ud83d', 'x'.repeat(50), '\n', '<!--', '---', '# a'],
  seeds: ['a 🙂 text of a few words', '# a\nb\n---\nc <!-- d -->'],
  run(bytes) {
    const text = bytes.toString('utf8');
    const length = codePointLength(text);
    for (const max of [1, 7, 60, 1_000, 5_000])
      for (const clipped of [clipEnd(text, max), clipMiddle(text, max)]) {
        hold(codePointLength(clipped.text) <= Math.max(max, 1), 'a clipped text keeps its bound');
        hold(length > max || clipped.text === text, 'a short text stays whole');
        hold(!/\p{Cs}/u.test(clipped.text), 'never half a character');
      }
    const half = text.slice(0, text.length >> 1);
    const genres = [text, half].map((content, at) => ({ name: `g${at}`, text: content, identity: `${at}` }));
    for (const { point, files } of findConflicts(genres))
      hold(text.includes(point) && files.length === 2, 'a conflict is a line of both texts');
  },
};

export const MEMORY_TARGETS = [brief, notes, records, texts];
