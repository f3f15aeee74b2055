import { join, realPath, statOf } from '../../files/paths.ts';
import { readHome } from '../../gate/io/read-standing.ts';
import { ownKey } from '../../gate/keys/confirm-level.ts';
import type { ConfirmLevel } from '../../gate/ledger/entry.ts';
import type { AppContext } from '../../settings/app-context.ts';
import { PLATFORM } from '../io/client-locations.ts';
import { aside, broken, type Finding, fileFault, finding, fixLine, folderFault, hint, ok } from '../io/file-faults.ts';

const FOLDERS = ['intents', 'heads', 'ledger', 'installs', 'earlier', 'unsaved', 'sessions', 'workspaces'];
const FILES = ['machine', 'repositories.json', 'config.yaml', 'adapters.yaml'];

export function checkHome({ home, cacheFolder, forPerson }: AppContext): Finding[] {
  const shown = forPerson(home);
  if (realPath(home) === null) return [hint('home', `${shown} is not there yet`, 'bearings init billing-client')];
  const fault = folderFault(home, { private: true });
  if (fault) return [finding('home', shown, fault)];
  const faults = [
    ...FOLDERS.map((name) => ({ name, wrong: folderFault(join(home, name), { optional: true }) })),
    ...FILES.map((name) => ({ name, wrong: fileFault(join(home, name)) })),
  ].flatMap(({ name, wrong }) => (wrong ? [finding('home', `${shown}/${name}`, wrong)] : []));
  // Each file of the home is closed by itself; what a hand puts there is as open as the folder.
  const isOpen = PLATFORM !== 'win32' && ((statOf(home)?.mode ?? 0) & 0o077) !== 0;
  const whole = isOpen
    ? hint('home', `${shown} can be read by others`, fixLine('chmod', 'go-rwx', home))
    : ok('home', shown);
  return [
    ...(faults.length > 0 ? faults : [whole]),
    keyFinding(home),
    finding('cache', forPerson(cacheFolder), folderFault(cacheFolder, { optional: true })),
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
  if (realPath(path) === null)
    return readHome(home).state.isNew
      ? ok('key', 'no key yet: your first decision makes it')
      : broken(
          'key',
          'the key that signed your decisions is gone (better than this command: restore key.json from a backup)',
          'bearings verify --new-key',
        );
  const fault = fileFault(path, { private: true });
  if (fault) return finding('key', 'key.json', fault);
  try {
    const { level, fingerprint, unlock } = ownKey({ home });
    if (level !== 'ask' || unlock(null) !== null) return ok('key', `key ${fingerprint}: ${HOW[level]}`);
    return finding('key', 'key.json', aside(path, 'holds two halves of different keys'));
  } catch {
    // A new key is made at the next decision; what the old one signed then counts as a key you do not know.
    return finding('key', 'key.json', aside(path, 'is damaged (better than this command: restore it from a backup)'));
  }
}
