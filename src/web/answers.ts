import type { LocalAnswer } from '../bearings.ts';
import { BearingsError } from '../errors.ts';

// On every answer: nothing may be framed, sniffed, kept, or loaded from anywhere else.
export const HEADERS: Readonly<Record<string, string>> = {
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
