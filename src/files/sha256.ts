import { hash } from 'node:crypto';

export function sha256(whole: string | Uint8Array): string {
  return hash('sha256', whole);
}
