import { describe, expect, it } from 'vitest';
import type { Proposal } from './proposal.ts';
import { groupedBySession } from './session-groups.ts';

const proposal = (session_id: string, proposal_id: string) => ({ session_id, proposal_id }) as Proposal;

describe('what one session proposed', () => {
  it('M47 is kept together, sessions in the order of their first proposal', () => {
    const waiting = [
      proposal('a', '1'),
      proposal('b', '2'),
      proposal('a', '3'),
      proposal('c', '4'),
      proposal('b', '5'),
    ];
    const shown = groupedBySession(waiting).map(({ proposal: { proposal_id: id }, group }) => [
      id,
      group.index,
      group.total,
    ]);
    expect(shown).toEqual([
      ['1', 1, 2],
      ['3', 2, 2],
      ['2', 1, 2],
      ['5', 2, 2],
      ['4', 1, 1],
    ]);
  });
});
