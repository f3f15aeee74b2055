import { createHash, hash } from 'node:crypto';

export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

export function sha256Of(parts: readonly (string | Uint8Array)[]): string {
  const whole = createHash('sha256');
  for (const part of parts) whole.update(part);
  return whole.digest('hex');
}
