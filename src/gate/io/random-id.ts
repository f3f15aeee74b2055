import { randomBytes } from 'node:crypto';

export function randomId(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}
