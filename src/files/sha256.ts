import { createHash } from 'node:crypto';

export function sha256(whole: string | Uint8Array): string {
  return createHash('sha256').update(whole).digest('hex');
}
