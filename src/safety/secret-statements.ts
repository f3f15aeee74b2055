import { isCode, isLocation, isPlaceholder, isStatus } from './benign-value.ts';
import { type Finding, firstGroup } from './finding.ts';
import { findInField } from './secret-assignments.ts';
import { isTechnical, looksRandom } from './secret-values.ts';

const WORD = `["']?([^\\s"'|;&<>\`]{3,128})`;
// Tools that take a password without naming it, and where on their line it stands. The value is group 1.
const COMMANDS: [tool: RegExp, place: RegExp][] = [
  [
    /\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|mycli|7z|7za|rar)\b/g,
    new RegExp(`\\s-p(?![ =]|assword)${WORD}`, 'd'),
  ],
  [/\bsshpass\b/g, new RegExp(`\\s-p ?${WORD}`, 'd')],
  [
    /\b(?:(?:docker|podman|nerdctl|buildah|skopeo|oras|crane|oc|az|cf)(?: [a-z]+)? login|helm registry login|twine|mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|psexec|rabbitmqadmin|beeline|influx|cqlsh|couchbase-cli|useradd|usermod|vncviewer|pulsar|nmcli|svn|lpass|odo|steamcmd|wpa_cli|tsh)\b/g,
    new RegExp(`\\s-p[ =]${WORD}`, 'd'),
  ],
  [
    /\b(?:sqlcmd|bcp|osql|isql|mosquitto_pub|mosquitto_sub|zip|unzip|ipmitool|mssql-cli|tsql)\b/g,
    new RegExp(`\\s-P ?${WORD}`, 'd'),
  ],
  [/\bldap(?:search|add|modify|delete|whoami|passwd|compare)\b/g, new RegExp(`\\s-w ?${WORD}`, 'd')],
  [/\b(?:redis-cli|valkey-cli|keydb-cli)\b/g, new RegExp(`\\s(?:-a|--pass) ?${WORD}`, 'd')],
  [
    /\b(?:smbclient|rpcclient|smbmap|smbget|mount\.cifs|net|impacket-\w+|crackmapexec)\b/g,
    new RegExp(`\\s-U ?["']?[^\\s%"']{1,64}%${WORD}`, 'd'),
  ],
  [/\bl?ftp\b/g, new RegExp(`\\s-u ?["']?[^\\s,"']{1,64},${WORD}`, 'd')],
  [
    /\b(?:curl|wget|http|https|xh|aria2c|ab|siege|hey)\b/g,
    new RegExp(`\\s(?:-u|--user|-a|-A|--auth|--proxy-user|-U)[ \\t=]*["']?[^\\s:"'/]{1,64}:${WORD}`, 'd'),
  ],
  [/\b(?:plink|pscp|psftp|putty|kitty)\b/g, new RegExp(`\\s-pw ${WORD}`, 'd')],
  [/\bopenssl\b/g, new RegExp(`\\s(?:-pass(?:in|out)? ["']?pass:|-k )${WORD}`, 'd')],
  [
    /\b(?:keytool|jarsigner|apksigner|zipalign)\b/g,
    new RegExp(`\\s-{1,2}(?:[a-z-]*pass)(?:[ =](?:pass:)?)${WORD}`, 'd'),
  ],
  [
    /\b(?:xfreerdp|wfreerdp|cmdkey|rdesktop|mstsc|psexec|schtasks|sqlpackage|msdeploy)\b/gi,
    new RegExp(`\\s/(?:p|pw|pass|rp|tp|sp):${WORD}`, 'di'),
  ],
  [/\bnet use\b/gi, new RegExp(`^net use (?:\\S+:? )?\\S+ ${WORD} /user`, 'di')],
  [/\bnet user\b/gi, new RegExp(`^net user \\S+ ${WORD}`, 'di')],
  [/\bhtpasswd\b/g, new RegExp(`\\s-\\w*b\\w* \\S+ \\S+ ${WORD}`, 'd')],
  [/\becho\b/g, /^echo (?:-n )?["']?[\w.-]{1,64}:([^\s"'|]{3,128})["']? ?\| ?(?:sudo )?chpasswd/d],
  [
    /\b(?:echo|printf)\b/g,
    new RegExp(
      `^(?:echo|printf) (?:-n |'?%s'? )?${WORD}["']? ?\\| ?(?:sudo +-S|[^|\\n]{0,120}--(?:password|token|with)[a-z-]*(?:stdin|token))`,
      'd',
    ),
  ],
  [
    /\b(?:sqlplus|expdp|impdp|sqlldr|rman|exp|imp|sqlcl|jdbc:oracle:thin)\b/g,
    /[ =:][A-Za-z_][\w$]{0,40}\/["']?([^\s@/"']{3,128})["']?@/d,
  ],
  [/\bsnmp(?:walk|get|set|trap|bulkwalk)\b/g, new RegExp(`\\s-[AX] ?${WORD}`, 'd')],
  [/\bvault (?:login|unwrap)\b/g, new RegExp(`^vault (?:login|unwrap) ${WORD}`, 'd')],
];
const LINE = 240;

