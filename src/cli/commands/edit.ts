import { invalidInput } from '../../errors.ts';
import type { Call, Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { counted } from '../views/columns.ts';

export const command: Command = {
  summary: 'open brief, notes or a taste in your editor',
  usage: ['bearings edit brief [ID]', 'bearings edit notes [ID]', 'bearings edit tastes [NAME]'],
  details: ['Opens VISUAL, EDITOR or the `editor` setting. Needs a terminal: memory is edited by a person.'],
  options: {},
  maxWords: 2,
  examples: [
    { line: 'bearings edit brief manta_001', about: 'say what this work is about' },
    { line: 'bearings edit tastes underwater', about: 'change one taste' },
  ],
  async run({ words: [what, name], bearings, terminal, json }) {
    if (what !== 'brief' && what !== 'notes' && what !== 'tastes') {
      throw invalidInput('edit opens brief, notes or tastes.', 'For example: bearings edit brief');
    }
    if (!terminal.canAsk)
      throw invalidInput(
        'edit needs a terminal: memory is edited by a person.',
        'Run it in a terminal, or open the file in any editor.',
      );
    const target = what === 'notes' ? { id: name } : {};
    const meant = what === 'brief' ? null : what === 'notes' ? 'notes.md' : `tastes/${name ?? '_default'}`;
    const before = meant === null ? null : await bearings.internal.blocksBefore(meant, target);
    const { file } = await bearings.internal.editFile(what, name);
    const accounted =
      meant === null || before === null ? null : await account({ bearings, terminal }, meant, target, before);
    if (json) terminal.print(JSON.stringify({ file, ...accounted }));
    else
      terminal.print(
        ['saved ' + file, inWords(accounted), 'see what an agent gets: bearings read'].filter(Boolean).join(' · '),
      );
    return EXIT.done;
  },
};

// The person sat at the keyboard: what changed is hers, and the ledger says so at once.
async function account(
  { bearings, terminal }: Pick<Call, 'bearings' | 'terminal'>,
  file: string,
  target: { id?: string | undefined },
  before: ReadonlySet<string>,
): Promise<{ adopted: number; removed: number } | null> {
  const locked = (await bearings.gate.confirmLevel()) === 'passphrase';
  const passphrase = locked ? await terminal.askSecret('passphrase (empty: decide later in review): ') : undefined;
  if (locked && !passphrase) return null;
  return bearings.internal.accountEdit(file, target, { via: 'edit', before, passphrase: passphrase ?? undefined });
}

function inWords(accounted: { adopted: number; removed: number } | null): string {
  if (!accounted || accounted.adopted + accounted.removed === 0) return '';
  const { adopted, removed } = accounted;
  const yours = adopted > 0 ? `${counted(adopted, 'block')} ${adopted === 1 ? 'is' : 'are'} yours` : '';
  return [yours, removed > 0 ? `${removed} taken out` : ''].filter(Boolean).join(', ');
}
