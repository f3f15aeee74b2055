import { makeSample, type Sample } from '../io/sample.ts';

// A home and a workspace as a photographer would have them after a few weeks: enough to see every part of a context.
export function createSample(now: Date): Sample {
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000).toISOString();
  const log = Array.from({ length: 14 }, (_, index) =>
    JSON.stringify({
      timestamp: hoursAgo(17 - index),
      op: index % 3 === 0 ? 'snapshot' : 'apply_primitive',
      name: ['warm_subject', 'lift_shadows', 'calm_highlights'][index % 3],
      value: (index % 5) / 10,
    }),
  );
  const notes = [
    '# Notes on manta_001',
    '',
    ...Array.from({ length: 46 }, (_, index) => `- frame ${index + 1}: ${NOTE_TEXTS[index % NOTE_TEXTS.length]}`),
  ];
  return makeSample({
    'home/tastes/_default.md': TASTE_DEFAULT,
    'home/tastes/underwater.md': TASTE_UNDERWATER,
    'home/tastes/macro.md': TASTE_MACRO,
    'home/workspaces/manta_001/brief.md': BRIEF,
    'home/workspaces/manta_001/notes.md': `${notes.join('\n')}\n`,
    'home/workspaces/manta_001/log.jsonl': `${log.join('\n')}\n`,
    'home/workspaces/manta_001/vocabulary_gaps.jsonl': `${JSON.stringify({
      timestamp: hoursAgo(5),
      image_id: 'manta_001',
      description: 'no way to warm only the highlights',
      intent_category: 'tone',
    })}\n`,
  });
}

const NOTE_TEXTS = [
  'water reads clean, nothing to do',
  'warmed the subject a little, kept it',
  'too much contrast on the wing tips, undone',
  'red channel at +0.15, no further',
];

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
