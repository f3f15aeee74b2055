import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalLine } from '../../canonical-json.ts';
import { readPlainFile } from '../../files/open-file.ts';
import type { Proposal } from '../proposals/proposal.ts';

// A repository may bring files that look like proposals. Those that this home made carry its seal, by a secret that never
// leaves it.
export function sealOf(home: string, proposal: Proposal): string {
  const { image_id: _id, content_sha256: _hash, ...said } = proposal;
  return createHmac('sha256', secretOf(home)).update(canonicalLine(said)).digest('hex');
}

export function isSealed(home: string, proposal: Proposal, seal: unknown): boolean {
  if (typeof seal !== 'string' || !/^[0-9a-f]{64}$/.test(seal)) return false;
  return timingSafeEqual(Buffer.from(seal), Buffer.from(sealOf(home, proposal)));
}

function secretOf(home: string): string {
  const path = join(home, 'proposals.key');
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 });
  } catch {
    // there already, by this process or another; a home that refuses is told by the next line
  }
  return readPlainFile(path).toString('utf8');
}
