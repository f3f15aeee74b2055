import { isLive } from '../safety/secret-shapes.ts';
import { type Finding, findSecrets, mergeFindings } from '../safety/secrets.ts';

type Data = Record<string, unknown>;
// The part of secretlint's rule interface that a text in memory needs.
type Rule = {
  meta: { id: string };
  create(context: RuleContext, options: object): { file?(source: object): unknown };
};
type RuleContext = {
  sharedOptions: object;
  createTranslator(): (messageId: string, data?: Data) => { data: Data };
  report(report: { message: { data: Data }; range: readonly [number, number] }): void;
};

const PREFIX = '@secretlint/secretlint-rule-';
const LEFT_OUT = new Set([
  // Lets a text switch the other rules off by a comment, which a hostile text would do.
  `${PREFIX}filter-comments`,
  // These mark whole addresses, samples included; our own rule marks the password alone.
  `${PREFIX}basicauth`,
  `${PREFIX}database-connection-string`,
]);

const MAX_SAMPLE = 256;

// The rules run without @secretlint/core: its profiler keeps every call for ever and makes each one slower.
export function createSecretScanner(ownRules = findSecrets): (text: string) => Promise<Finding[]> {
  let loading: Promise<Rule[]> | undefined;
  return async (text) => {
    try {
      loading ??= loadRules();
      return mergeFindings(ownRules(text), await lint(text, await loading));
    } catch {
      // The cause may quote the text, so it stays here; callers drop the text.
      throw new Error('the secret scanner failed');
    }
  };
}

async function loadRules(): Promise<Rule[]> {
  const { rules } = await import('@secretlint/secretlint-rule-preset-recommend');
  const kept = (rules as unknown as Rule[]).filter((rule) => !LEFT_OUT.has(rule.meta.id));
  if (kept.length === 0) throw new Error('no rules');
  return kept;
}

async function lint(text: string, rules: Rule[]): Promise<Finding[]> {
  const findings: Finding[] = [];
  const source = { content: text, filePath: 'text', ext: '', contentType: 'text', hasBOM: false };
  for (const rule of rules) {
    const kind = kindOf(rule.meta.id);
    const context: RuleContext = {
      sharedOptions: {},
      createTranslator:
        () =>
        (_messageId, data = {}) => ({ data }),
      report: ({ message, range }) => findings.push({ kind, ...placeOf(text, message.data, range) }),
    };
    await rule.create(context, {}).file?.(source);
  }
  // Samples of a vendor's documentation; a private key is too long to judge by that.
  return findings.filter(({ start, end }) => end - start > MAX_SAMPLE || isLive(text.slice(start, end)));
}

// Some rules report the place of the name with the length of the value; the value itself is in the message data.
function placeOf(text: string, data: Data, [start, end]: readonly [number, number]): { start: number; end: number } {
  for (const value of Object.values(data)) {
    const at = typeof value === 'string' && value.length >= 8 ? text.slice(start, end + 4096).indexOf(value) : -1;
    if (at >= 0 && start + at < end) return { start: start + at, end: start + at + String(value).length };
  }
  return { start, end };
}

const KINDS: Record<string, string> = {
  anthropic: 'anthropic_key',
  aws: 'aws_key',
  gcp: 'google_key',
  groq: 'groq_key',
  linear: 'linear_key',
  openai: 'openai_key',
  privatekey: 'private_key',
  sendgrid: 'sendgrid_key',
};

function kindOf(ruleId: string): string {
  const name = ruleId.slice(PREFIX.length);
  return KINDS[name] ?? `${name.replaceAll('-', '_')}_token`;
}
