import type { ZodType } from 'zod';
import type { LocalAnswer, LocalRequest, Rooms } from '../bearings.ts';
import type { PageTask } from '../clients/page-task.ts';
import { BearingsError, invalidInput } from '../errors.ts';
import { parseJson } from '../json.ts';
import type { RunPlaces } from '../tasks/run-places.ts';
import type { Guard, Visitor } from './guard.ts';

export type Gate = Awaited<ReturnType<Rooms['gate']>>;

export interface Page {
  bearings: Rooms;
  guard: Guard;
  runs: RunPlaces;
  /** Tells this page from another program on its port. */
  id: string;
  /** The name of the folder where the page was started. */
  folder: string;
  /** The one name it answers to: authenticators know no page but that of localhost. */
  host: '127.0.0.1' | 'localhost';
  port(): number;
  /** What a command has the person confirm. */
  task: PageTask | null;
  onTaskDone(): void;
  onEntered(): void;
}

/** What a browser that was let in asks for. */
export interface Ask {
  visitor: Visitor;
  /** A value of the address; empty where it has none. */
  text(name: string): string;
  /** The body, of this form or refused. */
  body<T>(form: ZodType<T>, refused: string, hint?: string): Promise<T>;
}

const MAX_BODY_BYTES = 2 * 1024 * 1024;

export function askOf(request: LocalRequest, visitor: Visitor): Ask {
  return {
    visitor,
    text: (name) => request.query.get(name) ?? '',
    async body(form, refused, hint = 'Reload the page.') {
      const parsed = form.safeParse(await bodyOf(request));
      if (!parsed.success) throw invalidInput(refused, hint);
      return parsed.data;
    },
  };
}

/** Null where it is not JSON: no route takes that. */
export async function bodyOf(request: LocalRequest): Promise<unknown> {
  const text = await request.body(MAX_BODY_BYTES);
  if (text === null) throw invalidInput('This is too long.', 'Shorten it.');
  return parseJson(text);
}

const MAX_SHOWN_CHARS = 400_000;

/** A text, and how long it is where that was cut. */
export function beginningOf(text: string) {
  return { text: text.slice(0, MAX_SHOWN_CHARS), chars: text.length };
}

// On every answer: nothing may be framed, sniffed, kept, or loaded from anywhere else.
const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
};

export function answer(status: number, type: string, body: LocalAnswer['body']): LocalAnswer {
  return { status, headers: { ...HEADERS, 'content-type': type }, body };
}

export function jsonAnswer(value: unknown, status = 200): LocalAnswer {
  return answer(status, 'application/json; charset=utf-8', JSON.stringify(value));
}

export function refusal(status: number, code: string, message: string): LocalAnswer {
  return jsonAnswer({ error: { code, message } }, status);
}

const STATUS: Record<BearingsError['code'], number> = {
  invalid_input: 400,
  not_found: 404,
  conflict: 409,
  awaiting_person: 409,
  stale: 409,
  too_many: 409,
  io_error: 500,
};

// One sentence and what to do; what is not ours is a defect and stays inside.
export function failure(error: unknown): LocalAnswer {
  if (!(error instanceof BearingsError))
    return refusal(500, 'internal_error', 'Something went wrong inside bearings. Nothing was decided.');
  const { code, message, hint } = error;
  return jsonAnswer({ error: { code, message, ...(hint ? { hint } : {}) } }, STATUS[code]);
}

// The same bytes for everybody: it holds nothing of the person's, so it needs no credentials.
export const SHELL = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Bearings</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page.css">
<script src="/page.js" type="module"></script>
</head>
<body><div id="page"></div><noscript>This page needs JavaScript. In a terminal: bearings review</noscript></body>
</html>
`;

export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="13" fill="none" stroke="#3b6ea5" stroke-width="2.5"/><path d="M20.5 6.5 18 18l-6.500 7.500L14 14z" fill="#3b6ea5"/></svg>`;
