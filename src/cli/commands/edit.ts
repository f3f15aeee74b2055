import { typedName } from '../../closest.ts';
import type { HandEdit } from '../../gate/accounting/hand-edits.ts';
import { type Call, defineCommand, EXIT, needed, needsTerminal, oneOf } from '../command.ts';
import { askOnPage, askPassphrase } from '../proof.ts';
import { counted } from '../views/columns.ts';
import { fileDiff } from '../views/file-diff.ts';

export const command = defineCommand({
  help: `
    bearings edit brief [ID]
    bearings edit notes [ID]
    bearings edit tastes [NAME]

    Opens a private copy in VISUAL, EDITOR or the \`editor\` setting, shows what you changed, and replaces the file
    if it is still what was opened. A taste that is not there is made. A text that is not saved stays in unsaved/ of
    your home. Needs a terminal: memory is edited by a person.

    bearings edit tastes typescript  change one taste
  `,
  maxWords: 2,
  async run(call) {
    const { bearings, terminal, json } = call;
    const [first, name] = call.words;
    const what = needed(first, 'edit opens brief, notes or tastes.', 'For example: bearings edit brief');
    const isTaste = (await oneOf('edit', what, ['brief', 'notes', 'tastes'])) === 'tastes';
    const taste = (name ?? '_default').replace(/\.md$/, '');
    const isNew = isTaste && !(await (await bearings.tastes()).listTastes()).some((each) => each.name === taste);
    if (isNew) await (await bearings.tastes()).createTaste(taste);
    if (!terminal.canAsk)
      throw needsTerminal(
        `${isNew ? `tastes/${taste}.md is made and empty. ` : ''}edit needs a terminal: memory is edited by a person.`,
        'Run it in a terminal, or open the file in any editor.',
      );
    const target: { id?: string | undefined } = isTaste ? {} : { id: name };
    const file = isTaste ? `tastes/${taste}` : `${what}.md`;
    const { text: before, sha256 } = await (await bearings.gate()).editableText(file, target);
    const saved = await (await bearings.workspaces()).editText(before, (text) =>
      save(call, { file, target, before, text, sha256 }),
    );
    if (json) terminal.print(JSON.stringify({ file: file.replace('tastes/', ''), ...saved }));
    else if (saved === null) terminal.print('nothing changed');
    else {
      const { adopted, removed } = saved;
      const out = removed > 0 ? `, ${counted(removed, 'block')} taken out` : '';
      terminal.print(`saved ${file} · ${counted(adopted, 'block')} ${adopted === 1 ? 'is' : 'are'} yours${out}`);
      terminal.print(
        `see what an agent gets: bearings read${target.id === undefined ? '' : ` ${typedName(target.id)}`}`,
      );
    }
    return EXIT.done;
  },
});

// The person sat at the keyboard: what they changed is theirs, and the ledger says so with the same step.
async function save(
  call: Call,
  edit: { file: string; target: { id?: string | undefined }; before: string; text: string; sha256: string | null },
): Promise<{ adopted: number; removed: number } | null> {
  const { bearings, terminal, json } = call;
  if (!json) terminal.print(fileDiff(edit.before, edit.text, terminal).join('\n'));
  const gate = await bearings.gate();
  const write = async (how: HandEdit) => {
    const given = { ...how, text: edit.text, before_sha256: edit.sha256 };
    const { adopted, removed } = await gate.saveText(edit.file, edit.target, given);
    return { adopted, removed };
  };
  if ((await gate.confirmLevel()) === 'passkey') {
    const text = fileDiff(edit.before, edit.text, { paint: (_, line) => line });
    return askOnPage(call, { title: `Save this change of ${edit.file}?`, text }, write);
  }
  const passphrase = await askPassphrase(call);
  return passphrase === null ? null : write({ via: 'edit', passphrase });
}
