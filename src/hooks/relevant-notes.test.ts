import { expect, it } from 'vitest';
import { createTokenizer } from '../matching/text/terms.ts';
import { relevantNotes } from './relevant-notes.ts';

const pushed = (prompt: string, ...texts: string[]) =>
  relevantNotes(
    texts.map((text) => ({ text, paths: [] })),
    prompt,
    createTokenizer(),
  ).map(({ text }) => text);

it('M52 a note that begins with what a prompt is about comes before one that mentions it', () => {
  const [about, mention] = [
    'Thumbnails are cut by the still worker.',
    'Editors check captions, credits and thumbnails.',
  ];
  expect(pushed('the thumbnails are blurred', mention, about)).toEqual([about]);
  expect(pushed('the thumbnails are blurred', mention)).toEqual([mention]);
});

it('M52 everyday words name a note together where they are half of it', () => {
  const sorted = 'Orders are sorted newest first.';
  for (const prompt of [
    'how are orders sorted in the API?',
    'sort the orders newest first',
    'fix how orders are sorted',
  ])
    expect(pushed(prompt, sorted, 'Prices are in cents.')).toEqual([sorted]);
  expect(pushed('orders come out wrong', sorted)).toEqual([]);
});

it('M52 a short word does not stand for every longer one that begins so', () => {
  expect(pushed('roll the tape', 'Tapestries hang in the hall.')).toEqual([]);
  expect(pushed('the configuration is wrong', 'Configurations are YAML.')).toEqual(['Configurations are YAML.']);
});

it('M52 a few words that ask for no work name nothing, nor does what is done to “it”', () => {
  const [about, mention] = [
    'Progress bars are drawn by the shell.',
    'Uploads of more than a minute show their progress in the tab.',
  ];
  for (const talk of ['any progress?', 'point taken', 'good job today', 'all set'])
    expect(pushed(talk, about, mention, 'Points are rounded.', 'Jobs are queued.', 'Sets are sorted.')).toEqual([]);
  expect(pushed('fix the progress', about)).toEqual([about]);
  // OpenCode puts what was typed on its command line into quotes.
  for (const said of ['Mend the uploads.', '"Mend the uploads."']) expect(pushed(said, mention)).toEqual([mention]);
  expect(pushed('animate the progress bars', about)).toEqual([about]);
  expect(pushed('the progress of uploads is wrong', mention)).toEqual([mention]);
  expect(pushed('ok, then copy that please', 'Copies of masters go to the archive.')).toEqual([]);
  const crash = 'Crash reports are in the console.';
  for (const talk of ['it crashed', 'crashed, again', 'no, I still crash', 'your crash'])
    expect(pushed(talk, crash)).toEqual([]);
  expect(pushed('the app crashes on start', crash)).toEqual([crash]);
  expect(pushed('do it properly', 'Properly signed builds go to the store.')).toEqual([]);
});
