import { cpSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { realFiles } from '../../src/files/file-layer.ts';
import { firstFormatHome } from '../first-format.ts';
import { accepted, openLibrary } from '../open-library.ts';
import { tempFolder } from '../temp-folder.ts';
import { Crash, crashAt } from './crash-layer.ts';

const folder = tempFolder();
const DECISIONS = Number(process.env.UPGRADE_DECISIONS ?? 60);
const person = join(folder, 'person');
const home = join(person, '.bearings');
const open = (files = realFiles) => openLibrary(person, { files });

it(`M26 a ledger of the first format with ${DECISIONS} decisions is upgraded once, signed; killed at every step nothing is lost`, async () => {
  const texts = Array.from({ length: DECISIONS }, (_, index) => `note ${index}\nof two lines`);
  const { lines, path } = firstFormatHome(home, texts, 'manta');
  const kept = join(folder, 'kept');
  renameSync(person, kept);
  for (let at = 1, through = false; !through; at += 1) {
    rmSync(person, { recursive: true, force: true });
    cpSync(kept, person, { recursive: true });
    const layer = crashAt(realFiles, at, 0.5);
    await accepted(open(layer.files), 'the first of the second format').catch((error) => {
      if (!(error instanceof Crash)) throw error;
    });
    through = layer.steps() < at;
    const bearings = open();
    const [waiting, ...more] = await bearings.gate.listProposals('all');
    const written = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect([at, written.slice(0, DECISIONS)]).toEqual([at, lines]);
    const added = written.slice(DECISIONS).map((line) => JSON.parse(line).decision);
    // Exactly once: it waits, or it stands behind the one upgrade.
    expect([at, added, more]).toEqual([at, waiting ? added.slice(0, 1) : ['upgrade', 'accept'], []]);
    expect(added.filter((decision) => decision !== 'accept').every((decision) => decision === 'upgrade')).toBe(true);
    const [report] = await bearings.gate.verify();
    expect([at, report?.problems, report?.entries.every(({ verdict }) => verdict === 'yours')]).toEqual([at, [], true]);
    const blame = await bearings.gate.blame('notes.md', 'manta');
    expect([at, blame.blocks.filter(({ origin }) => origin === null).length]).toEqual([at, 0]);
    expect(blame.blocks[0]?.origin).toMatchObject({ proposal_id: 'p_0', at: '2025-01-01T00:00:00.000Z' });
    expect(blame.blocks).toHaveLength(waiting ? DECISIONS : DECISIONS + 1);
  }
  await accepted(open(), 'the second');
  const decisions = readFileSync(path, 'utf8').trimEnd().split('\n').slice(DECISIONS);
  expect(decisions.map((line) => JSON.parse(line).decision)).toEqual(['upgrade', 'accept', 'accept']);
}, 3_600_000);
