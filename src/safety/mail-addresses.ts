import type { Finding } from './finding.ts';

// The sign itself, as a URL or HTML writes it, or as people hide it from collectors.
const AT = /@|＠|%40|&#64;|&#x40;|&commat;|[ ]?[[({<][ ]?(?:at|ät|arroba)[ ]?[\])}>][ ]?|_at_/giu;
const LOCAL = /[\p{L}\p{N}._%+'-]/u;
const DOT = '(?:\\.|[ ]?[\\[({<][ ]?(?:dot|punkt|punto|point)[ ]?[\\])}>][ ]?|_dot_)';
const DOMAIN = new RegExp(
  `(?:[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?${DOT}){1,8}(?:xn--[a-z0-9-]{2,40}|\\p{L}{2,24})(?![\\p{L}\\p{N}])`,
  'iuy',
);

// Names that no mail reaches (RFC 2606, RFC 6761), and the machines' own accounts.
const BENIGN_DOMAIN =
  /(?:^|\.)(?:example\.(?:com|org|net|edu)|test|invalid|example|localhost|users\.noreply\.github\.com)$/i;
// "jane at nordwind dot de"; only endings that are no words, because dots are on dresses too.
const SPELT =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}._+-]{2,40} at (?!example )[\p{L}\p{N}-]{2,40}(?: dot [\p{L}]{2,10}){0,2} dot (?:com|org|net|io|de|edu|gov|co|uk|fr|info|eu|ch|nl|se|fi|dk|es|jp|ru|br|ca|au|dev|app)(?![\p{L}\p{N}])/giu;
const BENIGN_LOCAL = /^(?:git|hg|svn|no-?reply|do-?not-?reply|nobody)$/i;
const STAND_IN =
  /^(?:you|user|username|name|your[._-]?name|first(?:name)?[._-]last(?:name)?|someone|foo|me)@(?:your)?[._-]?(?:domain|company|email|mail|host|server|org)\.(?:com|org|net)$/i;
// `icon@2x.png`, `getty@tty1.service`, `left-pad@1.3.0-rc.one`.
const NOT_A_DOMAIN =
  /^v?[0-9]+\.[0-9]|^[0-9]x\.|\.(?:png|jpe?g|gif|svg|webp|avif|ico|pdf|zip|tgz|gz|js|mjs|cjs|ts|tsx|jsx|css|json|ya?ml|toml|md|html?|txt|git|service|socket|timer|target|mount|scope|slice)$/i;
const USER_OF_ADDRESS = /(?<!mailto|xmpp|sip|sips|im):\/\/(?:[^\s/:@]{0,128}:)?$/i;

export function findMailAddresses(text: string): Finding[] {
  const findings: Finding[] = [];
  let done = 0;
  for (const at of text.matchAll(AT)) {
    const start = startOfLocal(text, Math.max(done, at.index - 66), at.index);
    const from = at.index + at[0].length;
    const domain = start === at.index ? undefined : domainAt(text, from);
    if (domain === undefined || isBenign(text, { start, local: text.slice(start, at.index), domain })) continue;
    done = from + domain.length;
    findings.push({ kind: 'mail_address', start, end: done });
  }
  for (const { 0: spelt, index } of text.matchAll(SPELT))
    findings.push({ kind: 'mail_address', start: index, end: index + spelt.length });
  return findings;
}

// Walks back over the part before the sign, which may also stand in quotes.
function startOfLocal(text: string, earliest: number, at: number): number {
  if (text[at - 1] === '"') {
    const quoted = /"[\p{L}\p{N}][\p{L}\p{N} .+-]*"$/u.exec(text.slice(earliest, at));
    return at - (quoted?.[0].length ?? 0);
  }
  let start = at;
  while (start > earliest && LOCAL.test(text.charAt(start - 1))) start -= 1;
  // In a URL the address starts after the last escape; that of a plus is part of it.
  const escapes = [...text.slice(start, at).matchAll(/%(?!2B)[0-9A-F]{2}/gi)];
  start += (escapes.at(-1)?.index ?? -3) + 3;
  while (start < at && /['.-]/.test(text.charAt(start))) start += 1;
  return start;
}

function domainAt(text: string, from: number): string | undefined {
  const sticky = new RegExp(DOMAIN);
  sticky.lastIndex = from;
  return sticky.exec(text)?.[0];
}

function isBenign(text: string, mail: { start: number; local: string; domain: string }): boolean {
  const domain = mail.domain.replace(/[ ]?[[({<][ ]?(?:dot|punkt|punto|point)[ ]?[\])}>][ ]?|_dot_/gi, '.');
  if (BENIGN_DOMAIN.test(domain) || BENIGN_LOCAL.test(mail.local) || NOT_A_DOMAIN.test(domain)) return true;
  return (
    STAND_IN.test(`${mail.local}@${domain}`) ||
    USER_OF_ADDRESS.test(text.slice(Math.max(0, mail.start - 160), mail.start))
  );
}
