import { findHiddenCharacter } from '../../safety/hidden-characters.ts';
import { findCertainSecret } from '../../safety/secrets.ts';
import type { Sha256 } from '../ledger/entry.ts';

export type TranscriptEntry =
  | {
      type: 'session_start';
      session_id: string;
      image_id: string | null;
      client: string;
      version: string;
      pid: number;
      host: string;
    }
  | { type: 'tool_call'; tool: string; arguments: Record<string, unknown> }
  | { type: 'tool_result'; tool: string; ok: boolean; status?: string; code?: string; chars: number }
  | { type: 'context_served'; sha256: string; chars: number; head?: string }
  | { type: 'proposal'; proposal: Record<string, unknown> }
  | { type: 'shown'; proposal_id: string; via: string }
  | {
      type: 'decision';
      proposal_id: string;
      decision: string;
      via: string;
      client: string | null;
      reason?: string;
      edited_content?: string;
    }
  | { type: 'withdrawn'; proposal_id: string }
  | { type: 'discarded'; proposal_id: string; content: string; target: string }
  | { type: 'revived'; proposal_id: string }
  | { type: 'note'; text: string }
  | { type: 'session_end'; reason: string };

/** Proposals from the command line belong to one session of the workspace that never ends by itself. */
export const STANDING_SESSION = 'standing';

/** Deeper than this no record is kept: writing it as JSON would end with a stack overflow. */
export const MAX_RECORD_DEPTH = 100;

export function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isDeeperThan(item, depth - 1));
}

// Nothing secret or invisible lasts in a record: such a text is kept as its class, length and hash.
export function safeEntry<T>(value: T, sha256: Sha256): T {
  return isDeeperThan(value, MAX_RECORD_DEPTH) ? ({ refused: 'too_deep' } as T) : safeValue(value, sha256);
}

const OWN_WORDS = new Set<TranscriptEntry['type']>(['tool_result', 'context_served', 'session_end']);

// The same for the entries of one transcript: what holds our own words alone passes, and of a call only its arguments
// are somebody's text.
export function entrySafety(sha256: Sha256) {
  return (type: TranscriptEntry['type'], rest: Record<string, unknown>): Record<string, unknown> => {
    if (OWN_WORDS.has(type)) return rest;
    if (type === 'tool_call') return { ...rest, arguments: safeEntry(rest.arguments, sha256) };
    return safeEntry(rest, sha256);
  };
}

function safeValue<T>(value: T, sha256: Sha256): T {
  if (typeof value === 'string') return (refusedText(value, sha256) ?? value) as T;
  if (Array.isArray(value)) return value.map((item) => safeValue(item, sha256)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([key, item]) => [
    refusedText(key, sha256) ? 'refused' : key,
    typeof item === 'string' ? safeField(key, item, sha256) : safeValue(item, sha256),
  ]);
  return Object.fromEntries(fields) as T;
}

// A secret may only show as one beside its name: password: hunter2
function safeField(key: string, text: string, sha256: Sha256): string | object {
  const refused = refusedText(text, sha256);
  const beside = refused ? undefined : findCertainSecret(`${key}: ${text}`);
  return beside ? refusal(beside.kind, text, sha256) : (refused ?? text);
}

function refusedText(text: string, sha256: Sha256): object | null {
  const secret = findCertainSecret(text);
  if (secret) return refusal(secret.kind, text, sha256);
  return findHiddenCharacter(text) ? refusal('hidden_character', text, sha256) : null;
}

function refusal(kind: string, text: string, sha256: Sha256): object {
  return { refused: kind, length: text.length, sha256: sha256(text) };
}
