import { certain, type Finding, firstGroup, isStrong, matchAt, mergeFindings } from './secret-literals.ts';
import { findAssignments, namesIn } from './secret-names.ts';
import { findShapes } from './secret-shapes.ts';

export { type Finding, mergeFindings, redact } from './secret-literals.ts';

// What has the shape of a secret, and literals that are given to the name of one.
export function findSecrets(text: string): Finding[] {
  return mergeFindings(findPlain(text), findEncoded(text, findPlain));
}

// The first that has the shape of a secret. What only might be one is the person's to judge, who reads the text anyway.
export function findCertainSecret(text: string): Finding | undefined {
  return findSecrets(text).find(({ certainty }) => certainty === 'certain');
}

function findPlain(text: string): Finding[] {
  return mergeFindings(
    findPrivateKeys(text),
    findShapes(text),
    findAssignments(text, namesIn(text)),
    findInCalls(text),
    findInCommands(text),
  );
}

const KEY_BEGIN =
  /-{0,5}BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{0,5}|-----BEGIN [\w ]{0,40}(?:Static|Secret|SECRET) (?:key|KEY)[\w ]{0,10}-----|Private-Lines: [0-9]{1,4}/g;
const KEY_END = /-{0,5}END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{0,5}/g;
// What separates its lines (also quoted, commented or in JSON) and old header lines; long lines, then at most one short one:
// prose after a cut block has short words and ends it.
const KEY_GAP =
  '(?:[\\s"\',>|#*]|\\\\{1,4}[nrt"]|(?:Proc-Type|DEK-Info|Version|Comment):[^\\n\\\\]{0,200}(?=[\\n\\\\]|$))*';
const KEY_BODY = new RegExp(
  `(?:${KEY_GAP}[A-Za-z0-9+/=]{20,})+(?:${KEY_GAP}(?<![A-Za-z0-9+/=])[A-Za-z0-9+/=]{1,19}(?=[\\s\\\\"-]|$)(?![ \\t]+[A-Za-z]))?`,
  'y',
);
const KEY_FOOTER = /[\s"',>|#*\\nr]{0,20}-{2,5}(?:E[ND]{0,2}[A-Z0-9 ]{0,60}-{0,5})?/y;

// PEM blocks of private keys, whole or cut at either end. A header without a body is only talk about keys.
export function findPrivateKeys(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const header of text.matchAll(KEY_BEGIN)) {
    const from = header.index + header[0].length;
    const end = endOfMatch(KEY_BODY, text, from);
    if (end > from) findings.push(certain('private_key', header.index, endOfMatch(KEY_FOOTER, text, end)));
  }
  let earliest = 0;
  for (const footer of text.matchAll(KEY_END)) {
    const start = startOfBody(text, Math.max(earliest, footer.index - 16_000), footer.index);
    earliest = footer.index + footer[0].length;
    if (start < footer.index) findings.push(certain('private_key', start, earliest));
  }
  return findings;
}

function endOfMatch(pattern: RegExp, text: string, from: number): number {
  return from + (matchAt(pattern, text, from)?.length ?? 0);
}

