import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openRooms } from '../../src/bearings.ts';
import { type FileLayer, realFiles } from '../../src/files/write-file.ts';
import { shownOf } from '../../src/gate/proposals/proposal.ts';

const folder = mkdtempSync(join(tmpdir(), 'bearings-power-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Writes down every effect with the role of its file, in order.
function recorder(roleOf: (path: string) => string): { files: FileLayer; log: string[] } {
  const log: string[] = [];
  return {
    log,
    files: {
      open(path, flags, mode) {
        const file = realFiles.open(path, flags, mode);
        const role = roleOf(path);
        return {
          fd: file.fd,
          write(bytes) {
            log.push(`write ${role}`);
            return file.write(bytes);
          },
          sync() {
            file.sync();
            log.push(`sync ${role}`);
          },
          truncate(size) {
            log.push(`truncate ${role}`);
            file.truncate(size);
          },
          close: () => file.close(),
        };
      },
      rename(from, to) {
        log.push(`rename ${roleOf(to)}`);
        realFiles.rename(from, to);
      },
      unlink(path) {
        log.push(`unlink ${roleOf(path)}`);
        realFiles.unlink(path);
      },
      syncFolder(path) {
        realFiles.syncFolder(path);
        log.push(`sync folder of ${roleOf(join(path, 'x'))}`);
      },
    },
  };
}

function roleOf(path: string): string {
  if (basename(dirname(path)) === 'intents') return 'intent';
  if (basename(dirname(path)) === 'texts') return 'record';
  if (basename(dirname(path)) === 'ledger')
    return basename(dirname(dirname(path))).startsWith('home-') ? 'home ledger' : 'ledger';
  if (path.includes('/sessions/')) return 'proposal';
  return 'text';
}

async function decideRecorded(kind: 'notes' | 'taste', replaces?: string): Promise<string[]> {
  const home = mkdtempSync(join(folder, 'home-'));
  mkdirSync(join(home, 'workspaces/w'), { recursive: true });
  mkdirSync(join(home, 'tastes'));
  writeFileSync(join(home, 'tastes/_default.md'), '- a\n- b\n');
  const { files, log } = recorder(roleOf);
  const bearings = openRooms({ home, cwd: home, variables: { BEARINGS_CACHE: join(home, 'cache') }, files });
  const session = await (await bearings.sessions()).openSession('w', 'test');
  const proposed = await (await bearings.gate()).propose(session, {
    kind,
    content: '- c',
    category: 'value',
    replaces,
  });
  if (proposed.status !== 'pending') throw new Error('expected pending');
  const { proposal } = await (await bearings.gate()).showProposal(proposed.proposal_id);
  await (await bearings.gate()).decide(shownOf(proposal), kind, { decision: 'accept', via: 'review', client: null });
  return log;
}

// The home's own chain: of a first decision its key before anything is signed, the folder before the proposal goes.
const KEY_NAMED = ['write home ledger', 'sync home ledger', 'sync folder of home ledger'];
const FOLDER_NAMED = ['write home ledger', 'sync home ledger'];

describe('M24 power-loss order', () => {
  it('M24 an append: intent synced before the text, text before the ledger, ledger before the proposal goes', async () => {
    expect(await decideRecorded('notes')).toEqual([
      ...KEY_NAMED,
      'write intent',
      'sync intent',
      'sync folder of intent',
      'write text',
      'sync text',
      'sync folder of text',
      'write record',
      'sync record',
      'sync folder of record',
      'sync folder of ledger',
      'write ledger',
      'sync ledger',
      'sync folder of ledger',
      ...FOLDER_NAMED,
      'unlink proposal',
      'sync folder of proposal',
    ]);
  });

  it('M24 a replacement: new text synced before it takes the name, the name before the ledger', async () => {
    expect(await decideRecorded('taste', '- a')).toEqual([
      ...KEY_NAMED,
      'write intent',
      'sync intent',
      'sync folder of intent',
      'write text',
      'sync text',
      'rename text',
      'sync folder of text',
      'write record',
      'sync record',
      'sync folder of record',
      'sync folder of ledger',
      'write ledger',
      'sync ledger',
      'sync folder of ledger',
      ...FOLDER_NAMED,
      'unlink proposal',
      'sync folder of proposal',
    ]);
  });
});
