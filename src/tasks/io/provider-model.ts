import { setTimeout as pause } from 'node:timers/promises';
import type { LanguageModelV3, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import type { Variables } from '../../files/run-program.ts';
import { isRecord, parseJson, parseRecord } from '../../json.ts';
import type { ModelConfig } from '../../settings/models.ts';
import { badInput, exhausted, failure, halted, TaskFailure } from '../results.ts';
import type { Model, ModelAnswer, ModelRequest } from '../steps.ts';
import { outsideText } from '../text.ts';

const ATTEMPTS = 5;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;

// A model behind HTTP: asked again when it is busy or the line breaks, never for what it says. Keys come from the variables and
// nowhere else.
export function providerModel(config: ModelConfig, variables: Variables): Model {
  let made: { key: string | null; model: Promise<LanguageModelV3> } | null = null;
  const modelWith = (key: string | null): Promise<LanguageModelV3> => {
    if (made?.key !== key || !made) made = { key, model: languageModel(config, key) };
    return made.model;
  };
  return {
    name: config.name,
    isStructured: true,
    async call(request) {
      const key = keyOf(config, variables);
      // Not AbortSignal.timeout: that would hold on to each call until its time is up, long after its answer.
      const tooLate = new AbortController();
      const clock = setTimeout(() => tooLate.abort(), config.timeoutSeconds * 1000);
      const signal = AbortSignal.any([request.signal, tooLate.signal]);
      try {
        for (let attempt = 1; ; attempt += 1) {
          try {
            return await askProvider(config, request, { model: await modelWith(key), signal, key });
          } catch (error) {
            if (request.signal.aborted) throw halted();
            if (tooLate.signal.aborted)
              throw failure(
                'execution_timeout',
                `The model "${config.name}" took longer than ${config.timeoutSeconds} s.`,
                'Ask for less, or raise its timeout_seconds.',
              );
            if (error instanceof TaskFailure) throw error;
            const why = await explain(error, config, key);
            if (!why.again || attempt === ATTEMPTS || why.waitMs > LONGEST_WAIT_MS) throw why.failure;
            // Where it is cut short the next question ends at once, and says why.
            await pause(why.waitMs || FIRST_WAIT_MS * 2 ** (attempt - 1), undefined, { signal }).catch(() => {});
          }
        }
      } finally {
        clearTimeout(clock);
      }
    },
  };
}

function keyOf({ name, keyVariable }: ModelConfig, variables: Variables): string | null {
  if (keyVariable === null) return null;
  const key = variables[keyVariable]?.trim();
  if (key) return key;
  throw badInput(
    `The model "${name}" needs its key in the variable ${keyVariable}, which is not set.`,
    `Set it in the shell, not in a file: export ${keyVariable}=…`,
  );
}

// `{"answer": …, "notes": "…"}` as it was asked for; anything else is judged as it is.
function unwrapped(text: string): string {
  const value = parseJson(text);
  if (!isRecord(value) || value.answer === undefined) return text;
  const notes = typeof value.notes === 'string' ? value.notes.replaceAll(/<\/?notes>/g, '') : '';
  return `${JSON.stringify(value.answer)}\n<notes>${notes}</notes>`;
}

// What a provider says may hold what it was sent: on one line, short, and without the key and other secrets.
function itSaid(text: string, key: string | null): string {
  const said = outsideText(key ? text.replaceAll(key, '[key]') : text);
  return said === '' ? '' : ` It said: ${said}`;
}

// Every provider has `error.message`, and those that don't keep to it one of the others; what else comes is a page of some proxy.
function messageIn(body: string): string {
  const value = parseRecord(body) ?? {};
  const error = isRecord(value.error) ? value.error : value;
  const said = [error.message, value.error, value.detail].find((each) => typeof each === 'string');
  return typeof said === 'string' ? said : '';
}

// In our own words, then in the provider's.
async function explain(error: unknown, { name, model, keyVariable, baseUrl }: ModelConfig, key: string | null) {
  const { APICallError } = await import('@ai-sdk/provider');
  const answered = APICallError.isInstance(error) ? error : null;
  const status = answered?.statusCode ?? 0;
  const again = status < 400 || status >= 500 || [408, 409, 429].includes(status);
  const broken = status > 0 || error instanceof AnswerCut ? 'broke off its answer, or it could not be read' : null;
  const away = broken ?? `can't be reached${baseUrl === null ? '' : ` at ${baseUrl}`}`;
  const what = status === 401 || status === 403 ? 'refused the key' : `answered with an error (${status})`;
  const said = status >= 400 ? itSaid(messageIn(answered?.responseBody ?? ''), key) : '';
  // In seconds, as everybody sends it; a date is not waited for.
  const seconds = Number(answered?.responseHeaders?.['retry-after']);
  return {
    failure: failure(
      'unexpected_error',
      `The provider of "${name}" ${status >= 400 ? what : away}.${said}`,
      again
        ? 'Resume the run later, or when it answers.'
        : `Check model (${model}), base_url and the variable ${keyVariable ?? 'of the key'}.`,
    ),
    // Zero: the caller's own pause.
    waitMs: seconds > 0 ? seconds * 1000 : 0,
    again,
  };
}

/** The stream ended before the answer did, or held something that is no answer. */
class AnswerCut extends Error {}

const ADDRESSES: Readonly<Record<ModelConfig['provider'], string>> = {
  anthropic: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  'openai-compatible': '',
};
// Past so many characters per allowed token a server no longer keeps to the limit it was given.
const MAX_CHARS_PER_TOKEN = 64;

type ResponseFormat = NonNullable<Parameters<LanguageModelV3['doStream']>[0]['responseFormat']>;

// One question, one streamed answer.
async function askProvider(
  { name }: ModelConfig,
  request: ModelRequest,
  { model, signal, key }: { model: LanguageModelV3; signal: AbortSignal; key: string | null },
): Promise<ModelAnswer> {
  const { prompt, maxOutputTokens, outputFormat } = request;
  const { stream } = await model.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: prompt }] }],
    maxOutputTokens,
    abortSignal: signal,
    headers: { 'Idempotency-Key': request.key },
    providerOptions: { openai: { strictJsonSchema: false, store: false }, [name]: { strictJsonSchema: false } },
    responseFormat: formatOf(request),
  });
  let said = '';
  let end: Extract<LanguageModelV3StreamPart, { type: 'finish' }> | null = null;
  // Leaving the loop early cancels the stream, and with it the request.
  for await (const part of stream) {
    if (part.type === 'text-delta') {
      said += part.delta;
      if (said.length > maxOutputTokens * MAX_CHARS_PER_TOKEN)
        throw exhausted('output', Math.ceil(said.length / 4), maxOutputTokens);
    } else if (part.type === 'error') throw known(part.error);
    else if (part.type === 'finish') end = part;
  }
  const { unified, raw } = end?.finishReason ?? {};
  // A stream that simply ends has no reason of its own.
  if (!end || (raw === undefined && unified === 'other')) throw new AnswerCut();
  const [input, output] = [end.usage.inputTokens.total, end.usage.outputTokens.total];
  if (unified === 'length') throw exhausted('output', output ?? maxOutputTokens, maxOutputTokens);
  if (unified === 'content-filter')
    throw failure('unexpected_error', `The provider of "${name}" withheld the answer.`, 'Ask it in another way.');
  // A server that repeats the key it was sent must not bring it into files and terminals.
  const text = key ? said.replaceAll(key, '[key]') : said;
  if (text.trim() === '') throw failure('unexpected_error', `The model "${name}" gave an empty answer.`, 'Try again.');
  const content = outputFormat.type === 'json' ? unwrapped(text) : text;
  return { content, ...(input !== undefined && output !== undefined ? { usage: { input, output } } : {}) };
}

