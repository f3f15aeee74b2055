import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Rooms } from '../../src/bearings.ts';

/** How the kills of a run ended. Only the first may be above zero. */
export interface Census {
  kills: number;
  lost: number;
  doubled: number;
  torn: number;
}

export function emptyCensus(): Census {
  return { kills: 0, lost: 0, doubled: 0, torn: 0 };
}

export function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}

export async function expectVerified(bearings: Rooms): ReturnType<Awaited<ReturnType<Rooms['gate']>>['verify']> {
  const reports = await (await bearings.gate()).verify();
  expect(reports.faults.map(({ message }) => message)).toEqual([]);
  return reports;
}
