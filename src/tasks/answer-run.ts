import { conflict, invalidInput, stale } from '../errors.ts';
import { sha256 } from '../files/file-fingerprint.ts';
import { type ApprovalVia, approvalUseCases, type RecordedApproval, signedApproval } from '../gate/approvals.ts';
import { openDomains } from '../gate/domains/domains.ts';
import type { Proof } from '../gate/keys/confirm-level.ts';
import { canonicalJson, isRecord } from '../json.ts';
import type { AppContext } from '../settings/app-context.ts';
import type { RunReport } from './engine.ts';
import type { Engine } from './io/local-engine.ts';
import { type Awaiting, awaitingOf, awaitingPerson } from './results.ts';
import type { ApproveAnswer, StepRunner } from './steps.ts';
import { type Task, tasksIn } from './template/template.ts';

export interface GivenAnswer extends Proof {
  answer: ApproveAnswer['answer'];
  /** For an edit: what takes the place of what was shown. */
  text?: string;
  reason?: string;
  /** Of what the person saw: another question is not answered by it. */
  shownSha256?: string;
  /** Default: the terminal. */
  via?: ApprovalVia['via'];
}

/** A run that waits, with what the person is asked. */
export type WaitingRun = NonNullable<ReturnType<typeof waitingIn>>;

/** What the person signed, whatever was stored of it: a journal is a file that anybody may edit. Null: nothing. */
export type PersonAnswers = (
  run: string,
  asked: Awaiting,
  stored: ApproveAnswer | null,
) => Promise<ApproveAnswer | null>;

function waitingIn(report: RunReport) {
  const awaiting = report.state === 'awaiting_person' ? awaitingOf(report.result?.notes.error) : null;
  if (!awaiting) return null;
  const { id, name, spec, startedAt, endedAt } = report;
  // The hash is over question and text, so that an answer is bound to what was seen.
  return { run: id, name, file: spec.file, at: endedAt ?? startedAt, sha256: shownHash(awaiting), ...awaiting };
}

/** What the runs of an engine wait for, and the person's word on it. */
export function waitingRuns(
  app: AppContext,
  engine: Engine,
  /** In a shared database: the answer as a worker can check it, and whose runs are ours to answer. */
  { sent = async (answer) => answer, isOurs = async () => true }: Partial<WaitingShared> = {},
) {
  const answers = answersInLedger(app);
  const keep = async ({ run, key, question, shown }: WaitingRun, answer: ApproveAnswer): Promise<void> =>
    engine.answer(run, key, { kind: 'approve', question, shown }, await sent(answer));
  // A word that the ledger has and the journal has not was said right before a crash: it is not asked for again.
  const still = async (report: RunReport): Promise<WaitingRun | null> => {
    const waiting = waitingIn(report);
    const answer = waiting && (await answers.signed(waiting.run, waiting, null));
    if (answer) await keep(waiting, answer);
    return answer ? null : waiting;
  };
  return {
    still,
    async all(): Promise<WaitingRun[]> {
      const waiting = (await engine.list()).filter(({ state }) => state === 'awaiting_person');
      const reports = await Promise.all(waiting.map(({ id }) => engine.read(id)));
      const open = reports.map(async (report) => ((await isOurs(report)) ? still(report) : null));
      return (await Promise.all(open)).filter((run) => run !== null);
    },
    async answer(report: RunReport, given: GivenAnswer): Promise<{ run: string }> {
      if (!(await isOurs(report)))
        throw conflict(
          'Only the person who started the run answers it, with the same key.',
          'Answer it in that home, or run it again from this one.',
        );
      const waiting = await still(report);
      const answer = await recordAnswer(app, waiting, given, report);
      if (waiting) await keep(waiting, answer);
      return { run: report.id };
    },
  };
}

export type WaitingShared = ReturnType<typeof sharedAnswers>;

/** In a database that many use: as a worker can check it, and only what was started with a key of this home. */
export function sharedAnswers(app: AppContext) {
  const approvals = approvalUseCases(app, openDomains(app));
  return {
    sent: async (answer: ApproveAnswer): Promise<ApproveAnswer> => ({
      ...answer,
      records: await approvals.recordsOf(answer.entry),
    }),
    async isOurs({ spec }: RunReport): Promise<boolean> {
      const keys = await approvals.answeringKeys('none');
      return (spec.answeredBy ?? []).some((key) => keys.includes(key));
    },
  };
}

