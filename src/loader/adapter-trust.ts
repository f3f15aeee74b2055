import { canonicalJson, canonicalLine } from '../canonical-json.ts';
import { sha256 } from '../files/sha256.ts';
import { isSignedByOwn, knownKey } from '../gate/io/person-key.ts';
import { signatureOf } from '../gate/keys/signer.ts';
import type { Signer } from '../gate/ledger/ledger.ts';
import type { AppContext } from '../settings/app-context.ts';
import { type Allowed, readAllowed, writeAllowed } from './io/allowed-file.ts';
import { type NamedFile, namedFiles } from './io/named-files.ts';
import type { AdapterConfig, RunningAdapter } from './policy/policy.ts';

/** An adapter with where its definition comes from. */
export interface KnownAdapter {
  config: AdapterConfig;
  origin: 'home' | 'project';
}

/** Exactly what would run, and what the person's word would be bound to. */
export interface TrustQuestion {
  adapter: RunningAdapter;
  project: string;
  files: NamedFile[];
  sha256: string;
}

// The definition, the project and what of it the command line names: a change in any of them is another question.
export function trustQuestion(adapter: RunningAdapter, project: string): TrustQuestion {
  const files = namedFiles(adapter.command, project);
  return { adapter, project, files, sha256: sha256(canonicalJson({ project, adapter, files })) };
}

// Also the home's own: `npm run status` is the person's line, and what it runs is the repository's. Only where the person
// says that it runs nothing of a project, and its line names nothing of this one, no project is asked about.
export function needsWord(known: KnownAdapter, project: string): TrustQuestion | null {
  if (known.config.kind === 'file') return null;
  const question = trustQuestion(known.config, project);
  const isVouchedFor = known.origin === 'home' && known.config.anywhere === true && question.files.length === 0;
  return isVouchedFor ? null : question;
}

/** What is signed: all of it, so that no word serves for another. */
function wordOf({ sig: _, ...allowed }: Allowed): string {
  return canonicalLine({ allow: allowed });
}

export function trustStore(app: AppContext) {
  const list = (): Allowed[] => {
    const key = knownKey(app.home);
    return readAllowed(app.home).filter(
      (allowed) => key !== null && allowed.sig && isSignedByOwn(key, wordOf(allowed), allowed.sig),
    );
  };
  const isAllowed = (question: TrustQuestion): boolean =>
    list().some(({ project, sha256 }) => project === question.project && sha256 === question.sha256);
  return {
    isAllowed,
    list,

    // The caller has shown the question to a person and heard a yes.
    allow(question: TrustQuestion, signer: Signer): void {
      const { adapter, project } = question;
      const others = readAllowed(app.home).filter(
        (known) => known.project !== project || known.adapter !== adapter.name,
      );
      const entry: Allowed = {
        project,
        adapter: adapter.name,
        command: adapter.command,
        sha256: question.sha256,
        at: signer.act?.at ?? app.now().toISOString(),
      };
      const sig = signatureOf(signer, wordOf(entry));
      if (sig !== null) writeAllowed(app.home, [...others, { ...entry, sig }]);
    },

    // Returns how many there were.
    revoke(project: string, adapter: string | undefined): number {
      const all = readAllowed(app.home);
      const kept = all.filter((known) => known.project !== project || (adapter ?? known.adapter) !== known.adapter);
      if (kept.length < all.length) writeAllowed(app.home, kept);
      return all.length - kept.length;
    },
  };
}
