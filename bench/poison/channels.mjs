// The ways by which poison reaches a memory. An agent that obeys takes most of them to its own write interface; a folder comes
// without it, and its own log is written with no thought of memory at all.
/** `way` is the function of a store that is driven; `source` what an honest agent would say about where the text is from. */
export const CHANNELS = [
  { name: 'tool output', way: 'remember', source: 'tool' },
  { name: 'repository file', way: 'remember', source: 'README.md' },
  { name: 'page', way: 'remember', source: 'https://pages.example/' },
  { name: 'another agent', way: 'remember', source: 'agent:helper' },
  { name: 'shipped folder', way: 'ship', source: 'clone' },
  { name: 'own log', way: 'log', source: 'self' },
];
