import { entropyOf, isMixed, isPlaceholder } from './benign-value.ts';
import { type Finding, firstGroup } from './finding.ts';
import { isTechnical, looksRandom } from './secret-values.ts';
import { UNPREFIXED_TOKENS, VENDOR_TOKENS } from './vendor-tokens.ts';

// A token may follow a letter where that letter belongs to an escape: `\n` in JSON, `%3D` in a URL.
const START = '(?:(?<![A-Za-z0-9_])|(?<=\\\\[nrtbf])|(?<=%[0-9A-Fa-f]{2}))';
// Where any name may begin a token, the letter of an escape does not.
const ANY_START = `(?<!\\\\(?=[nrtbf]))${START}`;
const literal = (text: string) => text.replace(/[$.{}()+*?|^[\]\\/]/g, '\\$&');

// One search for all beginnings; only where one stands are its rests tried.
const RESTS = new Map<string, { kind: string; rest: RegExp }[]>();
for (const [kind, beginnings, rest] of VENDOR_TOKENS)
  for (const beginning of beginnings.split(' '))
    RESTS.set(beginning, [...(RESTS.get(beginning) ?? []), { kind, rest: new RegExp(rest, 'y') }]);
const LONGEST_FIRST = [...RESTS.keys()].sort((a, b) => b.length - a.length);
const BEGINNING = new RegExp(`${START}(?:${LONGEST_FIRST.map(literal).join('|')})`, 'g');
const UNPREFIXED = new RegExp(`${START}(?:${UNPREFIXED_TOKENS.map(([, pattern]) => `(${pattern})`).join('|')})`, 'g');
// What services that are not in the list make too: a short name and one long random run.
const ANY_VENDOR = new RegExp(
  `${ANY_START}([a-z][a-z0-9]{1,11}(?:[_-][a-z0-9]{1,8}){0,2}[_-])([A-Za-z0-9]{32,200})(?![A-Za-z0-9+/=])`,
  'g',
);
const NO_VENDOR =
  /^(?:sha|md5|hash|base64|b64|id|uuid|cache|etag|chunk|build|blob|img|image|font|asset|file|commit|rev|digest|pub|pk|trace|span|request|req|nonce|integrity)[0-9]*[_-]/;
