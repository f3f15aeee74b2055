// What Node's own parser says of a command line, in the words that every other command has for it.
export function argumentFault(error: unknown): string {
  const [said = ''] = (error as Error).message.split(/[.\n]/);
  const [, unknown] = /^Unknown option '(.+)'$/.exec(said.trim()) ?? [];
  return unknown === undefined ? `${said.trim()}.` : `There is no option ${unknown}.`;
}
