import { isPlaceholder } from './benign-value.ts';
import type { Finding } from './finding.ts';

// A token may follow a letter where that letter belongs to an escape: `\n` in JSON, `%3D` in a URL.
const START = '(?:(?<![A-Za-z0-9_])|(?<=\\\\[nrtbf])|(?<=%[0-9A-Fa-f]{2}))';
// Most tokens are as long as their service makes them; a cut one is still worth hiding, so lower bounds are loose.
const SHAPES: [kind: string, pattern: string][] = [
  ['aws_key_id', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])'],
  ['github_token', 'gh[pousr]_[A-Za-z0-9]{30,255}'],
  ['github_token', 'github_pat_[A-Za-z0-9_]{40,255}'],
  ['gitlab_token', 'gl(?:pat|dt|rt|cbt|ptt|ft|soat)-[A-Za-z0-9_-]{20,128}'],
  ['slack_token', '(?:xox[abceoprs]|xapp)-[A-Za-z0-9-]{10,250}'],
  ['stripe_key', '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,250}'],
  ['stripe_key', 'whsec_[A-Za-z0-9+/=]{24,100}'],
  ['google_api_key', 'AIza[A-Za-z0-9_-]{35}'],
  ['google_token', 'ya29\\.[A-Za-z0-9_-]{20,500}'],
  ['google_token', 'GOCSPX-[A-Za-z0-9_-]{20,40}'],
  ['anthropic_key', 'sk-ant-[a-z0-9]{2,12}-[A-Za-z0-9_-]{20,200}'],
  ['openai_key', 'sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,250}'],
  ['openai_key', 'sk-[A-Za-z0-9]{32,100}'],
  ['openrouter_key', 'sk-or-v1-[0-9a-f]{40,80}'],
  ['npm_token', 'npm_[A-Za-z0-9]{30,60}'],
  ['pypi_token', 'pypi-[A-Za-z0-9_-]{40,250}'],
  ['huggingface_token', 'hf_[A-Za-z0-9]{30,50}'],
  ['sendgrid_key', 'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,80}'],
  ['twilio_key', 'SK[0-9a-f]{32}(?![0-9A-Za-z])'],
  ['mailgun_key', 'key-[0-9a-f]{32}(?![0-9A-Za-z])'],
  ['mailchimp_key', '[0-9a-f]{32}-us[0-9]{1,2}(?![0-9A-Za-z])'],
  ['digitalocean_token', 'do[opr]_v1_[0-9a-f]{40,64}'],
  ['shopify_token', 'shp(?:at|ca|pa|ss)_[0-9a-fA-F]{30,64}'],
  ['telegram_token', '[0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])'],
  ['discord_token', '[MNO][A-Za-z0-9_-]{23,25}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}'],
  ['databricks_token', 'dapi[0-9a-f]{32}'],
  ['vault_token', 'hv[sbr]\\.[A-Za-z0-9_-]{24,300}'],
  ['docker_token', 'dckr_pat_[A-Za-z0-9_-]{20,40}'],
  ['linear_key', 'lin_api_[A-Za-z0-9]{30,128}'],
  ['notion_token', 'ntn_[0-9]{8,12}[A-Za-z0-9]{30,40}'],
  ['figma_token', 'figd_[A-Za-z0-9_-]{30,200}'],
  ['groq_key', 'gsk_[A-Za-z0-9]{40,60}'],
  ['xai_key', 'xai-[A-Za-z0-9]{60,100}'],
  ['replicate_token', 'r8_[A-Za-z0-9]{30,50}'],
  ['atlassian_token', 'ATATT3[A-Za-z0-9_=-]{40,250}'],
  ['postman_key', 'PMAK-[0-9a-f]{24}-[0-9a-f]{30,40}'],
  ['newrelic_key', 'NRAK-[A-Z0-9]{24,32}'],
  ['sentry_token', 'sntrys_[A-Za-z0-9+/=_-]{40,300}'],
  ['grafana_token', 'gl(?:c|sa)_[A-Za-z0-9+/=_]{32,400}'],
  ['supabase_token', 'sbp_[0-9a-f]{36,48}'],
  ['age_key', 'AGE-SECRET-KEY-1[A-Z0-9]{40,60}'],
  ['azure_key', '[A-Za-z0-9_~.]{3}8Q~[A-Za-z0-9_~.-]{31,34}'],
  ['jwt', 'eyJ[A-Za-z0-9_-]{10,4000}\\.[A-Za-z0-9_-]{10,8000}(?:\\.[A-Za-z0-9_-]{0,4000}){0,3}'],
];