// The same in hex, which is also how hashes look; so only behind a short name and one sign.
const ANY_HEX_VENDOR = new RegExp(
  `${ANY_START}((?!(?:sha|md|img|app|web|src|rev|tag|id|bin|lib|run|job|doc|ref|obj|git|key|v)[0-9]*_)[a-z][a-z0-9]{1,4}_)([0-9a-f]{40,80})(?![A-Za-z0-9_.-])`,
  'g',
);
// A secret key of Amazon has no form of its own; beside the id it is one.
const AWS_PAIR =
  /(?:AKIA|ASIA)[A-Z0-9]{16}[^A-Za-z0-9]{1,4}(?:[A-Za-z_ ]{0,40}[^A-Za-z0-9+/]{1,4}){0,2}([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/dg;

// The value is group 1; what stands before it only names it.
const IN_CONTEXT: [kind: string, pattern: RegExp][] = [
  ['aws_key', AWS_PAIR],
  ['slack_webhook', /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9/_-]{20,200})/dg],
  ['discord_webhook', /discord(?:app)?\.com\/api\/(?:v[0-9]{1,2}\/)?webhooks\/([0-9]{10,25}\/[A-Za-z0-9_-]{30,100})/dg],
  [
    'webhook',
    /(?:webhook\.office(?:365)?\.com\/webhookb2|outlook\.office(?:365)?\.com\/webhook|hooks\.zapier\.com\/hooks\/catch|maker\.ifttt\.com\/trigger\/[\w-]{1,60}\/(?:json\/)?with\/key|hook\.(?:eu|us)[0-9]\.make\.com|hook\.integromat\.com|webhook\.site|open\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/v2\/hook)\/([A-Za-z0-9@/_-]{16,300})/dg,
  ],
  [
    'signed_url',
    /(?:infura\.io\/(?:ws\/)?v3|alchemy(?:api)?\.(?:com|io)\/v2|quiknode\.pro|(?<=\/)(?:reset|invite|invitation|magic|magic-link|verify|confirm|activate|unsubscribe|password-reset|reset-password|set-password|sso|share-token|webhooks?|hooks?|api|bot)(?:\/(?:token|confirm|key))?)\/((?=[A-Za-z_-]{0,200}[0-9])[A-Za-z0-9_-]{24,300})(?![A-Za-z0-9_.-])/dgi,
  ],
  ['azure_key', /(?:AccountKey|SharedAccessKey|SharedSecretValue)=([A-Za-z0-9+/]{40,100}={0,2})/dgi],
  [
    'signed_url',
    /[?&](?:sig|signature|X-Amz-Signature|X-Goog-Signature|X-Amz-Security-Token|hmac|Signature)=([A-Za-z0-9%+/=_~-]{32,1200})/dgi,
  ],
  ['signed_url', /[?&](?:code|ticket|key|auth|token|t|k|jwt|sid)=([A-Za-z0-9%._~-]{24,1200})/dgi],
  ['signature', /\bSignature=([0-9a-f]{64})(?![0-9a-f])/dg],
  ['wifi_password', /\bWIFI:[^\n]{0,100}?(?<=[:;])P:((?:[^;\\\n]|\\.){4,64});/dg],
  ['bearer', /\bbearer[ \t]+([A-Za-z0-9._~+/-]{12,4096}={0,2})/dgi],
  ['basic_auth', /\bbasic[ \t]+([A-Za-z0-9+/]{6,512}={0,2})/dgi],
  [
    'authorization',
    /\b(?:proxy-)?authorization["'`\\]{0,4}[ \t]*[:=,][ \t]*["'`\\]{0,4}[A-Za-z][A-Za-z-]{1,23}[ \t]+["'`]?([A-Za-z0-9._~+/=:-]{16,4096})/dgi,
  ],
  ['url_credentials', /:\/\/([A-Za-z0-9_-]{20,256}:[^\s/"'`<>@]{1,256})@(?=[\w[])/dg],
  ['url_credentials', /:\/\/[^\s:/?#@"'`<>[]{0,128}:([^\s/"'`<>]{1,256})@(?=[\w[])/dg],
  ['url_credentials', /:\/\/([A-Za-z0-9_.~-]{20,256})@(?=[\w[])/dg],
  // Go and others write an address without its scheme.
  [
    'url_credentials',
    /(?<![\w/:@.-])[\w.-]{1,40}:([^\s:@/"'`<>]{4,128})@(?:tcp\(|unix\(|localhost[:/]|[\w-]{1,60}(?:\.[\w-]{1,60}){1,6}[:/][\w/])/dg,
  ],
  ['cookie', /\b(?:set-)?cookie["'`\\]{0,4}[ \t]*[:=][ \t]*["'`\\]{0,4}([^\s"'`\\=;,]{1,128}=[^\r\n"'`\\]{1,4096})/dgi],
  [
    'cookie',
    /(?<![A-Za-z0-9])(?:[A-Za-z_-]{0,20}sess(?:ion)?(?:_?id)?|connect\.sid|jsessionid|phpsessid|asp\.net_sessionid|_gitlab_session|csrftoken|xsrf-token|remember_token)=([A-Za-z0-9%._~+/:-]{16,2048})/dgi,
  ],
];

// Secrets that are known by their own form, wherever they stand.
export function findShapes(text: string): Finding[] {
  const findings = findVendorTokens(text);
  for (const [kind, pattern] of IN_CONTEXT) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = firstGroup(match);
      if (isSecretInContext(kind, text.slice(start, end), match[0])) findings.push({ kind, start, end });
    }
  }
  return [...findings, ...findJsonKeys(text)];
}

// The private parts of a key in JSON, wherever they stand in its object.
function findJsonKeys(text: string): Finding[] {
  return [...text.matchAll(/"(?:d|k|p|q|dp|dq|qi)"\s{0,4}:\s{0,4}"([A-Za-z0-9_-]{20,2000})"/dg)].flatMap((match) => {
    const [start, end] = firstGroup(match);
    const before = text.slice(Math.max(0, start - 4_000), start);
    const after = text.slice(end, end + 4_000);
    const object = before.slice(before.lastIndexOf('{') + 1) + (after.split('}', 1)[0] ?? '');
    return object.includes('"kty"') ? [{ kind: 'private_key', start, end }] : [];
  });
}

export function findVendorTokens(text: string): Finding[] {
  const findings: Finding[] = [];
  const search = new RegExp(BEGINNING);
  for (let match = search.exec(text); match; match = search.exec(text)) {
    const found = tokenAt(text, match.index, match[0]);
    if (found) findings.push(found);
    search.lastIndex = found?.end ?? match.index + 1;
  }
  for (const match of text.matchAll(UNPREFIXED)) {
    const shape = UNPREFIXED_TOKENS[match.findIndex((group, index) => index > 0 && group !== undefined) - 1];
    if (shape && isLive(match[0]))
      findings.push({ kind: shape[0], start: match.index, end: match.index + match[0].length });
  }
  for (const { 0: token, 1: name = '', 2: run = '', index } of text.matchAll(ANY_VENDOR)) {
    const isRandom = isMixed(run) && /[0-9][^0-9]+[0-9]/.test(run) && entropyOf(run) >= 4;
    if (isRandom && isLive(token) && !NO_VENDOR.test(name))
      findings.push({ kind: 'token', start: index, end: index + token.length });
  }
  for (const { 0: token, index } of text.matchAll(ANY_HEX_VENDOR))
    if (isLive(token)) findings.push({ kind: 'token', start: index, end: index + token.length });
  return findings;
}

function tokenAt(text: string, start: number, beginning: string): Finding | null {
  for (const candidate of LONGEST_FIRST) {
    if (!beginning.startsWith(candidate)) continue;
    for (const { kind, rest } of RESTS.get(candidate) ?? []) {
      rest.lastIndex = start + candidate.length;
      const tail = rest.exec(text)?.[0];
      if (tail !== undefined && isLive(candidate + tail))
        return { kind, start, end: start + candidate.length + tail.length };
    }
  }
  return null;
}

// Keys that Stripe prints in its own handbook.
const HANDBOOK = ['4eC39HqLyjWDarjtT1zdp7dc', 'BQokikJOvBiI2HlWgH4olfQ2', '26PHem9AhJZvU623DfE1x4sd'].map(
  (key) => `sk_test_${key}`,
);

// Vendors print sample keys in their documentation; they say so, or repeat one character.
export function isLive(token: string): boolean {
  return (
    !/EXAMPLE|not-?a-?real|your[-_]/i.test(token) &&
    !/(.)\1{7}/.test(token.replace(/^A+/, '')) &&
    !/x{4}|\.{3}|1234567890abcdef|abcdefghijklmnop/i.test(token) &&
    !HANDBOOK.includes(token)
  );
}

function isSecretInContext(kind: string, value: string, whole: string): boolean {
  if (isPlaceholder(value)) return false;
  const hasBoth = /[0-9]/.test(value) && /[A-Za-z]/.test(value);
  switch (kind) {
    case 'bearer':
    case 'authorization':
    case 'webhook':
      return hasBoth && isLive(value);
    case 'signed_url':
      return hasBoth && isLive(value) && !/^[a-z]+(?:[-_][a-z0-9]+)+$/.test(value) && entropyOf(value) >= 3;
    case 'basic_auth':
      return holdsUserAndPassword(value);
    case 'url_credentials':
      if (value.length < 4 || /^[0-9]{1,5}[?#]/.test(value)) return false;
      if (!whole.includes('://')) return looksRandom(value) && !isTechnical(value);
      if (whole.startsWith(`://${value}@`) && value.includes(':')) return /[0-9]/.test(value.split(':')[0] ?? '');
      return whole.startsWith(`://${value}@`) ? /[0-9]/.test(value) : !whole.startsWith(`://${value}:${value}@`);
    case 'cookie':
      if (!value.includes('=') || /^[^=]*$/.test(value)) return hasBoth && isLive(value);
      return value.split(';').some((pair) => /^[^=\s]+=(?=\S*[0-9])(?=\S*[A-Za-z])[^\s[]{8,}/.test(pair.trim()));
    default:
      return true;
  }
}

// `Basic` is also an English word: only what decodes to `user:password` counts.
export function holdsUserAndPassword(base64: string): boolean {
  try {
    return /^[\x20-\x7e]{1,}:[\x20-\x7e]+$/.test(atob(base64));
  } catch {
    return false;
  }
}
