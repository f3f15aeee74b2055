/** How a try ends. `told`: by verify and beside every context; `only --expect`: by verify with the fingerprint alone. */
export type Outcome = 'decides' | 'prevented' | 'told' | 'only `--expect`';

export const LEVELS = ['ask', 'passphrase', 'passkey'] as const;
export type Level = (typeof LEVELS)[number];

/** The table of docs/security.md: carried out by levels.test.ts, compared by security-table.test.ts. */
export const OUTCOMES: Readonly<Record<string, readonly [ask: Outcome, passphrase: Outcome, passkey: Outcome]>> = {
  'An agent with MCP alone asks for its own yes': ['prevented', 'prevented', 'prevented'],
  'A client program declares elicitation and answers itself': ['decides', 'prevented', 'prevented'],
  'A program calls the library': ['decides', 'prevented', 'prevented'],
  'A program runs `review` in a terminal it makes': ['decides', 'prevented', 'prevented'],
  'A program has the code of the page': ['decides', 'prevented', 'prevented'],
  'A program puts back the open key it copied earlier, and decides': ['decides', 'told', 'told'],
  'A program puts in a key of its own, which calls yours an earlier one, and decides': [
    'only `--expect`',
    'told',
    'told',
  ],
  'A program deletes the key': ['told', 'told', 'told'],
  'A program deletes the ledger': ['told', 'told', 'told'],
  'A program writes into your notes': ['told', 'told', 'told'],
  'A program replaces key, ledgers and home together': ['only `--expect`', 'only `--expect`', 'only `--expect`'],
};
