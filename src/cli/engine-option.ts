import { invalidInput } from '../errors.ts';
import type { Option } from './command.ts';

export const ENGINE_OPTION: Option = {
  type: 'string',
  value: 'URL',
  about: 'postgres://… shared with workers (also: BEARINGS_ENGINE; default: this process)',
};

// From the person alone: a command line or a variable, never a file of a project. It may hold a password, so it is not printed.
export function engineUrl(text: (name: string) => string | undefined): string | null {
  return text('engine') || process.env.BEARINGS_ENGINE || null;
}

export function wholeNumber(
  name: string,
  given: string | undefined,
  [min, max]: readonly [number, number],
): number | null {
  if (given === undefined) return null;
  const value = Number(given);
  if (given.trim() !== '' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw invalidInput(`--${name} takes a whole number from ${min} to ${max}.`, `For example: --${name} ${min}`);
}
