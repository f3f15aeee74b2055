import type { Slice } from '../bundle/partitions.ts';

/** A text from outside the project, in its fields, before it is made into an excerpt. */
export interface OutsideEntry {
  source_class: Extract<Slice, 'tactical' | 'adapter'>;
  id: string;
  fields: OutsideField[];
}

export interface OutsideField {
  name: string;
  value: string;
  /** `line`: must stay on one line, or it could pass for something it is not. */
  kind: 'line' | 'text';
}

interface Sanitised {
  /** Null: not safe to show at all. */
  entry: OutsideEntry | null;
  /** Each names class and field, never the value. */
  warnings: string[];
}

/** Sees every field of every tactical and adapter entry before anything else does. */
export type Sanitise = (entry: OutsideEntry) => Sanitised;

// All control characters, written out: a Unicode class would take longer to load than the rest of this file.
const BREAKS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

// Keeps forged structure out: a line break in a title could pose as another item. It looks at nothing else.
export const keepOnOneLine: Sanitise = (entry) => {
  const warnings: string[] = [];
  const fields = entry.fields.map((field) => {
    if (field.kind !== 'line') return field;
    const value = oneLine(field.value);
    if (value !== field.value)
      warnings.push(`${entry.source_class} entry: forged_structure in ${field.name} is made harmless.`);
    return { ...field, value };
  });
  return { entry: { ...entry, id: oneLine(entry.id), fields }, warnings };
};

export function oneLine(text: string): string {
  return text.replace(BREAKS, ' ');
}
