import { canonicalJson, canonicalLine } from '../canonical-json.ts';
import { sha256 } from '../files/sha256.ts';
import { homeWord, openDomains } from '../gate/domains/domains.ts';
import { assertSound, readHome } from '../gate/io/read-standing.ts';
import type { Signer } from '../gate/ledger/ledger.ts';
import type { AppContext } from '../settings/app-context.ts';
import { type NamedFile, namedFiles } from './io/named-files.ts';
import type { AdapterConfig, RunningAdapter } from './policy/adapter-definitions.ts';

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

/** The person's word that one program of one project may run, as it was when they saw it. */
export interface Allowed {
  project: string;
  adapter: string;
  command: string[];
  sha256: string;
  at: string;
}

// In the home's chain: a word counts by its own signature, and until it is taken back by another.
export function trustStore(app: AppContext) {
  const list = (): Allowed[] => {
    const allowed = new Map<string, Allowed>();
    for (const {
      entry,
      said: { texts },
    } of readHome(app.home).permits) {
      const { decision, subject, at } = entry;
      if (decision === 'revoke') for (const [key, { sha256 }] of allowed) if (sha256 === subject) allowed.delete(key);
      const said = decision === 'allow' ? described(texts[0]?.[1]) : null;
      if (said && subject) allowed.set(`${said.project} ${said.adapter}`, { ...said, sha256: subject, at });
    }
    return [...allowed.values()];
  };
  const word = async (said: Parameters<typeof homeWord>[3]) =>
    homeWord(app, openDomains(app), await app.settings(), said);
  return {
    list,
    isAllowed: (question: TrustQuestion): boolean =>
      list().some(({ project, sha256 }) => project === question.project && sha256 === question.sha256),

    /** While the record does not add up nothing is, whatever was said. */
    isAnyAllowed: (): boolean => readHome(app.home).decided.faults.length === 0,

    // The caller has shown the question to a person and heard a yes.
    async allow({ adapter, project, sha256: subject }: TrustQuestion, signer: Signer): Promise<void> {
      assertSound(readHome(app.home));
      const text = canonicalLine({ project, adapter: adapter.name, command: adapter.command });
      await word({ signer, decision: 'allow', subject, blocks: [{ text }] });
    },

    // Returns how many there were.
    async revoke(project: string, adapter: string | undefined, signer: () => Signer): Promise<number> {
      const gone = list().filter((known) => known.project === project && (adapter ?? known.adapter) === known.adapter);
      for (const { sha256: subject } of gone) await word({ signer: signer(), decision: 'revoke', subject });
      return gone.length;
    },
  };
}

function described(text: string | undefined): Pick<Allowed, 'project' | 'adapter' | 'command'> | null {
  try {
    const { project, adapter, command } = JSON.parse(text ?? '');
    return { project: String(project), adapter: String(adapter), command: [command].flat().map(String) };
  } catch {
    return null;
  }
}
