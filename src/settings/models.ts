import {
  type LocatedNode,
  oneOf,
  type Reader,
  readMap,
  refuse,
  type TreeProblem,
  text,
  wholeNumber,
} from './tree-reader.ts';

/** A model as the home's config.yaml names it. The key itself is never there: only the variable that holds it. */
export type ModelConfig = NonNullable<ReturnType<typeof readModel>>;

const NAME = /^[A-Za-z][A-Za-z0-9._-]{0,59}$/;
const TAKEN = ['extract', 'command'];
const KEY_VARIABLES = { anthropic: 'ANTHROPIC_API_KEY', openai: 'OPENAI_API_KEY', 'openai-compatible': null } as const;
const DEFAULT_TIMEOUT_SECONDS = 300;

// Whatever is there may be the key itself: it is not repeated.
const variable: Reader<string> = (node, problems) =>
  node.kind === 'scalar' && /^[A-Z][A-Z0-9_]{0,99}$/.test(String(node.value))
    ? String(node.value)
    : refuse(node, 'key_variable is not the name of a variable; the key goes there', problems);

const FIELDS = {
  provider: oneOf(['anthropic', 'openai', 'openai-compatible']),
  model: text((value) => (value.trim() !== '' && value.length <= 1_000 ? null : 'is not the name of a model')),
  base_url: text((value) => (ADDRESS.test(value) ? null : 'is not a plain http or https address')),
  key_variable: variable,
  timeout_seconds: wholeNumber(1, 3_600),
  /** What a step that asks it may use at most. */
  max_turns: wholeNumber(1, 1_000),
  max_context_tokens: wholeNumber(1, 10_000_000),
  max_output_tokens: wholeNumber(1, 1_000_000),
};

// `models:` of the home: a name, and under it provider, model and where it is.
export function readModels(node: LocatedNode): { models: ModelConfig[]; problems: TreeProblem[] } {
  const problems: TreeProblem[] = [];
  if (node.kind !== 'map') refuse(node, 'must be names with their settings under them', problems);
  const models = (node.kind === 'map' ? node.entries : []).flatMap(({ key, value, ...at }) => {
    if (!NAME.test(key)) refuse(at, 'a name is plain letters, digits, dots and dashes', problems);
    else if (TAKEN.includes(key)) refuse(at, `the name ${key} is taken`, problems);
    return readModel(key, value, problems) ?? [];
  });
  return { models, problems };
}

function readModel(name: string, node: LocatedNode, problems: TreeProblem[]) {
  const before = problems.length;
  const fields = readMap(node, FIELDS, problems);
  if (!fields || problems.length > before) return undefined;
  const {
    provider,
    model,
    base_url: baseUrl = null,
    timeout_seconds: timeoutSeconds = DEFAULT_TIMEOUT_SECONDS,
  } = fields;
  if (!provider) return refuse(node, 'needs a provider: anthropic, openai, openai-compatible', problems);
  if (!model) return refuse(node, 'needs a model: the name the provider knows it by', problems);
  if (provider === 'openai-compatible' && baseUrl === null) return refuse(node, 'needs a base_url', problems);
  const keyVariable = fields.key_variable ?? (baseUrl === null ? KEY_VARIABLES[provider] : null);
  const { scheme, host = '' } = ADDRESS.exec(baseUrl ?? '')?.groups ?? {};
  // A key goes over no line that others can read along.
  if (scheme === 'http' && keyVariable !== null && !LOOPBACK.test(host))
    return refuse(node, 'would send a key without encryption: use https in base_url', problems);
  const limits = { turns: fields.max_turns, context: fields.max_context_tokens, output: fields.max_output_tokens };
  return { name, provider, model, baseUrl, keyVariable, timeoutSeconds, limits };
}

const ADDRESS = /^(?<scheme>https?):\/\/(?<host>\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+)(?::\d{1,5})?(?:\/[^\s?#@]*)?$/;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;
