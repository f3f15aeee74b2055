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

  it('M47 is of one workspace and of one client, also where its name is the same', () => {
    const standing = (proposal_id: string, image_id: string | null, client = 'command line') =>
      ({ session_id: 'standing', proposal_id, image_id, client }) as Proposal;
    const waiting = [
      standing('1', 'alpha'),
      standing('2', 'beta'),
      standing('3', 'alpha'),
      standing('4', 'beta', 'run 1'),
      standing('5', null),
    ];
    const shown = groupedBySession(waiting).map(({ proposal: { proposal_id: id }, group }) => [id, group.total]);
    expect(shown).toEqual([
      ['1', 2],
      ['3', 2],
      ['2', 1],
      ['4', 1],
      ['5', 1],
    ]);
  });
});
