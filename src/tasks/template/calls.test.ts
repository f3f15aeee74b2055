import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effort } from '../../../test/support/effort.ts';
import { parseTask } from './parse-task.ts';

type Graph = Readonly<Record<string, { calls: readonly string[]; rounds: number }>>;

const ATOM = '<task type="atomic"><description>x</description></task>';
const JUDGE = '<evaluator><description>e</description><output_format type="json" schema="object"/></evaluator>';
const textOf = ({ calls, rounds }: Graph[string]) => {
  const steps = `<task type="sequential"><description>d</description><steps>${calls
    .map((name) => `<call template="${name}"/>`)
    .join('')}${ATOM}</steps></task>`;
  return rounds === 1
    ? steps
    : `<task type="director_evaluator_loop" max_iterations="${rounds}"><description>d</description><director>${steps}</director>${JUDGE}</task>`;
};

function parsed(graph: Graph) {
  let looked = 0;
  const templates = (name: string) => {
    looked += 1;
    const template = graph[name];
    return template ? { file: name, source: textOf(template) } : { problem: 'it is not there' };
  };
  const { task, problems } = parseTask(textOf(graph.t0 as Graph[string]), { file: 't0', templates });
  return { task, message: problems.find(({ severity }) => severity === 'error')?.message, looked };
}

// As the rule says it, one call after the other; with numbers that any graph of six kilobytes reaches.
function stepsOf(graph: Graph, name: string): number {
  const { calls, rounds } = graph[name] as Graph[string];
  const steps = calls.reduce((sum, each) => sum + 1 + stepsOf(graph, each), 2);
  return rounds === 1 ? steps : 1 + rounds * (steps + 1);
}

describe('templates that call each other', () => {
  it('T30 six kilobytes of them are counted, not built: a clear error with the number', () => {
    const graph = Object.fromEntries(
      Array.from({ length: 8 }, (_, at) => [
        `t${at}`,
        { calls: at === 7 ? [] : Array(24).fill(`t${at + 1}`), rounds: 1 },
      ]),
    );
    const { message, looked } = parsed(graph);
    const steps = Array.from({ length: 7 }).reduce<number>((below) => 2 + 24 * (1 + below), 2);
    expect(steps).toBeGreaterThan(10 ** 10);
    expect(message).toBe(`With its calls and rounds the template has ${steps} steps; at most 10000 are run.`);
    expect(looked).toBe(7);
  });

  it('T30 all of them calling all, in rounds: each name is looked up once', () => {
    const names = Array.from({ length: 12 }, (_, at) => `t${at}`);
    const graph = Object.fromEntries(names.map((name) => [name, { calls: [...names, ...names], rounds: 100 }]));
    const { task, looked } = parsed(graph);
    expect([task, looked]).toEqual([null, 12]);
  });

  it('T30 rounds inside of rounds count by their product', () => {
    const nested = (depth: number): string =>
      depth === 0
        ? ATOM
        : `<task type="director_evaluator_loop" max_iterations="100"><description>d</description><director>${nested(depth - 1)}</director>${JUDGE}</task>`;
    expect(parseTask(nested(1)).task).not.toBeNull();
    expect(parseTask(nested(9)).problems[0]?.message).toMatch(/has \d+ steps; at most 10000 are run/);
  });

  it('T30 of any graph the number is right, and no work is done that it does not bound', () => {
    const names = Array.from({ length: 7 }, (_, at) => `t${at}`);
    const graphs = fc.tuple(
      ...names.map((_, at) =>
        fc.record({
          // Mostly downwards; a call upwards or of itself is a circle.
          calls: fc.array(
            fc.oneof(
              { weight: 30, arbitrary: fc.constantFrom(...names.slice(Math.min(at + 1, 6))) },
              { weight: 1, arbitrary: fc.constantFrom(...names, 'gone') },
            ),
            { maxLength: at === 6 ? 0 : 8 },
          ),
          rounds: fc.oneof(
            { weight: 6, arbitrary: fc.constant(1) },
            { weight: 1, arbitrary: fc.integer({ min: 2, max: 100 }) },
          ),
        }),
      ),
    );
    fc.assert(
      fc.property(graphs, (list) => {
        const graph: Graph = Object.fromEntries(list.map((template, at) => [names[at] as string, template]));
        const { task, message, looked } = parsed(graph);
        expect(looked).toBeLessThanOrEqual(names.length + 1);
        const isSound = list.every(({ calls }, at) => calls.every((name) => names.indexOf(name) > at));
        if (!isSound) return;
        const steps = stepsOf(graph, 't0');
        if (steps <= 10_000) expect([task === null, message]).toEqual([false, undefined]);
        else expect(message).toContain(`has ${steps} steps`);
      }),
      { numRuns: effort(500) },
    );
  });
});