// Walks back over base64 lines; the one next to the footer may be short.
function startOfBody(text: string, from: number, footer: number): number {
  const before = text.slice(from, footer).replace(/\\[nrt]/g, '  ');
  let start = before.length;
  let long = 0;
  for (const line of [...before.matchAll(/[A-Za-z0-9+/=]+/g)].reverse()) {
    const gap = before.slice(line.index + line[0].length, start);
    const isLast = start === before.length;
    if (!/^[\s"',>|#*\\]*$/.test(gap) || (line[0].length < 30 && !isLast)) break;
    if (line[0].length >= 30) long += 1;
    start = line.index;
  }
  return long > 0 ? from + start : footer;
}

const BASE64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,8192}={0,2}(?![A-Za-z0-9+/_=-])/g;
const HEX = /(?<![A-Za-z0-9])(?:0x)?((?:[0-9a-fA-F]{2}){10,4096})(?![A-Za-z0-9])/g;

// A text that is written as base64 or hex, with a secret of certain shape in what it says: the whole of it goes.
export function findEncoded(text: string, find: (text: string) => Finding[]): Finding[] {
  const findings: Finding[] = [];
  const search = (written: string, start: number, decodedText: string | null) => {
    const found = decodedText === null ? undefined : find(decodedText).find(({ certainty }) => certainty === 'certain');
    if (found) findings.push({ ...found, start, end: start + written.length });
  };
  for (const { 0: written, index } of text.matchAll(BASE64)) search(written, index, fromBase64(written));
  for (const { 0: written, 1: digits = '', index } of text.matchAll(HEX)) search(written, index, fromHex(digits));
  return findings;
}

function fromBase64(written: string): string | null {
  // Words and names decode to noise; the first bytes tell at once.
  const plain = written.replace(/-/g, '+').replace(/_/g, '/');
  if (!isReadable(narrow(decoded(plain.slice(0, 16))))) return null;
  return readable(narrow(decoded(plain.replace(/=+$/, ''))));
}

// PowerShell encodes two bytes for a letter.
function narrow(text: string): string {
  return /^(?:[^\0]\0){4}/.test(text) ? text.replaceAll('\0', '') : text;
}

function decoded(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return '\u0000';
  }
}

function fromHex(digits: string): string | null {
  if (!/^(?:[2-7][0-9a-fA-F]|0[9aAdD])+$/.test(digits)) return null;
  const codes = digits.match(/../g) ?? [];
  return readable(codes.map((code) => String.fromCharCode(Number.parseInt(code, 16))).join(''));
}

function readable(text: string): string | null {
  return isReadable(text) && /[\p{L}]/u.test(text) ? text : null;
}

function isReadable(text: string): boolean {
  return /^[\t\n\r\x20-\x7e\xa0-\xff]+$/.test(text) && !/[\xa0-\xff]{3}/.test(text);
}

