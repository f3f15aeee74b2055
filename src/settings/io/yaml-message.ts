import { shownName } from '../../safety/hidden-characters.ts';

const MAX_MESSAGE = 200;

// The library's sentence without its place and without what it quotes of hidden characters: it may reach a terminal or an agent.
export function plainMessage(message: string): string {
  const sentence = (message.split('\n')[0] ?? message).replace(/ at line \d+, column \d+:?$/, '');
  return shownName(sentence, MAX_MESSAGE);
}
