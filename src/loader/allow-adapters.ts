import { BearingsError } from '../errors.ts';
import { type Proof, signerFor } from '../gate/keys/confirm-level.ts';
import { openProject } from '../project/io/open-project.ts';
import type { AppContext } from '../settings/app-context.ts';
import { type Allowed, needsWord, type TrustQuestion, trustQuestion, trustStore } from './adapter-trust.ts';
import { choosePolicy, folderOf, policyName } from './choose-policy.ts';
import { knownAdapters, unknownAdapter } from './run-adapters.ts';

/** What would run, as the person is shown it. */
export interface TrustAnswer extends TrustQuestion {
  /** The project with the person's own folder as `~`. */
  shownProject: string;
  allowed: boolean;
}

type Where = { dir?: string | undefined; policy?: string | undefined };

export function adapterUseCases(app: AppContext) {
  const trust = trustStore(app);
  return {
    // What runs only with a person's word, and whether that word was given.
    async trustQuestions(name?: string, { dir, policy: asked }: Where = {}): Promise<TrustAnswer[]> {
      const project = openProject(folderOf(app, dir));
      const { policy } = await choosePolicy(project, policyName(app, asked ?? null, dir));
      const known = await knownAdapters(policy, app);
      const named = known.filter(({ config }) => name === undefined || config.name === name);
      if (name !== undefined && named.length === 0) unknownAdapter(name, known);
      return named.flatMap((adapter): TrustAnswer[] => {
        const question = needsWord(adapter, project.root);
        if (question === null) return [];
        return [{ ...question, shownProject: app.forPerson(project.root), allowed: trust.isAllowed(question) }];
      });
    },

    // Only after a person has seen the question. It holds for exactly what was shown.
    async allowAdapter(question: TrustAnswer, proof: Proof = {}): Promise<void> {
      const now = trustQuestion(question.adapter, question.project);
      if (now.sha256 !== question.sha256)
        throw new BearingsError('stale', 'What it would run has changed since it was shown.', {
          hint: 'Nothing was allowed. Look again: bearings policy allow',
        });
      // The same key as for every other word of the person; where it is locked, only she opens it.
      const settings = await app.settings();
      await trust.allow(question, signerFor(settings, proof));
    },

    async allowedAdapters(): Promise<Allowed[]> {
      return trust.list().map((entry) => ({ ...entry, project: app.forPerson(entry.project) }));
    },

    // Returns how many words were taken back.
    async revokeAdapters(name?: string, { dir, ...proof }: Where & Proof = {}): Promise<number> {
      const settings = await app.settings();
      return trust.revoke(folderOf(app, dir), name, () => signerFor(settings, proof));
    },
  };
}
