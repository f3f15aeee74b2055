import {
  type Certainty,
  certain,
  decoded,
  entropyOf,
  type Finding,
  firstGroup,
  isMixed,
  isPlaceholder,
  isScrambled,
  isStrong,
  unescaped,
} from './secret-literals.ts';
import { holdsUserAndPassword } from './secret-names.ts';
import { BY_BEGINNING, UNPREFIXED } from './vendor-tokens.ts';

const RANDOM = (value: string) =>
  isLive(value) && /[0-9]/.test(value) && /[A-Za-z]/.test(value) && entropyOf(value) >= 3 && !isPlaceholder(value);
const isNoPlaceholder = (value: string) => !isPlaceholder(value);

// Places that hold nothing but a secret: who judges it, and where it may be. The value is group 1; what comes before only names it.
const IN_CONTEXT: [kind: string, judge: (value: string, match: string) => Certainty | boolean, ...places: RegExp[]][] =
  [
    [
      'aws_key',
      RANDOM,
      /(?:AKIA|ASIA)[A-Z0-9]{16}[^A-Za-z0-9]{1,4}(?:[A-Za-z_ ]{0,40}[^A-Za-z0-9+/]{1,4}){0,2}([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/dg,
    ],
    [
      'twilio_key',
      RANDOM,
      /(?<![A-Za-z0-9])AC[0-9a-f]{32}["']?[^A-Za-z0-9]{1,4}(?:\w{0,40}[^A-Za-z0-9]{1,4})?([0-9a-f]{32})(?![0-9a-f])/dg,
    ],
    ['wallet_key', RANDOM, /["'`]((?:0x)?[0-9a-f]{64})["'`](?<=\baccounts["']?\s{0,4}[:=]\s{0,4}\[[^\]]{0,2000})/dgi],
    [
      'wallet_key',
      isWalletPhrase,
      /(?:mnemonic|(?:seed|recovery)[_ -]?phrase)["'\]]{0,2}[ \t]{0,8}[:=][ \t]{0,8}["'`]?((?:[a-z]{3,8} ){11,23}[a-z]{3,8})(?![\w ])/dgi,
    ],
    [
      'webhook',
      RANDOM,
      /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9/_-]{20,200})/dg,
      /discord(?:app)?\.com\/api\/(?:v[0-9]{1,2}\/)?webhooks\/([0-9]{10,25}\/[A-Za-z0-9_-]{30,100})/dg,
      /(?:webhook\.office(?:365)?\.com\/webhookb2|outlook\.office(?:365)?\.com\/webhook|hooks\.zapier\.com\/hooks\/catch)\/([A-Za-z0-9@/_-]{16,300})/dg,
    ],
    [
      'azure_key',
      RANDOM,
      /(?:AccountKey|SharedAccessKey|SharedSecretValue)=([A-Za-z0-9+/]{40,100}={0,2})/dgi,
      /\b(?:\w{0,40}_)?key["']?[ \t]{0,8}[:=][ \t]{0,8}["']?([A-Za-z0-9+/]{86}==)/dgi,
    ],
    [
      'signed_url',
      RANDOM,
      /[?&](?:sig|signature|X-Amz-Signature|X-Goog-Signature|X-Amz-Security-Token)=([A-Za-z0-9%+/=_~-]{32,1200})/dgi,
    ],
    ['wifi_password', isNoPlaceholder, /\bWIFI:[^\n]{0,100}?(?<=[:;])P:((?:[^;\\\n]|\\.){4,64});/dg],
    // Files of frameworks and tools, where the place says what it is.
    [
      'secret',
      (value) => RANDOM(value) && entropyOf(value) >= 3.5,
      /\bsecret[_.-]?key(?:[_.-]?base)?["'\]]{0,2}[ \t]{0,8}[:=]{1,2}>?[ \t]{0,8}[bru]?["']([^"'\s]{20,128})["']/dgi,
    ],
    [
      'secret',
      (value) => entropyOf(value) >= 4,
      /\bdefine\([ \t]{0,4}["'](?:(?:SECURE_)?AUTH|LOGGED_IN|NONCE)_(?:KEY|SALT)["'],[ \t]{0,8}["']([^"'\n]{40,128})["']/dg,
    ],
    [
      'token',
      RANDOM,
      /\bsonar\.(?:login|token)[ \t]{0,4}=[ \t]{0,4}["']?(\w{20,80})/dg,
      /\bvault[ \t]{1,4}login[ \t](?:[^\n]{0,80}[ \t])?((?:hv)?s\.[\w-]{20,200})/dg,
      /(?<![\w.$)\]])(s\.(?=[A-Za-z]{0,22}[0-9])[A-Za-z0-9]{24})(?![\w.(])/dg,
      /\bcrypt["']?\s{0,4}(?:=>|:)\s{0,4}[[{]\s{0,40}["']key["']\s{0,4}(?:=>|:)\s{0,4}["']([0-9a-f]{32,64})["']/dg,
      /"key"\s{0,4}:\s{0,4}"value"\s{0,4},\s{0,40}"value"\s{0,4}:\s{0,4}"([\w.+/=-]{20,2000})"/dg,
      /\bsess(?:ion)?(?:_?id)?["']?:[ \t]{1,4}["']?([0-9a-f]{32,128})(?![\w-])/dgi,
    ],
    ['npm_token', RANDOM, /:_authToken[= \t]{1,4}([\w-]{20,200})/dg],
    [
      'password',
      isPassword,
      /^[ \t]{0,8}user[ \t]{1,4}\S{1,60}[ \t][^\n]{0,200}?(?<=[ \t])>(\S{6,200})/dgm,
      /^[ \t]{0,8}sentinel[ \t]{1,4}auth-pass[ \t]{1,4}\S{1,80}[ \t]{1,4}(\S{6,200})/dgm,
      /"(?![^"]{0,30}(?:0123|1234|abcd|uvwx))([^"\s\\]{6,200})"\.toCharArray\(\)/dgi,
      /\bmachine\s{1,8}\S{1,200}\s{1,8}login\s{1,8}\S{1,200}\s{1,8}password\s{1,8}(\S{6,200})/dg,
      /^[\w.*-]{1,200}:5432:[\w*-]{1,60}:[\w.*-]{1,60}:(\S{6,200})$/dgm,
      /\bcurl\b[^\n]{0,300}?[ \t](?:-u|--user)[ =]{0,2}["']?[^\s:"'$]{1,60}:(?!\$)([^\s"']{6,200})/dg,
      /\bIDENTIFIED(?:[ \t]+WITH[ \t]+["'`]?\w{1,60}["'`]?)?[ \t]+(?:BY|AS)[ \t]+["']([^"'\n]{6,200})["']/dgi,
      /\bConvertTo-SecureString[ \t]{1,4}(?:-\w{1,20}[ \t]{1,4}){0,3}["']?([^\s"']{6,200})/dgi,
      // user:password, in lines that are about nothing else.
      /(?=\|)(?<=[\w.-]:([^\s"'|]{6,200})["']?[ \t]{0,4})\|[ \t]{0,4}(?:sudo[ \t]{1,4})?chpasswd/dg,
      /\bchpasswd:[\s\S]{0,60}?\|\s{1,20}[\w.-]{1,40}:(\S{6,200})/dg,
      /(?=[ \t])(?<=[ \t]auth|^\[?[\w.-]{1,80}\]?:(?:25|465|587|2525))[ \t]{1,8}[\w.@+-]{1,80}:(\S{6,200})$/dgm,
      /\w_AUTH["']?[=:][ \t]{0,4}["']?\w{1,40}[/:]([^\s"']{6,200})/dg,
      /\b(?:echo|printf|print)[ \t]{1,4}(?:-\w{1,2}[ \t]{1,4})?["']?([^\s"'|\\]{6,200})(?:\\n)?["']?[ \t]{0,4}\|[^\n|]{0,80}?(?:\bsudo\b[^\n|]{0,20}-\w{0,4}S|stdin|passwd|passphrase|login|cryptsetup)/dg,
      /(?:assword|assphrase)[^\n]{0,40}\n[ \t]{0,20}(?:exp_)?send[^\n"]{0,20}"([^"\\\n]{6,200})(?:\\[rn])?"/dg,
    ],
    [
      'password',
      isStrong,
      /"random_password"[\s\S]{0,2000}?"result"\s{0,4}:\s{0,4}"([^"\n]{6,200})"/dg,
      /^"[\w-]{1,60}"[ \t]{1,4}"([^"\n]{8,200})"$/dgm,
      /^[^\s#]{1,80}[ \t]{1,8}\S{1,80}[ \t]{1,8}["']?([^\s"']{8,200})["']?[ \t]{1,8}\*$/dgm,
    ],
    [
      'basic_auth',
      holdsUserAndPassword,
      /\b_?auth["']?[ \t]{0,8}[:=][ \t]{0,8}["']?([A-Za-z0-9+/]{8,512}={0,2})(?![\w+/=])/dg,
      /\bbasic[ \t]+([A-Za-z0-9+/]{8,512}={0,2})/dgi,
    ],
    ['bearer', RANDOM, /\bbearer[ \t]+([A-Za-z0-9._~+/-]{20,4096}={0,2})/dgi],
    [
      'authorization',
      RANDOM,
      /\b(?:proxy-)?authorization["'`\\]{0,4}[ \t]*[:=][ \t]*["'`\\]{0,4}(?!basic)[A-Za-z][A-Za-z-]{1,23}[ \t]+([A-Za-z0-9._~+/=:-]{20,4096})/dgi,
    ],
    [
      'url_credentials',
      judgeCredentials,
      /:\/\/([^\s:/?#@"'`<>[\]{}]{0,128}:[^\s/?#"'`<>]{1,256})@(?=([\w.-]+))/dg,
      /(?<![\w/:@.-])([\w.-]{1,40}:[^\s:@/"'`<>]{4,128})@(?=((?:tcp|unix)\())/dg,
    ],
    ['url_credentials', RANDOM, /:\/\/([A-Za-z0-9_~-]{20,256})@(?=[\w[])/dg],
    [
      'cookie',
      RANDOM,
      /(?<![A-Za-z0-9])(?:[A-Za-z_-]{0,20}sess(?:ion)?(?:_?id)?|connect\.sid|sid|remember_token)=([A-Za-z0-9%._~+/:-]{24,2048})/dgi,
    ],
  ];

// Short words without those that every sentence has: no word of a wallet is an article. `test test test …` opens nobody's.
function isWalletPhrase(value: string): boolean {
  const words = value.split(' ');
  const isSentence = /\b(?:the|and|for|with|from|has|are|your|not|its|was|which|must|should)\b/.test(value);
  return words.length % 3 === 0 && new Set(words).size >= 6 && !isSentence;
}

function isPassword(value: string): boolean {
  return /\p{L}/u.test(value) && (/[0-9!@#%^&*+~]/.test(value) || isScrambled(value)) && !isPlaceholder(value);
}

// Hosts that handbooks and tests use; what opens them opens nothing (RFC 2606, RFC 6761).
const NOBODYS_HOST =
  /^(?:localhost|127\.|0\.0\.0\.0|(?:.*\.)?(?:example\.\w+|test|invalid|local(?:host)?|domain\.\w+)$|(?:host|proxy|server|domain|name|foo|bar|abc|xyz|example)(?:\.(?:com|org|net|tld))?$)/i;

function judgeCredentials(value: string, match: string): Certainty | false {
  const user = value.slice(0, value.indexOf(':'));
  const password = unescaped(value.slice(user.length + 1));
  const host = match.slice(match.indexOf('@') + 1);
  if (password.length < 4 || isPlaceholder(password) || password === user || /^[0-9]{1,5}[?#]|[\\$(){}]/.test(password))
    return false;
  // Behind a tunnel this machine is another one: there a password that a machine made opens something.
  const isTunnel = /^(?:localhost|127\.)/i.test(host) && password.length >= 12 && isMixed(password);
  if (NOBODYS_HOST.test(host) && !(isTunnel && isScrambled(password))) return false;
  const isMade = password.length >= 6 && /\p{L}/u.test(password) && /[0-9!@#$%^&*+~]/.test(password);
  return isMade || isScrambled(password) ? 'certain' : 'possible';
}

// Secrets that are known by their own form, wherever they are.
export function findShapes(text: string): Finding[] {
  const findings = findVendorTokens(text);
  for (const [kind, judge, ...places] of IN_CONTEXT)
    for (const match of places.flatMap((place) => [...text.matchAll(place)])) {
      let [start, end] = firstGroup(match);
      const judged = judge(text.slice(start, end), match[0] + (match[2] ?? ''));
      // A user that looks like a key is one.
      const [user = '', ...rest] = kind === 'url_credentials' ? text.slice(start, end).split(':') : [];
      if (rest.length > 0 && !(user.length >= 20 && RANDOM(user))) start += user.length + 1;
      if (judged) findings.push({ kind, start, end, certainty: judged === true ? 'certain' : judged });
    }
  return [...findings, ...findJsonKeys(text), ...findSecretBlocks(text)];
}

// The private parts of a key in JSON, wherever they are in its object.
function findJsonKeys(text: string): Finding[] {
  return [...text.matchAll(/"(?:d|k|p|q|dp|dq|qi)"\s{0,4}:\s{0,4}"([A-Za-z0-9_-]{20,2000})"/dg)].flatMap((match) => {
    const [start, end] = firstGroup(match);
    const before = text.slice(Math.max(0, start - 4_000), start);
    const after = text.slice(end, end + 4_000);
    const object = before.slice(before.lastIndexOf('{') + 1) + (after.split('}', 1)[0] ?? '');
    return object.includes('"kty"') ? [certain('private_key', start, end)] : [];
  });
}

// Everything in a Secret of Kubernetes, or under `secrets:`, is one, whatever its name; what is plainly none (a user, a host) stays.
function findSecretBlocks(text: string): Finding[] {
  const isCluster = /\bkind["']?:[ \t]{0,4}["']?Secret\b/.test(text);
  const findings: Finding[] = [];
  for (const block of text.matchAll(
    /^([ \t]{0,20})["']?(stringData|data|secrets|credentials)["']?:[ \t]*\r?\n((?:\1[ \t]{1,20}\S.*\r?\n?)+)/gm,
  )) {
    const [whole, , name = '', lines = ''] = block;
    if (!isCluster && /ata$/.test(name)) continue;
    const from = block.index + whole.length - lines.length;
    for (const match of lines.matchAll(/^[ \t]*["']?[\w.-]+["']?:[ \t]+["']?([^\s"'|>]{6,4096})["']?[ \t]*\r?$/dgm)) {
      const [start, end] = firstGroup(match);
      const value = (match[1] ?? '').slice(0, 500);
      // Also a file of settings with what opens a registry in it.
      if (isStrong(decoded(value)) || /^\s*\{\s*"/.test(decoded(value)))
        findings.push(certain('secret', from + start, from + end));
    }
  }
  return findings;
}

// A token may follow a letter where that letter belongs to an escape: `\n` in JSON, `%3D` in a URL.
const START = '(?:(?<![A-Za-z0-9_])|(?<=\\\\[nrtbf])|(?<=%[0-9A-Fa-f]{2}))';
const literal = (text: string) => text.replace(/[$.{}()+*?|^[\]\\/]/g, '\\$&');

let search: { kinds: string[]; pattern: RegExp } | undefined;

/** One search for all of them: a group for each kind, with what follows the beginning. Every hook loads this, and most scan nothing. */
function tokenSearch(): { kinds: string[]; pattern: RegExp } {
  if (search) return search;
  const forms = UNPREFIXED.map(([rest, kind]) => ({ kind, source: `(${rest})` }));
  for (const [rest, ...services] of BY_BEGINNING)
    for (const service of services.join(' | ').split(' | ')) {
      const [kind = '', ...beginnings] = service.split(' ');
      forms.push({ kind, source: `(?:${beginnings.map(literal).join('|')})(${rest})` });
    }
  const pattern = new RegExp(`${START}(?:${forms.map(({ source }) => source).join('|')})`, 'g');
  search = { kinds: forms.map(({ kind }) => kind), pattern };
  return search;
}

export function findVendorTokens(text: string): Finding[] {
  const findings: Finding[] = [];
  const { kinds, pattern } = tokenSearch();
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const group = match.findIndex((rest, index) => index > 0 && rest !== undefined);
    const rest = match[group] ?? '';
    const end = match.index + match[0].length;
    const isRandom = rest.length < 20 || /[0-9]/.test(rest) || isScrambled(rest.replace(/-/g, ''));
    if (isRandom && isLive(match[0])) findings.push(certain(kinds[group - 1] ?? '', match.index, end));
    else pattern.lastIndex = match.index + 1;
  }
  return findings;
}

// Keys that Stripe prints in its own handbook.
const HANDBOOK = ['4eC39HqLyjWDarjtT1zdp7dc', 'BQokikJOvBiI2HlWgH4olfQ2', '26PHem9AhJZvU623DfE1x4sd'].map(
  (key) => `sk_test_${key}`,
);

// Vendors print sample keys in their documentation; they say so, or repeat one character.
function isLive(token: string): boolean {
  return (
    !/EXAMPLE|not-?a-?real|your[-_]/i.test(token) &&
    !/(.)\1{7}/.test(token.replace(/^A+/, '')) &&
    !/x{4}|\.{3}|1234567890abcdef|abcdefghijklmnop/i.test(token) &&
    !HANDBOOK.includes(token)
  );
}
