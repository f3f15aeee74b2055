import { join } from '../files/paths.ts';
import type { Decided } from '../gate/decide.ts';
import { shownOf } from '../gate/proposals/proposal.ts';
import type { AppContext } from '../settings/app-context.ts';
import { openApp } from '../settings/io/open-app.ts';
import { copyExamples, makeSample, type Sample } from './io/sample-files.ts';

// What there is to try: a sample of a home, and the examples of the package.
export function demoUseCases(app: AppContext) {
  return {
    /** The templates, lists and adapters of the package, in a folder `examples` of the current folder. */
    copyExamples: (): string[] => copyExamples(app.cwd),

    // Whose files these are is known: the sample's person wrote them. Where nobody sits at the keyboard they also say yes.
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

// A home and a workspace as a photographer would have them after a few weeks: enough to see every part of a context.
function createSample(now: Date): Sample {
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();
  const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
  return makeSample({
    'home/tastes/_default.md': TASTE_DEFAULT,
    'home/tastes/underwater.md': TASTE_UNDERWATER,
    'home/tastes/macro.md': TASTE_MACRO,
    'home/workspaces/manta_001/brief.md': BRIEF,
    'home/workspaces/manta_001/notes.md': NOTES,
    'home/workspaces/manta_001/log.jsonl': lines(
      { timestamp: hoursAgo(4), op: 'apply_primitive', name: 'warm_subject', value: 0.2 },
      { timestamp: hoursAgo(3), op: 'snapshot', name: 'before the print' },
    ),
    'home/workspaces/manta_001/vocabulary_gaps.jsonl': lines({
      ...{ timestamp: hoursAgo(5), image_id: 'manta_001', intent_category: 'tone' },
      description: 'no way to warm only the highlights',
    }),
    ...PROJECT,
  });
}

// Her website, as an agent would find it.
const PROJECT: Readonly<Record<string, string>> = {
  'project/AGENTS.md':
    '# Rules of this site\n\n- Pages stay under 200 kB.\n- Colours come from docs/colour.md, never from the hip.\n',
  'project/README.md': '# mantas.example\n\nA site of one photographer: pictures first, words second.\n',
  'project/docs/colour.md':
    '# Colour\n\nThe palette has one blue and one sand. Contrast of text is at least 7 to 1.\nBackgrounds never compete with a picture.\n',
  'project/src/palette.ts': "export const palette = { blue: '#1b4d6b', sand: '#e7dcc8' };\n",
  'project/digest.xml': `<task type="sequential" name="digest">
  <description>What the rules of the palette mean</description>
  <context_management>
    <inherit_context>full</inherit_context>
    <accumulate_data>true</accumulate_data>
    <accumulation_format>notes_only</accumulation_format>
    <fresh_context>disabled</fresh_context>
  </context_management>
  <steps>
    <task type="atomic" name="collect"><description>Collect what is said about the palette</description>
      <context_management><inherit_context>full</inherit_context><fresh_context>disabled</fresh_context></context_management>
    </task>
    <task type="atomic" name="sum up"><description>Sum up what is said about contrast</description>
      <context_management><inherit_context>full</inherit_context><fresh_context>disabled</fresh_context></context_management>
    </task>
    <approve name="agreed"><description>Is this what the rules mean?</description></approve>
    <task type="atomic" name="for the site"><description>For the site: {{said}}</description>
      <inputs><input name="said" from="agreed.content"/></inputs>
      <context_management><inherit_context>none</inherit_context><fresh_context>disabled</fresh_context></context_management>
    </task>
  </steps>
</task>
`,
};

const NOTES = `# Notes on manta_001

- frame 1: water reads clean, nothing to do
- frame 2: warmed the subject a little, kept it
- frame 3: too much contrast on the wing tips, undone
`;

const TASTE_DEFAULT = `# What I always want

- Quiet over loud: a picture may be calm.
- Never sharpen skin, feathers or water.
- Keep blacks a touch open.
`;

const TASTE_UNDERWATER = `# Underwater

- Water stays blue, not cyan.
- lift shadows on the subject
- Backscatter: remove only what the eye catches.
`;

const TASTE_MACRO = `# Macro

- One plane in focus is enough.
- lift shadows on the subject
`;

const BRIEF = `# Manta over the reef

Tastes: underwater, macro, wildlife

Clean blue water, quiet mood. The animal is the picture; the reef is its stage.
For a print of 60 x 40 cm.
`;
