import { join } from '../files/paths.ts';
import type { Decided } from '../gate/decide.ts';
import { shownOf } from '../gate/proposals/proposal.ts';
import type { AppContext } from '../settings/app-context.ts';
import { openApp } from '../settings/io/open-app.ts';
import { copyExamples } from './io/sample-files.ts';
import { createSample } from './sample.ts';

// What there is to try: a sample of a home, and the examples of the package.
export function demoUseCases(app: AppContext) {
  return {
    /** The templates, lists and adapters of the package, in a folder `examples` of the current folder. */
    copyExamples: (): string[] => copyExamples(app.cwd),

    // Whose files these are is known: the sample's person wrote them. Where nobody sits at the keyboard she also says yes.
    async createSample() {
      const sample = createSample(app.now());
      const { home } = sample;
      const inside = openApp({ home, cwd: home, variables: { BEARINGS_CACHE: join(home, '.cache') } });
      const { gateUseCases } = await import('../gate/gate.ts');
      const gate = gateUseCases(inside, undefined);
      await gate.adoptAll('all', { via: 'demo' });
      return {
        ...sample,
        /** How many still wait for a decision. */
        openProposals: async (): Promise<number> => (await gate.listProposals('all')).length,
        async personAccepts(): Promise<Decided[]> {
          const decided: Decided[] = [];
          for (const proposal of await gate.listProposals('all'))
            decided.push(await gate.decide(shownOf(proposal), null, { decision: 'accept', via: 'demo', client: null }));
          return decided;
        },
      };
    },
  };
}
