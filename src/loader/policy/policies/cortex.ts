import { DEFAULT_BUDGET, DEFAULT_PARTITIONS } from '../limits.ts';
import type { Policy } from '../policy.ts';

const CANDIDATES = '.cortex/reports/decision_candidates_v0.json';

export const cortexPolicy: Policy = {
  name: 'cortex',
  about: 'For projects with a .cortex/ folder: its manifest, its reports and its newest active decisions come first.',
  control_plane: [
    { path: '.cortex/manifest_v0.json', required: true, json: true, health: [] },
    {
      path: '.cortex/reports/lifecycle_audit_v0.json',
      required: true,
      json: true,
      health: ['health', 'health_status', 'overall_status', 'overall', 'status', 'result'],
    },
    { path: '.cortex/reports/audit_needed_v0.json', required: false, json: true, health: [] },
    { path: CANDIDATES, required: true, json: true, health: [] },
    { newest: ['.cortex/artifacts/decisions/decision_*_v*.md'], count: 3, active: true, inactive_in: CANDIDATES },
  ],
  intents: [
    {
      key: 'design',
      about: 'How it looks: the design artifacts and the vocabulary they are written in.',
      words: ['design', 'ui', 'frontend', 'visual'],
      include: [
        '.cortex/artifacts/design_*.dsl',
        '.cortex/artifacts/design_*.json',
        'templates/design_ontology*.json',
        'templates/modern_web_design_vocabulary_v0.json',
      ],
    },
    {
      key: 'governance',
      about: 'What is allowed and how it is checked.',
      words: ['governance', 'policy', 'rules', 'audit'],
      include: ['.cortex/artifacts/governance_*.md', 'policies/*.md'],
    },
    {
      key: 'direction',
      about: 'Where the project goes.',
      words: ['direction', 'strategy', 'north star', 'goal'],
      include: ['.cortex/artifacts/direction_*.md', 'policies/*.md'],
    },
    {
      key: 'spec',
      about: 'What exactly is promised.',
      words: ['spec', 'schema', 'contract'],
      include: ['specs/*.md', '.cortex/artifacts/*.md'],
    },
    {
      key: 'default',
      about: 'Everything else.',
      words: [],
      include: ['.cortex/artifacts/*.md', 'specs/*.md'],
    },
  ],
  match: null,
  exclude: [],
  tactical: ['notes', 'log', 'gaps'],
  adapters: [],
  budget: DEFAULT_BUDGET,
  // The four files and three decisions above hold their place in a small budget too, as in the original.
  partitions: { ...DEFAULT_PARTITIONS, control_plane: { ...DEFAULT_PARTITIONS.control_plane, min_files: 7 } },
};
