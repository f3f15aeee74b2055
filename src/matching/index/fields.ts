/** What each kind of key stands for; a key is this letter and the term. */
export const FIELD = {
  body: 'b',
  path: 'p',
  base: 'n',
  defined: 'D',
  folder: 'g',
  subject: 's',
  kind: 'k',
  sequence: 'q',
  speaker: 'w',
} as const;

export const LENGTHS = ['body', 'path', 'base'] as const;
export type Lengths = Record<(typeof LENGTHS)[number], number>;
