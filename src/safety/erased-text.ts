import { isRecord } from '../json.ts';

/** So many characters of a text in a row are a piece of it. */
const PIECE = 12;
const MARK = '[erased]';
/** Times of ours: a date in a text must not take every time of a record along. Any other field may hold anybody's words. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
/** What readers know a record by; ids that we make are of these characters alone. */
const OWN_FIELDS: Readonly<Record<string, RegExp>> = {
  type: /^(?:context_served|session_start|session_end|tool_result)$/,
  session_id: /^[0-9a-f]{12}$/,
  proposal_id: /^p_[0-9a-f]{16}$/,
  id: /^\d{8}-\d{6}-[0-9a-f]{6}(?:-[0-9a-f]{32})?$/,
};

export type ErasedText = ReturnType<typeof erasedText>;

/** A text that is to go everywhere, in every form in which we write texts. `kept`: what stays in memory. What it shares with the erased text is no piece of that alone. */
export function erasedText(
  texts: readonly string[],
  { kept = [], prints = [] }: { kept?: readonly string[]; prints?: readonly string[] } = {},
) {
  const said = texts.map((text) => text.replace(/\r\n?/g, '\n').trim()).filter((text) => text !== '');
  const short = new Set(said.filter((text) => text.length < PIECE));
  const readable = piecesOf(said.flatMap(readableForms));
  const inReadable = finderOf(readable);
  for (const form of kept.flatMap((text) => readableForms(text.replace(/\r\n?/g, '\n'))))
    for (const { piece } of [...inReadable(form)]) readable.delete(piece);
  const whole = said.filter((text) => text.length >= PIECE);
  const pieces = new Set([...readable, ...piecesOf([...whole.flatMap(encodedForms), ...prints])]);
  const piecesIn = finderOf(pieces);
  const bytesIn = finderOf(new Set([...pieces].flatMap((piece) => [utf8(piece), utf16(piece)])));
  const standsAlone = (text: string): boolean =>
    short.size > 0 && text.split(/\r\n|\n|\r/).some((line) => short.has(line.trim()));

  /** The text without it. */
  const without = (text: string): string => {
    const plain = standsAlone(text)
      ? text
          .split('\n')
          .map((line) => (short.has(line.trim()) ? MARK : line))
          .join('\n')
      : text;
    const spans = spansOf(piecesIn(plain));
    if (spans.length === 0) return plain;
    const gone = spans.reduce((sum, { from, to }) => sum + to - from, 0);
    // Mostly this text: what is left of it would be another wording of the same.
    if (gone * 2 >= plain.trim().length) return MARK;
    let [out, at] = ['', 0];
    for (const { from, to } of spans) {
      out += plain.slice(at, from) + MARK;
      at = to;
    }
    return out + plain.slice(at);
  };

  const withoutInValue = (value: unknown): unknown => {
    if (typeof value === 'string') return without(value);
    if (Array.isArray(value)) return value.map(withoutInValue);
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) =>
        isOwn(name, field) ? [name, field] : [without(name), withoutInValue(field)],
      ),
    );
  };

  /** True where a piece of it is in this text. */
  const isIn = (text: string): boolean => !piecesIn(text).next().done || standsAlone(text);
  return {
    isIn,
    /** The same for any file: one character for each byte. */
    isInBytes: (latin1: string): boolean => !bytesIn(latin1).next().done,
    without,
    /** A line of JSON without it. */
    withoutInLine(line: string): string {
      try {
        return JSON.stringify(withoutInValue(JSON.parse(line)));
      } catch {
        return without(line);
      }
    },
  };
}

function isOwn(name: string, field: unknown): boolean {
  return typeof field === 'string' && (TIME.test(field) || OWN_FIELDS[name]?.test(field) === true);
}

function piecesOf(forms: readonly string[]): Set<string> {
  const starts = (form: string) => Array.from({ length: Math.max(0, form.length - PIECE + 1) }, (_, at) => at);
  const all = forms.flatMap((form) => starts(form).map((at) => form.slice(at, at + PIECE)));
  return new Set(all.filter(saysSomething));
}

const firstOf = (text: string, at: number): number => text.charCodeAt(at) * 65_536 + text.charCodeAt(at + 1);

// Every piece that is in a text, and where. By its first two characters first: a text of a hundred megabytes takes seconds.
function finderOf(pieces: ReadonlySet<string>) {
  const lengths = [...new Set([...pieces].map((piece) => piece.length))];
  const firsts = new Set([...pieces].map((piece) => firstOf(piece, 0)));
  return function* (text: string): Generator<{ at: number; piece: string }> {
    for (let at = 0; at < text.length; at += 1) {
      if (!firsts.has(firstOf(text, at))) continue;
      for (const length of lengths) {
        const piece = text.slice(at, at + length);
        if (pieces.has(piece)) yield { at, piece };
      }
    }
  };
}

// A rule or an indent is nobody's text.
function saysSomething(piece: string): boolean {
  return (piece.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 3;
}

function spansOf(found: Iterable<{ at: number; piece: string }>): { from: number; to: number }[] {
  const spans: { from: number; to: number }[] = [];
  for (const { at, piece } of found) {
    const last = spans.at(-1);
    if (last && at <= last.to) last.to = Math.max(last.to, at + piece.length);
    else spans.push({ from: at, to: at + piece.length });
  }
  return spans;
}

/** As it is in files that a person can read: re-wrapped, within JSON, once more within JSON, within XML, in an index. */
function readableForms(text: string): string[] {
  const json = quoted(text);
  return [
    ...[text, text.replaceAll('\n', '\r\n'), text.replace(/\s+/g, ' ')],
    ...[json, quoted(json), json.replace(/[^ -~]/g, (unit) => `\\u${hex(unit, 4)}`)],
    ...[text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'), text.toLowerCase()],
  ];
}

function encodedForms(text: string): string[] {
  const bytes = utf8(text);
  const digits = [...bytes].map((byte) => hex(byte, 2)).join('');
  const base64 = [0, 1, 2].map((from) => btoa(bytes.slice(from)).replace(/.{0,3}=*$/, ''));
  const forUrls = base64.map((each) => each.replaceAll('+', '-').replaceAll('/', '_'));
  return [digits, digits.toUpperCase(), ...base64, ...forUrls, encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'))];
}

function quoted(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

const hex = (unit: string, digits: number): string => unit.charCodeAt(0).toString(16).padStart(digits, '0');

function utf8(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => String.fromCharCode(byte)).join('');
}

function utf16(text: string): string {
  return [...Array(text.length).keys()]
    .map((at) => text.charCodeAt(at))
    .map((unit) => String.fromCharCode(unit & 0xff, unit >> 8))
    .join('');
}
