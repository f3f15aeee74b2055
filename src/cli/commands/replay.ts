import { invalidInput } from '../../errors.ts';
import { showHidden } from '../../safety/hidden-characters.ts';
import type { Command } from '../command.ts';
import { EXIT } from '../command.ts';
import { counted, grouped, padTo, wrap } from '../views/columns.ts';

const WORDS = { same: 'the same bytes', differs: 'differs', lost: "can't be rebuilt" } as const;
const INDENT = 12;

export const command: Command = {
  summary: 'make again what a session was served, and compare',
  usage: ['bearings replay SESSION [WORKSPACE] [--project DIR]'],
  details: [
    'Memory is taken back decision by decision, bundles are built from the commit of that time. Says of',
    'each text: the same bytes, or what differs and why. Exit code 1 where one is not the same.',
    'Nothing is written: commits are read from git, your work tree is not touched.',
    'To read what happened in a session, with times: bearings sessions replay.',
  ],
  options: {
    project: {
      type: 'string',
      value: 'DIR',
      about: "the project of its bundles (default: the workspace's repository, else this folder)",
    },
  },
  waitingFor: 'making it again',
  maxWords: 2,
  examples: [
    { line: 'bearings replay 4f2a91c03b7d', about: 'is it still known what the agent saw?' },
    { line: 'bearings replay 4f2a91c03b7d --project ../app', about: 'its bundles are of another folder' },
  ],
  async run({ words: [sessionId, workspace], text, bearings, terminal, json }) {
    if (sessionId === undefined) throw invalidInput('Which session?', 'See all: bearings sessions list');
    const replay = await (await bearings.replays()).replay(sessionId, { workspace, dir: text('project') });
    const others = replay.texts.filter(({ verdict }) => verdict !== 'same');
    const code = others.length === 0 ? EXIT.done : EXIT.checkFailed;
    if (json) {
      terminal.print(JSON.stringify(replay, null, 2));
      return code;
    }
    const { session_id, image_id, client, texts } = replay;
    terminal.print(showHidden(`${session_id} · ${image_id ?? 'home'} · ${client}`));
    for (const { at, tool, chars, head, verdict, causes } of texts) {
      const commit = head === null || tool !== 'load_context' ? '' : `   commit ${showHidden(head.slice(0, 9))}`;
      const size = `${grouped(chars)} characters`.padStart(20);
      terminal.print(
        `  ${showHidden(at.slice(11, 19))}  ${padTo(showHidden(tool ?? 'bundle'), 12)} ${size}   ${WORDS[verdict]}${commit}`,
      );
      for (const cause of causes)
        for (const line of wrap(showHidden(cause), terminal.columns - INDENT))
          terminal.print(`${' '.repeat(INDENT)}${line}`);
    }
    if (texts.length === 0) terminal.print('nothing was served in this session');
    else if (others.length === 0) terminal.print(`all ${counted(texts.length, 'text')}: the same bytes`);
    else terminal.print(`${others.length} of ${counted(texts.length, 'text')} not the same`);
    return code;
  },
};
