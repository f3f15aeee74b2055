// What a person sees of a client in a terminal: its own question with every answer that it has, and the context after compaction.
import { OTHER_WORDS } from './client-table.mjs';
import { MARK, withPlace } from './place.mjs';
import { openTerminal } from './terminal.mjs';

const PROMPT = 'Mend the parser.';
const READING_MS = 2_000;
const DONE = 'Done with it.';

/** What each answer leaves: in the notes, and waiting. */
const LEFT = {
  accept: { says: 'the note is there', notes: (note) => [note], waits: false },
  edit: { says: 'the person’s own words are there', notes: () => [OTHER_WORDS], waits: false },
  decline: { says: 'the note is not there', notes: () => [], waits: false },
  cancel: { says: 'nothing is decided, and it still waits', notes: () => [], waits: true },
};

/** `note`: what is proposed; `steps`: the model's calls that propose it and have it asked. */
export async function tryInTerminal(name, client, { program, check, note, steps }) {
  const { terminal: screen } = client;
  const inTerminal = (use) =>
    withPlace(name, client, [...steps, { text: DONE }], async (place) => {
      const terminal = await openTerminal(program, screen.args, place, screen.ready);
      try {
        await pressed(terminal, screen.opening);
        await use(terminal, place);
      } catch (error) {
        check('in a terminal, to the end', false, error.message);
      } finally {
        terminal.close();
      }
    });
  const answers = Object.entries(screen.answers);
  for (const [answer, keys] of answers)
    await inTerminal(async (terminal, place) => {
      await terminal.type(PROMPT, () => place.model.main().length > 0);
      const dialog = await terminal.until(/Bearings asks/);
      check(
        `${answer}: the question names the note, the target and who asks`,
        [note, 'notes.md', name].every((word) => dialog.includes(word)),
        dialog,
      );
      if (screen.asksForTools)
        check(
          `${answer}: one question, not two, once its tools are allowed`,
          !terminal.seen(screen.asksForTools),
          'the client asked about the tool first',
        );
      await asLongAsReading();
      await pressed(terminal, keys);
      await terminal.until(new RegExp(DONE));
      const left = LEFT[answer];
      const notes = place.bearings('show', 'notes');
      const expected = left.notes(note);
      const holds = [note, OTHER_WORDS].every((words) => notes.includes(words) === expected.includes(words));
      // A list that is cut to the width of a terminal.
      const waits = place.bearings('review', '--list').includes(note.slice(0, 16));
      check(
        `${answer}: ${left.says}`,
        holds && waits === left.waits,
        `${notes}\n${place.bearings('review', '--list')}`,
      );
      if (answer === 'accept') await compacted(terminal, place, { screen, check, words: [MARK, note] });
    });
  if (answers.length > 0) return;
  await inTerminal(async (terminal, place) => {
    // A prompt that is there before its hook has ended goes without: it is asked again.
    await terminal.type(PROMPT, () => place.model.main().some(({ body }) => body.includes(MARK)));
    await terminal.until(new RegExp(DONE));
    check(
      'in a terminal too, the context comes once its hook has ended',
      place.model.main().some(({ body }) => body.includes(MARK)),
      'no request holds it',
    );
    await compacted(terminal, place, { screen, check, words: [MARK] });
  });
}

async function compacted(terminal, { model }, { screen, check, words }) {
  const { command, done, bringsContext } = screen.compaction;
  const before = model.requests.length;
  const after = () => model.requests.slice(before).filter(({ body, isMain }) => isMain && body.includes('Go on.'));
  await terminal.command(command);
  await terminal.until(done);
  await terminal.type('Go on.', () => after().length > 0);
  const body = after()[0]?.body ?? '';
  if (bringsContext)
    check(
      `after compaction the context is back${words.length > 1 ? ', with the new note' : ''}`,
      words.every((each) => body.includes(each)),
      'the request after it lacks it',
    );
  else
    check(
      'after compaction the context is gone, and our word to read it is there',
      !body.includes(MARK) && body.includes('Start every session with read_context'),
      'the request after it holds the context, or nothing that leads to it',
    );
}

// A person reads and writes: what Codex answers within a second of a question decides nothing.
const asLongAsReading = () => new Promise((read) => setTimeout(read, READING_MS));

async function pressed(terminal, keys) {
  for (const { press, write, after, shows } of keys) {
    if (after) await terminal.until(after);
    if (write) {
      terminal.write(write);
      await terminal.until(new RegExp(write));
      await asLongAsReading();
    } else terminal.press(press);
    if (shows) await terminal.until(shows);
  }
}
