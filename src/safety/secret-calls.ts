import { type Finding, firstGroup } from './finding.ts';
import { isStrong } from './secret-literals.ts';

// Calls that take a secret by its position. A name is enough: every literal among the arguments that is random enough is one.
const CALL = /(?<![\w$])[A-Za-z_$][\w$]{0,60}(?:(?:\.|::|->)[A-Za-z_$][\w$]{0,60}){0,4}[ \t]{0,2}\(/g;
const TAKES_SECRET =
  /jwt|hmac|cipher|crypt|log_?in|sign_?in|auth(?!or)|credential|connect|cookie|session|serializer|fernet|secret|passw|keyspec|securitykey|signingkey|signwith|signedstring|encodingkey|decodingkey|ldap_?bind|simple_?bind|(?:super|add_?|create_?)user|user_?add|toCharArray|pdo|mysqli|sequelize|wifi|keystore|store\.load|(?:twilio|algolia|pusher|supabase|redis|mongo|vault|imap|smtp|ftp|sftp|ssh)\w*(?:\.new|::new|\.create)?$|createclient|provider/i;
// `provider :github, 'id', '…'`, `auth=('user', '…')`, `require('x')(id, '…')`
const TUPLE =
  /(?<![\w$])(?:http_?|basic_?)?(?:auth|credentials?|login)["']?[ \t]{0,4}(?:=>|[:=])[ \t]{0,4}[([]|(?<![\w$.])(?:provider|credentials)[ \t]{1,4}:?\w{1,30},|\brequire\(["'][\w@/.-]{1,60}["']\)\(/gi;
const LITERAL = /(?:@|[bruN])?(["'`])((?:[^"'`\\\n]|\\.){0,512}?)\1/g;
const MAX_ARGUMENTS = 400;

// Programs that take a secret by a short flag, and how: what comes before the value.
const COMMANDS: [programs: RegExp, flags: string][] = [
  // Tied to the flag: after a blank comes the name of the database.
  [/^(?:mysql|maria|7z|rar|unrar)/, '-p'],
  [/^(?:sshpass|mongo|cqlsh|beeline|psexec|ncftp|rabbitmqadmin|impala|arango|winexe)/, '-p[ \\t=]{1,2}'],
  [
    /^(?:docker|podman|buildah|skopeo|az|oc|helm|nerdctl|crane|argocd|cf|ibmcloud)$/,
    '(?<=log-?in[ \\t](?:[^\\n]{0,200}[ \\t])?)-p[ \\t=]{1,2}',
  ],
  [/^(?:redis-cli|keydb-cli|valkey-cli|snmp|ipmitool)/, '-[aAXP][ \\t]{1,2}'],
  [/^(?:sqlcmd|bcp|isql|osql|tsql|zip|unzip|ipmitool)/, '-P[ \\t]{0,2}'],
  [/^ldap/, '-[wWsa][ \\t]{1,2}'],
  [/^(?:openssl|aescrypt|ccrypt|steghide)/, '-(?:[kKp]|pass(?:in|out)?|passphrase)[ \\t]{1,2}(?:pass:)?'],
  [
    /^(?:plink|pscp|psftp|putty|keytool|jarsigner|apksigner|signtool|winscp|xfreerdp|rdesktop|cmdkey|runas|schtasks|influx)/,
    '(?:-{1,2}|/)(?:pw|p|rp|pass(?:word|wd)?|(?:store|key|src|dest)pass)(?:[ \\t]{1,2}|[:=])(?:pass:)?',
  ],
  [/^(?:lftp|smbclient|rpcclient|sqlplus|sqlldr|expdp|impdp|rman)/, '["\']?[\\w.@\\\\-]{1,60}[%,/:]'],
  [
    /^(?:htpasswd|rabbitmqctl|net[ \t]+use|createUser|steamcmd|useradd|usermod|mosquitto_passwd|smbpasswd)/,
    // By its place among the words.
    '',
  ],
];
const COMMAND = COMMANDS.map(([programs, flags]) => ({
  programs,
  flags: new RegExp(`(?<=[ \\t])${flags}["']?([^\\s"']{6,200})`, 'dg'),
}));
const PROGRAM =
  /(?<![\w.-])(?:mysql|maria|7z|rar|unrar|sshpass|mongo|cqlsh|beeline|psexec|ncftp|rabbitmq|impala|arango|winexe|docker|podman|buildah|skopeo|az|oc|helm|nerdctl|crane|argocd|cf|ibmcloud|redis-cli|keydb-cli|valkey-cli|snmp|ipmitool|sqlcmd|bcp|isql|osql|tsql|zip|unzip|ldap|openssl|aescrypt|ccrypt|steghide|plink|pscp|psftp|putty|keytool|jarsigner|apksigner|signtool|winscp|xfreerdp|rdesktop|cmdkey|runas|schtasks|influx|lftp|smbclient|rpcclient|sqlplus|sqlldr|expdp|impdp|rman|htpasswd|net[ \t]+use|createUser|steamcmd|useradd|usermod|mosquitto_passwd|smbpasswd)[\w-]{0,20}(?:\.exe)?(?=[ \t])([^\n]{0,400})/g;

export function findInCalls(text: string): Finding[] {
  const findings: Finding[] = [];
  const known = new Map<string, boolean>();
  let done = 0;
  const argumentsFrom = (from: number): void => {
    const start = Math.max(from, done);
    const end = endOfArguments(text, start);
    done = end;
    for (const match of text.slice(start, end).matchAll(LITERAL)) {
      const value = (match[2] ?? '').replace(/^\\?["']|\\?["']$/g, '');
      if (!isStrong(value)) continue;
      const at = start + match.index + match[0].indexOf(value);
      findings.push({ kind: 'secret', start: at, end: at + value.length, certainty: 'certain' });
    }
  };
  for (const { 0: call, index } of text.matchAll(CALL)) {
    const takes = known.get(call) ?? TAKES_SECRET.test(call.slice(0, -1).trim());
    known.set(call, takes);
    if (takes && index >= done) argumentsFrom(index + call.length);
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

export function findInCommands(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const { 0: command, 1: rest = '', index } of text.matchAll(PROGRAM)) {
    const from = index + command.length - rest.length;
    const program = command.slice(0, from - index);
    for (const { programs, flags } of COMMAND) {
      if (!programs.test(program)) continue;
      for (const match of rest.matchAll(flags)) {
        const [start, end] = firstGroup(match);
        if (isStrong(rest.slice(start, end)))
          findings.push({ kind: 'password', start: from + start, end: from + end, certainty: 'certain' });
      }
    }
  }
  return findings;
}