// Calls that take a user and then a password.
const LOGIN_CALL =
  /(?:log_?in|sign_?in|logon|auth|authenticate|credentials?|basic_?auth|passwordauthentication|connect|get_?connection)\w{0,20}\s?(?:\(|=\s?\()/gi;
const IDENTIFIED_BY =
  /\bidentified\s{1,4}(?:with\s{1,4}\S{1,60}\s{1,4})?(?:by|as)\s{1,4}(?:password\s{1,4}|values\s{1,4})?(?:'([^'\n]{1,128})'|"([^"\n]{1,128})"|([^\s;'",()]{4,128}))/dgi;
const PASSWORD_CALL = /\bpassword\s?\(\s{0,4}'([^'\n]{1,128})'\s{0,4}\)/dgi;
// Files that list accounts: the relay map of Postfix, the secrets of PPP.
const RELAY = /^\[?[\w.-]{1,100}\]?(?::[0-9]{2,5})?[ \t]{1,8}[\w.@+-]{1,64}:([^\s:]{4,32})\r?$/dgm;
const PPP = /^["']?[\w.@-]{1,64}["']?[ \t]{1,8}\*[ \t]{1,8}["']?([^\s"'*]{4,128})["']?(?:[ \t]{1,8}\*)?\r?$/dgm;
const PGPASS = /^[\w.*-]{1,100}:(?:[0-9]{2,5}|\*):[\w.*-]{1,64}:[\w.*@-]{1,64}:([^\s:]{3,128})\r?$/dgm;
const INSERT = /\binsert\s{1,8}into\s{1,8}[^\s(]{1,128}\s{0,8}\(([^()]{1,2000})\)\s{0,40}values\s{0,40}/gi;

// Secrets that stand at their place in a command or statement, with no name beside them.
export function findInStatements(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const [tool, place] of COMMANDS) {
    for (const { index } of text.matchAll(tool)) {
      const line = text.slice(index, index + LINE).split('\n', 1)[0] ?? '';
      const match = place.exec(line);
      if (!match) continue;
      const [start, end] = firstGroup(match);
      if (isGiven(line.slice(start, end))) findings.push({ kind: 'password', start: index + start, end: index + end });
    }
  }
  for (const pattern of [IDENTIFIED_BY, PASSWORD_CALL, PGPASS, RELAY, PPP]) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = firstGroup(match);
      const value = text.slice(start, end);
      const looksGiven = (pattern !== RELAY && pattern !== PPP) || (looksRandom(value) && !isTechnical(value));
      if (looksGiven && isGiven(value)) findings.push({ kind: 'password', start, end });
    }
  }
  return [...findings, ...findInCalls(text), ...findInInserts(text)];
}

// `connect("host", "user", …)`: which of the texts behind the first is the password shows by its form.
function findInCalls(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const call of text.matchAll(LOGIN_CALL)) {
    const from = call.index + call[0].length;
    const inside = text.slice(from, from + LINE).split(/[\n)]/, 1)[0] ?? '';
    for (const argument of [...inside.matchAll(/["'`]([^"'`\n]{0,128})["'`]/dg)].slice(1, 5)) {
      const [start, end] = firstGroup(argument);
      const value = inside.slice(start, end);
      if (
        /[0-9!@#$%^&*]/.test(value) &&
        looksRandom(value) &&
        !/[./\\]/.test(value) &&
        !isTechnical(value) &&
        isGiven(value)
      )
        findings.push({ kind: 'password', start: from + start, end: from + end });
    }
  }
  return findings;
}

function isGiven(value: string): boolean {
  if (value.length < 3 || value.startsWith('-') || /\s/.test(value)) return false;
  return (
    !isPlaceholder(value) &&
    !isLocation(value) &&
    !isCode(value) &&
    !isStatus(value) &&
    !/^[0-9]{1,5}$|^[0-9.]+:[0-9]+(?::[0-9]+)?(?:\/\w+)?$/.test(value)
  );
}

// `INSERT INTO users (name, password) VALUES ('bob', …)`: the columns name the values.
function findInInserts(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const match of text.matchAll(INSERT)) {
    const columns = (match[1] ?? '').split(',').map((column) => column.replace(/["'`[\]\s]/g, ''));
    const from = match.index + match[0].length;
    for (const row of rowsOf(text.slice(from, from + 20_000)))
      for (const [column, { value, start }] of row.entries())
        for (const found of findInField(value, { label: columns[column] ?? '', loose: false }))
          findings.push({ kind: found.kind, start: from + start + found.start, end: from + start + found.end });
  }
  return findings;
}

function rowsOf(text: string): { value: string; start: number }[][] {
  const rows: { value: string; start: number }[][] = [];
  const piece = /\s*(?:(\()|(\))|,|[NE]?'((?:[^'\\]|''|\\.)*)'|"([^"]*)"|([^\s,()'"]+))/dy;
  let row: { value: string; start: number }[] | null = null;
  for (let match = piece.exec(text); match; match = piece.exec(text)) {
    if (match[1]) row = [];
    else if (match[2]) {
      if (row) rows.push(row);
      row = null;
    } else if (match[5] !== undefined && row === null) break;
    else {
      const group = [3, 4, 5].find((index) => match?.[index] !== undefined);
      if (group !== undefined) row?.push({ value: match[group] ?? '', start: match.indices?.[group]?.[0] ?? 0 });
    }
  }
  return rows;
}
