import type { SanitiseAction } from '../../safety/sanitise.ts';

// More names than that help nobody; the count still tells how many there are.
const MAX_NAMED = 50;

// One line for a class and a field, however many entries have it there: `mail_address in items[0].author, items[4].author …`.
export function warningsOf(actions: readonly SanitiseAction[]): string[] {
  const groups = new Map<string, SanitiseAction[]>();
  for (const action of actions) {
    const key = JSON.stringify([action.kind, action.action, action.field.replace(/\[[0-9]+\]/g, '[]')]);
    const group = groups.get(key);
    if (group) group.push(action);
    else groups.set(key, [action]);
  }
  return [...groups.values()].map(lineOf);
}

function lineOf(group: SanitiseAction[]): string {
  const { kind = '', action = '' } = group[0] ?? {};
  const fields = [...new Set(group.map(({ field }) => field))];
  const named = fields.slice(0, MAX_NAMED).join(', ');
  const more = fields.length > MAX_NAMED ? ` and ${fields.length - MAX_NAMED} more` : '';
  const times = group.length > 1 ? ` (${group.length} times)` : '';
  return `${kind} in ${named}${more} is ${action}${times}.`;
}
