import { joined, wordsOf } from './terms.ts';

const TEST_MARK = /[._-](?:tests?|specs?|e2e|bench(?:marks?)?)(?![a-z])|^(?:tests?|spec)[._-]/i;
const TEST_FOLDER = /^(?:tests?|__tests__|specs?|e2e|testing|runtime-tests|testdata)$/i;
// Names that say nothing: the folder's name stands for the file.
const HOLLOW = /^(?:index|main|mod|lib|init|__init__|__main__|readme|package)$/i;

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function foldersOf(path: string): string[] {
  return path.split('/').slice(0, -1);
}

export function isTest(path: string): boolean {
  const base = baseName(path);
  const plain = base.replace(/\.[^.]+$/, '');
  return TEST_MARK.test(plain) || /Tests?$/.test(plain) || foldersOf(path).some((name) => TEST_FOLDER.test(name));
}

// What a file and its test share: `router.test.ts`, `test_router.py`, `router/index.ts` and `router.ts` are all `router`.
export function subjectOf(path: string): string {
  let name = baseName(path)
    .replace(/^\.+/, '')
    .replace(/\.[^.]+$/, '');
  name = name.replace(/(?:[._-](?:tests?|specs?|e2e|bench|test-d|d))+$/i, '').replace(/^(?:tests?|spec)[._-]/i, '');
  if (HOLLOW.test(name))
    name = foldersOf(path).findLast((folder) => !TEST_FOLDER.test(folder) && folder !== 'src') ?? name;
  return joined(wordsOf(name));
}

export type Kind = 'code' | 'prose' | 'record' | 'data';
export const NOT_CODE: readonly Kind[] = ['prose', 'record', 'data'];

// A source file of such a name is none: `history.ts`.
const CHANGE_LOG = /^(?:change(?:s|log)|history|news|releases?)\b(?:[^.]*|.*\.(?:md|mdx|markdown|rst|txt|adoc))$/i;
const RECORD =
  /^(?:authors|contributors)\b|(?:^|[-_.])lock(?:\.|$)|^(?:go\.sum|npm-shrinkwrap\.json)$|\.(?:snap|min\.js|min\.css|map|svg)$/i;
const PROSE = /\.(?:md|mdx|markdown|rst|txt|adoc)$/i;
const DATA = /\.(?:json|jsonc|json5|ya?ml|toml|ini|cfg|csv|tsv|xml|html?|css|scss)$/i;

// Records (change logs, lock files, snapshots) mention everything and are seldom what a task is about.
export function kindOf(path: string): Kind {
  const base = baseName(path);
  if (RECORD.test(base) || CHANGE_LOG.test(base)) return 'record';
  if (PROSE.test(base)) return 'prose';
  return DATA.test(base) ? 'data' : 'code';
}

const SECRET =
  /^(?:\.?(?:tokens?|api[_-]?keys?|secrets?|passw(?:or)?ds?|passphrase|mnemonic|seed[_-]?phrase)(?:\.txt)?|\.(?:erlang\.cookie|ansible_vault_pass.*|vault[_-]?pass(?:word)?.*)|\.env(?:rc|~|\.(?!example$|sample$|template$|dist$).*)?|env\.(?:bak|backup)|[\w-]+\.env|id_(?:rsa|dsa|ecdsa|ed25519)|\.(?:netrc|git-credentials|npmrc|pypirc|pgpass|htpasswd|aws-credentials|vault-token)|service-account.*\.json|.*\.(?:pem|key|p12|pfx|jks|keystore|tfstate|tfvars))$/i;
const SECRET_IN_FOLDER =
  /(?:^|\/)(?:\.aws\/credentials|\.docker\/config\.json|\.kube\/config|\.ssh\/[^/]+|secrets\/[^/.]+(?:\.txt)?)$/i;

// Files whose use is to hold a secret: no word of them belongs in an index or a prompt.
export function isSecretName(path: string): boolean {
  return SECRET.test(baseName(path)) || SECRET_IN_FOLDER.test(path);
}

const OWN = /(?:^|\/)\.(?:bearings|git)(?:\/|$)/i;

/** Why a path is in no corpus, whoever names it, in words that finish "it …"; null where it may be. */
export function whyPrivate(path: string): string | null {
  if (isSecretName(path)) return 'is a file for secrets';
  return OWN.test(path) ? 'is in a folder of Bearings or git' : null;
}

export const LAST_NUMBER = /\d+(?=\D*$)/;
const LABEL =
  /^[ \t>*_#-]*(\p{Lu}[\p{L}'’-]{1,30}|user|human|me|assistant|agent|bot|system)(?:[ \t][\p{L}'’.-]{1,30}){0,2}[*_]*:/mu;
const LABEL_LOOK = 300;

// Files that differ in their last number only follow each other: turns of a talk, days of a log, numbered notes.
export function sequenceOf(path: string): string | null {
  const base = baseName(path);
  if (kindOf(path) === 'code' || !LAST_NUMBER.test(base)) return null;
  return path.slice(0, path.length - base.length) + base.replace(LAST_NUMBER, '#');
}

export function speakerOf(text: string): string | null {
  return LABEL.exec(text.slice(0, LABEL_LOOK))?.[1]?.toLowerCase() ?? null;
}
