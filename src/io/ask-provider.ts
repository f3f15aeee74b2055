import type { LanguageModel } from 'ai';
import type { ModelConfig } from '../config/models.ts';
import type { ModelRequest } from '../tasks/model.ts';
import { exhausted } from '../tasks/results.ts';

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

export interface Asking {
  /** From `languageModel`, made once for many questions. */
  model: LanguageModel;
  signal: AbortSignal;
  /** Names the call, the same in every attempt. */
  call: string;
}

// The client library is loaded when it is needed: no other command pays for it.
export function loadClient(): Promise<typeof import('ai')> {
  return import('ai');
}

// One question, one streamed answer.
export async function askProvider(config: ModelConfig, request: ModelRequest, asking: Asking): Promise<Answered> {
  const { jsonSchema, Output, streamText } = await loadClient();
  const isJson = request.outputFormat.type === 'json';
  const controller = new AbortController();
  const stream = streamText({
    model: asking.model,
    prompt: request.prompt,
    maxOutputTokens: request.maxOutputTokens,
    maxRetries: 0,
    abortSignal: AbortSignal.any([asking.signal, controller.signal]),
    headers: { 'Idempotency-Key': asking.call },
    providerOptions: { openai: { strictJsonSchema: false, store: false }, [config.name]: { strictJsonSchema: false } },
    ...(isJson ? { output: Output.object({ schema: jsonSchema(wrapped(request)), name: 'answer' }) } : {}),
    // Its own default prints the whole error, with what was sent.
    onError() {},
  });
  let text = '';
  let answered: Answered | null = null;
  for await (const part of stream.fullStream) {
    if (part.type === 'text-delta') {
      text += part.text;
      request.onText?.(text.length);
      if (text.length > request.maxOutputTokens * MAX_CHARS_PER_TOKEN) {
        controller.abort();
        throw exhausted('output', Math.ceil(text.length / 4), request.maxOutputTokens);
      }
    } else if (part.type === 'error') throw known(part.error);
    else if (part.type === 'finish-step') {
      // A stream that simply ends has no reason of its own.
      if (part.rawFinishReason === undefined && part.finishReason === 'other') throw new AnswerCut();
      const { inputTokens, outputTokens } = part.usage;
      const usage =
        inputTokens !== undefined && outputTokens !== undefined ? { input: inputTokens, output: outputTokens } : null;
      answered = { text, finish: part.finishReason, usage };
    }
  }
  if (answered === null) throw new AnswerCut();
  return answered;
}

// What the library could not read is a broken answer; what it could not reach stays what it is.
function known(error: unknown): unknown {
  const name = error instanceof Error ? error.name : '';
  return /Parse|Validation|InvalidResponse|NoOutput|EmptyResponse/.test(name) || !(error instanceof Error)
    ? new AnswerCut()
    : error;
}

// The answer and its notes in one object: a structured answer has no room for text after it.
function wrapped({ outputFormat }: ModelRequest): object {
  return {
    type: 'object',
    properties: { answer: outputFormat.schema ?? {}, notes: { type: 'string' } },
    required: ['answer', 'notes'],
    additionalProperties: false,
  };
}

// Making one costs more than asking it: its schemas are built anew.
export async function languageModel(config: ModelConfig, key: string | null): Promise<LanguageModel> {
  // The library would write its advice to the person's terminal.
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
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

// A redirect would carry the key to an address that nobody named.
const fetchHere: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'error' });
