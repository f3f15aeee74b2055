import type { Finding } from '../finding.ts';

const AT = /@|%40/g;
const LOCAL = /[\p{L}\p{N}._%+'-]/u;
const DOMAIN =
  /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:xn--[a-z0-9-]{2,40}|\p{L}{2,24})(?![\p{L}\p{N}])/iuy;

// Names that no mail reaches (RFC 2606, RFC 6761), and the machines' own accounts.
const BENIGN_DOMAIN =
  /(?:^|\.)(?:example\.(?:com|org|net|edu)|test|invalid|example|localhost|users\.noreply\.github\.com)$/i;
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
    findings.push({ kind: 'mail_address', start, end: done, certainty: 'certain' });
  }
  return findings;
}

// Walks back over the part before the @, which may also be in quotes.
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
  if (BENIGN_DOMAIN.test(mail.domain) || BENIGN_LOCAL.test(mail.local) || NOT_A_DOMAIN.test(mail.domain)) return true;
  return (
    STAND_IN.test(`${mail.local}@${mail.domain}`) ||
    USER_OF_ADDRESS.test(text.slice(Math.max(0, mail.start - 160), mail.start))
  );
}
