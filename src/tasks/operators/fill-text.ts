import { cleanText, redactedWarning } from '../clean-text.ts';
import { type Scope, textOf } from '../inputs.ts';
import { fillPlaceholders } from '../template/placeholders.ts';

export interface Filling {
  scope: Scope | null;
  /** What `{{results}}` stands for; empty: an input of that name, if there is one. */
  results?: string;
  /** Stays as it is: a list has no text. */
  list?: string | null;
  /** Told of what was redacted. */
  warnings?: string[];
}

// A description or a prompt with its inputs, which may bring what no model should see.
export function fillText(text: string, { scope, results = '', list = null, warnings }: Filling): string {
  return fillPlaceholders(text, (name) => {
    if (name === list) return name;
    if (name === 'results' && results !== '') return results;
    const { text: clean, kinds } = cleanText(textOf(scope, name));
    if (kinds.length > 0) warnings?.push(redactedWarning(`The input "${name}"`, kinds));
    return clean;
  });
}