// The value is group 1; what stands before it only names it.
const IN_CONTEXT: [kind: string, pattern: RegExp][] = [
  ['slack_webhook', /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9/_-]{20,200})/dg],
  ['discord_webhook', /discord(?:app)?\.com\/api\/webhooks\/([0-9]{10,25}\/[A-Za-z0-9_-]{30,100})/dg],
  ['azure_key', /(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,100}={0,2})/dgi],
  ['signed_url', /[?&](?:sig|X-Amz-Signature|X-Goog-Signature)=([A-Za-z0-9%+/=_-]{32,600})/dgi],
  ['bearer', /\bbearer[ \t]+([A-Za-z0-9._~+/-]{12,4096}={0,2})/dgi],
  ['basic_auth', /\bbasic[ \t]+([A-Za-z0-9+/]{6,512}={0,2})/dgi],
  ['basic_auth', /\bcurl\b[^\n]{0,200}?[ \t](?:-u|--user)[ \t=]*["']?[^\s:"']{1,64}:([^\s"']{3,128})/dg],
  ['url_credentials', /:\/\/[^\s:/?#@"'`<>[]{0,128}:([^\s/"'`<>]{1,256})@(?=[\w[])/dg],
  ['url_credentials', /:\/\/([A-Za-z0-9_-]{20,256})@(?=[\w[])/dg],
  ['cookie', /\b(?:set-)?cookie["'`\\]{0,4}[ \t]*[:=][ \t]*["'`\\]{0,4}([^\s"'`\\=;,]{1,128}=[^\r\n"'`\\]{1,4096})/dgi],
];

// Groups let one pass over the text try every shape.
const ANY_SHAPE = new RegExp(`${START}(?:${SHAPES.map(([, pattern]) => `(${pattern})`).join('|')})`, 'g');

// Secrets that are known by their own form, wherever they stand.
export function findShapes(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const match of text.matchAll(ANY_SHAPE)) {
    const shape = SHAPES[match.findIndex((group, index) => index > 0 && group !== undefined) - 1];
    if (shape && isLive(match[0])) {
      findings.push({ kind: shape[0], start: match.index, end: match.index + match[0].length });
    }
  }
  for (const [kind, pattern] of IN_CONTEXT) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.[1] ?? [0, 0];
      if (isSecretInContext(kind, text.slice(start, end), match[0])) findings.push({ kind, start, end });
    }
  }
  return findings;
}

// Vendors print sample keys in their documentation; they say so, or repeat one character.
function isLive(token: string): boolean {
  return !/EXAMPLE/i.test(token) && !/(.)\1{7}/.test(token) && !/x{4}|\.{3}|1234567890abcdef/i.test(token);
}

function isSecretInContext(kind: string, value: string, whole: string): boolean {
  if (isPlaceholder(value)) return false;
  switch (kind) {
    case 'bearer':
      return /[0-9]/.test(value) && /[A-Za-z]/.test(value) && isLive(value);
    case 'basic_auth':
      return /^curl/.test(whole) || holdsUserAndPassword(value);
    case 'url_credentials':
      if (value.length < 4 || /^[0-9]{1,5}[?#]/.test(value)) return false;
      return whole.startsWith(`://${value}@`) ? /[0-9]/.test(value) : !whole.startsWith(`://${value}:${value}@`);
    case 'cookie':
      return value.split(';').some((pair) => /^[^=\s]+=(?=\S*[0-9])(?=\S*[A-Za-z])[^\s[]{8,}/.test(pair.trim()));
    default:
      return true;
  }
}

// `Basic` is also an English word: only what decodes to `user:password` counts.
function holdsUserAndPassword(base64: string): boolean {
  try {
    return /^[\x20-\x7e]{1,}:[\x20-\x7e]+$/.test(atob(base64));
  } catch {
    return false;
  }
}
