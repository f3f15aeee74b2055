import { BearingsError } from '../../errors.ts';
import { withoutOuterBlankLines } from '../../gate/ledger/text-blocks.ts';
import type { Conversation } from './conversation.ts';

/** What the person made of a text in her editor; null: nothing else. */
export async function editedText({ bearings, screen }: Conversation, text: string): Promise<string | null> {
  try {
    const edited = withoutOuterBlankLines(await screen.lend(async () => (await bearings.workspaces()).editText(text)));
    return edited === withoutOuterBlankLines(text) ? null : edited;
  } catch (error) {
    if (!(error instanceof BearingsError)) throw error;
    screen.say(error.message);
    return null;
  }
}
