import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ModelConfig } from '../../settings/models.ts';
import type { ModelRequest } from '../model.ts';
import { exhausted } from '../results.ts';

export interface Answered {
  text: string;
  finish: string;
  usage: { input: number; output: number } | null;
}

/** The stream ended before the answer did, or held something that is no answer. */
export class AnswerCut extends Error {}

const ADDRESSES = { anthropic: 'https://api.anthropic.com/v1', openai: 'https://api.openai.com/v1' } as const;
// Past so many characters per allowed token a server no longer keeps to the limit it was given.
const MAX_CHARS_PER_TOKEN = 64;

/** A model of the client library, asked without the layers for tools and steps above it. */
export type ProviderModel = LanguageModelV3;
type ResponseFormat = NonNullable<Parameters<ProviderModel['doStream']>[0]['responseFormat']>;
type Schema = NonNullable<Extract<ResponseFormat, { type: 'json' }>['schema']>;

export interface Asking {
  /** From `languageModel`, made once for many questions. */
  model: ProviderModel;
  signal: AbortSignal;
  /** Names the call, the same in every attempt. */
  call: string;
}

// One question, one streamed answer.
export async function askProvider(config: ModelConfig, request: ModelRequest, asking: Asking): Promise<Answered> {
  const { stream } = await asking.model.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: request.prompt }] }],
    maxOutputTokens: request.maxOutputTokens,
    abortSignal: asking.signal,
    headers: { 'Idempotency-Key': asking.call },
    providerOptions: { openai: { strictJsonSchema: false, store: false }, [config.name]: { strictJsonSchema: false } },
    responseFormat: formatOf(request),
  });
  let text = '';
  let answered: Answered | null = null;
  // Leaving the loop early cancels the stream, and with it the request.
  for await (const part of stream) {
    if (part.type === 'text-delta') {
      text += part.delta;
      request.onText?.(text.length);
      if (text.length > request.maxOutputTokens * MAX_CHARS_PER_TOKEN)
        throw exhausted('output', Math.ceil(text.length / 4), request.maxOutputTokens);
    } else if (part.type === 'error') throw known(part.error);
    else if (part.type === 'finish') {
      const { unified, raw } = part.finishReason;
      // A stream that simply ends has no reason of its own.
      if (raw === undefined && unified === 'other') throw new AnswerCut();
      const [input, output] = [part.usage.inputTokens.total, part.usage.outputTokens.total];
      const usage = input !== undefined && output !== undefined ? { input, output } : null;
      answered = { text, finish: unified, usage };
    }
  }
  if (answered === null) throw new AnswerCut();
  return answered;
}

function formatOf(request: ModelRequest): ResponseFormat {
  if (request.outputFormat.type !== 'json') return { type: 'text' };
  return { type: 'json', name: 'answer', schema: wrapped(request) };
}

// What the library could not read is a broken answer; what it could not reach stays what it is.
function known(error: unknown): unknown {
  const name = error instanceof Error ? error.name : '';
  return /Parse|Validation|InvalidResponse|NoOutput|EmptyResponse/.test(name) || !(error instanceof Error)
    ? new AnswerCut()
    : error;
}

// The answer and its notes in one object: a structured answer has no room for text after it.
function wrapped({ outputFormat }: ModelRequest): Schema {
  return {
    type: 'object',
    properties: { answer: outputFormat.schema ?? {}, notes: { type: 'string' } },
    required: ['answer', 'notes'],
    additionalProperties: false,
  };
}

// Making one costs more than asking it: its schemas are built again.
export async function languageModel(config: ModelConfig, key: string | null): Promise<ProviderModel> {
  const { provider, model, baseUrl } = config;
  switch (provider) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ apiKey: key ?? '', baseURL: baseUrl ?? ADDRESSES.anthropic, fetch: fetchHere })(model);
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ apiKey: key ?? '', baseURL: baseUrl ?? ADDRESSES.openai, fetch: fetchHere })(model);
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const options = {
        name: config.name,
        baseURL: baseUrl ?? '',
        supportsStructuredOutputs: true,
        includeUsage: true,
      };
      return createOpenAICompatible({ ...options, ...(key ? { apiKey: key } : {}), fetch: fetchHere })(model);
    }
  }
}

// A redirect would carry the key to an address that nobody named. And what is on its way ends with the signal: Node 20's fetch
// forgets it when the garbage collector runs after the head of an answer.
const fetchHere: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' });
  const { body } = response;
  if (!body || !init?.signal) return response;
  return new Response(body.pipeThrough(new TransformStream(), { signal: init.signal }), response);
};
