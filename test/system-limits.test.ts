import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSystem } from '../src/clients/doctor/doctor.ts';
import { systemLimits } from '../src/clients/doctor/system-limits.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/security.md'), 'utf8');

describe('what a system lacks', () => {
  it('is nothing on Linux, where everything was tried', () => {
    expect(systemLimits('linux')).toEqual([]);
    expect(checkSystem('linux')).toEqual([]);
  });

  it.each([
    ['win32', 'Windows'],
    ['darwin', 'macOS'],
  ])('is on the security page and is said by doctor: %s', (platform, system) => {
    const limits = systemLimits(platform);
    expect(limits.length).toBeGreaterThan(0);
    for (const { lacks, weaker } of limits) expect(page).toContain(`| ${system} | ${lacks} | ${weaker} |`);
    expect(checkSystem(platform).map(({ what }) => what)).toEqual(
      limits.map(({ lacks, weaker }) => `${lacks}: ${weaker}`),
    );
  });

  it('says nothing else on the page', () => {
    const rows = page.split('\n').filter((line) => /^\| (?:Windows|macOS) \|/.test(line));
    expect(rows).toHaveLength(systemLimits('win32').length + systemLimits('darwin').length);
  });
});
