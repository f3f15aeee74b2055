import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Visitor } from './guard.ts';

const text = z.string();

/** What exactly was shown. The page sends it back with a decision, unchanged. */
export const BINDING = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('clients'), sha256: text }),
  z.strictObject({
    type: z.literal('first'),
    files: z.array(z.strictObject({ target: text, blocks: z.number(), sha256: text })),
  }),
  z.strictObject({
    type: z.literal('proposal'),
    shown: z.strictObject({ proposal_id: text, content_sha256: text, target: text, replaces: text.nullable() }),
  }),
  z.strictObject({ type: z.literal('tastes'), sha256: text }),
  z.strictObject({ type: z.literal('aside'), proposal_id: text, content_sha256: text }),
  z.strictObject({ type: z.literal('key'), fingerprint: text }),
  z.strictObject({ type: z.literal('fault'), id: text, ledger: text }),
  z.strictObject({ type: z.literal('merged'), target: text, before_sha256: text }),
  z.strictObject({ type: z.literal('block'), target: text, fingerprint: text }),
  z.strictObject({ type: z.literal('due'), target: text, fingerprint: text, reasons: z.array(text) }),
  z.strictObject({ type: z.literal('approve'), run: text, sha256: text }),
  z.strictObject({
    type: z.literal('earlier'),
    decision: z.enum(['undo', 'restore']),
    decision_id: text.nullable(),
    kind: z.enum(['taste', 'notes']),
    image_id: text.nullable(),
    file: text,
    before_sha256: text.nullable(),
    after_sha256: text,
  }),
  z.strictObject({ type: z.literal('erase'), file: text, id: text.nullable(), line: z.number(), sha256: text }),
]);

export type Binding = z.infer<typeof BINDING>;

const MAX_SHOWN = 50_000;

/** From now on this browser may decide on it. */
export function rememberShown({ shown }: Visitor, binding: Binding): void {
  // An old one makes room: looking at it again is all it takes.
  const [oldest] = shown;
  if (shown.size >= MAX_SHOWN && oldest !== undefined) shown.delete(oldest);
  shown.add(bindingHash(binding));
}

export function bindingHash(binding: Binding): string {
  return sha256(JSON.stringify(binding));
}

export function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}