// The answer and its notes in one object: a structured answer has no room for text after it.
function formatOf({ outputFormat }: ModelRequest): ResponseFormat {
  if (outputFormat.type !== 'json') return { type: 'text' };
  const schema = {
    type: 'object' as const,
    properties: { answer: outputFormat.schema ?? {}, notes: { type: 'string' as const } },
    required: ['answer', 'notes'],
    additionalProperties: false,
  };
  return { type: 'json', name: 'answer', schema: schema as Extract<ResponseFormat, { type: 'json' }>['schema'] & {} };
}

// What the library could not read is a broken answer; what it could not reach stays what it is.
function known(error: unknown): unknown {
  const name = error instanceof Error ? error.name : '';
  return /Parse|Validation|InvalidResponse|NoOutput|EmptyResponse/.test(name) || !(error instanceof Error)
    ? new AnswerCut()
    : error;
}

// Making one costs more than asking it: its schemas are built again.
async function languageModel(config: ModelConfig, key: string | null): Promise<LanguageModelV3> {
  const { provider, model, baseUrl, name } = config;
  // An empty key: without any, the libraries look for one in the variables by themselves.
  const options = { apiKey: key ?? '', baseURL: baseUrl ?? ADDRESSES[provider], fetch: fetchHere };
  if (provider === 'anthropic') return (await import('@ai-sdk/anthropic')).createAnthropic(options)(model);
  if (provider === 'openai') return (await import('@ai-sdk/openai')).createOpenAI(options)(model);
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  return createOpenAICompatible({ ...options, name, supportsStructuredOutputs: true, includeUsage: true })(model);
}

// A redirect would carry the key to an address that nobody named. And what is on its way ends with the signal: Node 20's fetch
// forgets it when the garbage collector runs after the head of an answer.
const fetchHere: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' });
  const { body } = response;
  if (!body || !init?.signal) return response;
  return new Response(body.pipeThrough(new TransformStream(), { signal: init.signal }), response);
};
