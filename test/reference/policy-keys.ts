import { readPolicy } from '../../src/loader/policy/policy.ts';
import type { LocatedNode, TreeProblem } from '../../src/settings/tree-reader.ts';

/** A key that the reader of policies knows, found by asking the reader itself. */
export interface PolicyKey {
  /** `control_plane[].path`, `budget.max_files`. */
  path: string;
  /** What the reader says that it must be. */
  kind: string;
}

type Step = { key: string } | 'item';

const AT = { line: 1, column: 1 };
const NOBODY = 'no-such-key';
const MANY = 1_000;

// The reader names the keys it knows when it meets one that it does not, and says what a value must be when it is
// wrong. So no list is kept beside it, and a key that is added there shows up here.
export function policyKeys(): PolicyKey[] {
  return keysAt([]);
}

function keysAt(way: readonly Step[]): PolicyKey[] {
  return (knownAt(way) ?? []).flatMap((key) => {
    const inside = [...way, { key }];
    const itself = { path: pathOf(inside), kind: kindAt(inside) };
    const inner = knownAt(inside) ? keysAt(inside) : keysAt([...inside, 'item']);
    return [itself, ...inner];
  });
}

function knownAt(way: readonly Step[]): string[] | null {
  const stranger: LocatedNode = { ...AT, kind: 'map', entries: [{ ...AT, key: NOBODY, value: scalar(1) }] };
  const said = problemsWith(way, stranger).find(({ message }) => message.includes(`"${NOBODY}"`));
  return said ? said.message.replace(/^.*known: /, '').split(', ') : null;
}

function kindAt(way: readonly Step[]): string {
  if (knownAt(way)) return 'section';
  const said = saidOf(way, scalar({}));
  if (said !== 'must be a list') return named(said);
  const most = /at most (\d+)/.exec(saidOf(way, { ...AT, kind: 'list', items: Array(MANY).fill(scalar({})) }))?.[1];
  const item = [...way, 'item' as const];
  const of = knownAt(item) ? '' : ` of ${named(saidOf(item, scalar({})))}`;
  return `list${of}${most ? `, at most ${most}` : ''}`;
}

const saidOf = (way: readonly Step[], node: LocatedNode): string => problemsWith(way, node)[0]?.message ?? '';

const named = (message: string): string =>
  message.replace(/^must be (a )?/, '').replace(/\d{5,}/g, (digits) => Number(digits).toLocaleString('en'));

function problemsWith(way: readonly Step[], node: LocatedNode): TreeProblem[] {
  const tree = [...way]
    .reverse()
    .reduce<LocatedNode>(
      (value, step) =>
        step === 'item'
          ? { ...AT, kind: 'list', items: [value] }
          : { ...AT, kind: 'map', entries: [{ ...AT, key: step.key, value }] },
      node,
    );
  return readPolicy(tree).problems;
}

const scalar = (value: unknown): LocatedNode => ({ ...AT, kind: 'scalar', value });

const pathOf = (way: readonly Step[]): string =>
  way.map((step, index) => (step === 'item' ? '[]' : `${index > 0 ? '.' : ''}${step.key}`)).join('');