// Calls that take a secret by its position. A name is enough: every literal among the arguments that is random enough is one.
const CALL = /(?<![\w$])[A-Za-z_$][\w$]{0,60}(?:(?:\.|::|->)[A-Za-z_$][\w$]{0,60}){0,4}[ \t]{0,2}\(/g;
const TAKES_SECRET =
  /jwt|hmac|cipher|crypt|log_?in|sign_?in|auth(?!or)|credential|connect|cookie|session|serializer|fernet|secret|passw|keyspec|securitykey|signingkey|signwith|signedstring|encodingkey|decodingkey|ldap_?bind|simple_?bind|(?:super|add_?|create_?)user|user_?add|toCharArray|pdo|mysqli|sequelize|wifi|keystore|store\.load|(?:twilio|algolia|pusher|supabase|redis|mongo|vault|imap|smtp|ftp|sftp|ssh)\w*(?:\.new|::new|\.create)?$|(?:create|new)_?client|provider|(?:set|put)env/i;
// `provider :github, 'id', '…'`, `auth=('user', '…')`, `require('x')(id, '…')`
const TUPLE =
  /(?<![\w$])(?:http_?|basic_?)?(?:auth|credentials?|login)["']?[ \t]{0,4}(?:=>|[:=])[ \t]{0,4}[([]|(?<![\w$.])(?:provider|credentials)[ \t]{1,4}:?\w{1,30},|\brequire\(["'][\w@/.-]{1,60}["']\)\(/gi;
const LITERAL = /(?:@|[bruN])?(["'`])((?:[^"'`\\\n]|\\.){0,512}?)\1/g;
// `client.sessions.retrieve('sesn_…')` takes what one of many is called.
const OF_MANY = /s\.\w{1,60}[ \t]*\($/;
const ID = /^[a-z]{2,12}_[0-9A-Za-z]{20,40}$/;
const MAX_ARGUMENTS = 400;

// Programs that take a secret by a short flag, and how: what comes before the value.
const COMMANDS: [programs: string, flags: string][] = [
  // Tied to the flag: after a blank comes the name of the database.
  ['mysql|maria|7z|rar|unrar', '-p'],
  ['sshpass|mongo|cqlsh|beeline|psexec|ncftp|rabbitmqadmin|impala|arango|winexe', '-p[ \\t=]{1,2}'],
  [
    '(?:docker|podman|buildah|skopeo|az|oc|helm|nerdctl|crane|argocd|cf|ibmcloud)(?![\\w-])',
    '(?<=log-?in[ \\t](?:[^\\n]{0,200}[ \\t])?)-p[ \\t=]{1,2}',
  ],
  ['redis-cli|keydb-cli|valkey-cli|snmp|ipmitool', '-[aAXP][ \\t]{1,2}'],
  ['sqlcmd|bcp|isql|osql|tsql|zip|unzip|ipmitool', '-P[ \\t]{0,2}'],
  ['ldap', '-[wWsa][ \\t]{1,2}'],
  ['openssl|aescrypt|ccrypt|steghide', '-(?:[kKp]|pass(?:in|out)?|passphrase)[ \\t]{1,2}(?:pass:)?'],
  [
    'plink|pscp|psftp|putty|keytool|jarsigner|apksigner|signtool|winscp|xfreerdp|rdesktop|cmdkey|runas|schtasks|influx',
    '(?:-{1,2}|/)(?:pw|p|rp|pass(?:word|wd)?|(?:store|key|src|dest)pass)(?:[ \\t]{1,2}|[:=])(?:pass:)?',
  ],
  ['lftp|smbclient|rpcclient|sqlplus|sqlldr|expdp|impdp|rman', '["\']?[\\w.@\\\\-]{1,60}[%,/:]'],
  // By its place among the words.
  ['htpasswd|rabbitmqctl|net[ \\t]+use|createUser|steamcmd|useradd|usermod|mosquitto_passwd|smbpasswd', ''],
];
const COMMAND = COMMANDS.map(([programs, flags]) => ({
  programs: new RegExp(`^(?:${programs})`),
  flags: new RegExp(`(?<=[ \\t])${flags}["']?([^\\s"']{6,200})`, 'dg'),
}));
const PROGRAM = new RegExp(
  `(?<![\\w.-])(?:${COMMANDS.map(([programs]) => programs).join('|')})[\\w-]{0,20}(?:\\.exe)?(?=[ \\t])([^\\n]{0,400})`,
  'g',
);

function findInCalls(text: string): Finding[] {
  const findings: Finding[] = [];
  const known = new Map<string, boolean>();
  let done = 0;
  const argumentsFrom = (from: number, ofMany = false): void => {
    const start = Math.max(from, done);
    const end = endOfArguments(text, start);
    done = end;
    for (const match of text.slice(start, end).matchAll(LITERAL)) {
      const value = (match[2] ?? '').replace(/^\\?["']|\\?["']$/g, '');
      if (!isStrong(value) || (ofMany && ID.test(value))) continue;
      const at = start + match.index + match[0].indexOf(value);
      findings.push(certain('secret', at, at + value.length));
    }
  };
  for (const { 0: call, index } of text.matchAll(CALL)) {
    const takes = known.get(call) ?? TAKES_SECRET.test(call.slice(0, -1).trim());
    known.set(call, takes);
    if (takes && index >= done) argumentsFrom(index + call.length, OF_MANY.test(call));
  }
  done = 0;
  for (const { 0: opening, index } of text.matchAll(TUPLE)) if (index >= done) argumentsFrom(index + opening.length);
  return findings;
}

// To the bracket that closes them, or to a plain bound.
function endOfArguments(text: string, from: number): number {
  const bound = Math.min(text.length, from + MAX_ARGUMENTS);
  let depth = 1;
  for (let at = from; at < bound; at += 1) {
    const character = text[at] as string;
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    if (depth === 0) return at;
  }
  return bound;
}

function findInCommands(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const { 0: command, 1: rest = '', index } of text.matchAll(PROGRAM)) {
    const from = index + command.length - rest.length;
    const program = command.slice(0, from - index);
    for (const { programs, flags } of COMMAND) {
      if (!programs.test(program)) continue;
      for (const match of rest.matchAll(flags)) {
        const [start, end] = firstGroup(match);
        if (isStrong(rest.slice(start, end))) findings.push(certain('password', from + start, from + end));
      }
    }
  }
  return findings;
}