// A decision like any other: an entry of the ledger, signed at the level in force. What the journal keeps of it comes from there.
async function recordAnswer(
  app: AppContext,
  waiting: WaitingRun | null,
  { answer, text, reason, shownSha256, via = 'review', ...proof }: GivenAnswer,
  { id, state }: RunReport,
): Promise<ApproveAnswer> {
  if (answer === 'edit' ? !text?.trim() : text !== undefined)
    throw invalidInput('An edit needs its text, and only an edit has one.', 'Give both or neither.', { key: 'text' });
  if (!waiting)
    throw conflict(`The run is not waiting for an answer: it is ${state}.`, `See it: bearings runs show ${id}`);
  if (shownSha256 !== undefined && shownSha256 !== waiting.sha256)
    throw stale('What the run asks has changed since it was shown.', 'Look again.');
  const said = {
    subject: subjectOf(waiting.run, waiting.key),
    shown_sha256: waiting.sha256,
    answer,
    ...(text === undefined ? {} : { text }),
    ...(reason ? { reason } : {}),
  };
  return approvalUseCases(app, openDomains(app)).approve(said, { via, ...proof });
}

/** In the ledger of this home: nothing else counts, whatever a journal says. */
export function answersInLedger(app: AppContext) {
  const { approvals } = approvalUseCases(app, openDomains(app));
  const signed: PersonAnswers = async (run, asked) => {
    const [subject, hash] = [subjectOf(run, asked.key), shownHash(asked)];
    return (await approvals()).findLast((said) => said.subject === subject && said.shown_sha256 === hash) ?? null;
  };
  return {
    signed,
    /** Whether a decision covers what a journal says of a step. */
    async stands(run: string, key: string, answer: unknown): Promise<boolean> {
      const isSame = (said: RecordedApproval): boolean =>
        isAnswer(answer) && SIGNED.every((field) => answer[field] === said[field]);
      return (await approvals()).some((said) => said.subject === subjectOf(run, key) && isSame(said));
    },
  };
}

/** What the id of a run says of the keys whose answers it takes: a row with other keys is not that run any more. */
export function keysMark(keys: readonly string[]): string {
  return sha256(canonicalJson(keys)).slice(0, 32);
}

/** For a worker, which has no home of the person's: what the database holds must be signed by who started the run, for this very question. */
export function signedAnswers(id: string, named: readonly string[]): PersonAnswers {
  const keys = id.endsWith(`-${keysMark(named)}`) ? named : [];
  return async (run, asked, stored) => {
    const said = stored && signedApproval({ entry: stored.entry, records: stored.records ?? [] }, keys);
    return said?.subject === subjectOf(run, asked.key) && said.shown_sha256 === shownHash(asked) ? said : null;
  };
}

// An answer is taken only where it is the person's, and as they gave it.
export function withPersonAnswers(steps: StepRunner, run: string, answers: PersonAnswers): StepRunner {
  return {
    async step(step, work) {
      const { key, call } = step;
      if (call.kind !== 'approve') return steps.step(step, work);
      const asked = { key, question: call.question, shown: call.shown };
      const ask = async () => (await answers(run, asked, null)) ?? (await work());
      const stored: unknown = await steps.step<unknown>(step, ask);
      const said = isAnswer(stored) ? await answers(run, asked, stored) : null;
      if (said) return said as never;
      throw awaitingPerson(asked);
    },
  };
}

/** Whose word a run in a shared database takes; null where it asks nobody. */
export async function answeringKeys(app: AppContext, task: Task): Promise<readonly string[] | null> {
  return tasksIn(task).some(({ type }) => type === 'approve')
    ? approvalUseCases(app, openDomains(app)).answeringKeys('make')
    : null;
}

// A journal is a file: anything may be there.
const isAnswer = (value: unknown): value is ApproveAnswer =>
  isRecord(value) &&
  typeof value.entry === 'string' &&
  (value.records === undefined ||
    (Array.isArray(value.records) && value.records.every((record) => typeof record === 'string')));

const SIGNED = ['entry', 'answer', 'text', 'reason', 'at', 'by'] as const;

const subjectOf = (run: string, key: string): string => `run ${run} ${key}`;

const shownHash = ({ question, shown }: Pick<Awaiting, 'question' | 'shown'>): string =>
  sha256(canonicalJson({ question, shown }));
