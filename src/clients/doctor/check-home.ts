import { join, realPath } from '../../files/paths.ts';
import { readHome } from '../../gate/io/read-standing.ts';
import { ownKey } from '../../gate/keys/confirm-level.ts';
import type { ConfirmLevel } from '../../gate/ledger/entry.ts';
import type { AppContext } from '../../settings/app-context.ts';
import {
  aside,
  broken,
  type Fault,
  type Finding,
  fileFault,
  finding,
  folderFault,
  hint,
  ok,
  openToOthers,
} from '../io/file-faults.ts';

const FOLDERS = ['intents', 'heads', 'ledger', 'installs', 'earlier', 'unsaved', 'sessions', 'workspaces'];
const FILES = ['machine', 'repositories.json', 'config.yaml', 'adapters.yaml'];

export function checkHome({ home, cacheFolder, forPerson }: AppContext): Finding[] {
  const shown = forPerson(home);
  if (realPath(home) === null) return [hint('home', `${shown} is not there yet`, 'bearings init billing-client')];
  const fault = folderFault(home, { private: true });
  if (fault) return [finding('home', shown, fault)];
  const parts = [
    ...FOLDERS.map((name) => [name, folderFault(join(home, name), { optional: true })] as const),
    ...FILES.map((name) => [name, fileFault(join(home, name))] as const),
  ].flatMap(([name, wrong]) => (wrong ? [finding('home', `${shown}/${name}`, wrong)] : []));
  const cache = folderFault(cacheFolder, { optional: true });
  return [
    ...(parts.length > 0 ? parts : [openToOthers('home', home, shown) ?? finding('home', shown, null)]),
    keyFinding(home),
    finding('cache', forPerson(cacheFolder), cache),
  ];
}

const HOW: Record<ConfirmLevel, string> = {
  ask: 'signs after your yes; no passphrase',
  passphrase: 'locked by your passphrase',
  passkey: 'your authenticator signs, on the page',
};

// Only what is there is opened: asking must not make a key.
function keyFinding(home: string): Finding {
  const path = join(home, 'key.json');
  if (realPath(path) === null && readHome(home).state.isNew)
    return ok('key', 'no key yet: your first decision makes it');
  if (realPath(path) === null)
    return broken(
      'key',
      'the key that signed your decisions is gone (better than this command: restore key.json from a backup)',
      'bearings verify --new-key',
    );
  const fault = fileFault(path, { private: true }) ?? damage(home, path);
  if (fault) return finding('key', 'key.json', fault);
  const { level, fingerprint } = ownKey({ home });
  return ok('key', `key ${fingerprint}: ${HOW[level]}`);
}

// A new key is made at the next decision; what the old one signed then counts as a key you do not know.
function damage(home: string, path: string): Fault | null {
  try {
    const key = ownKey({ home });
    return key.level === 'ask' && key.unlock(null) === null ? aside(path, 'holds two halves of different keys') : null;
  } catch {
    return aside(path, 'is damaged (better than this command: restore it from a backup)');
  }
}
