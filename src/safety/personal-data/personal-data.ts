import { type Finding, mergeFindings } from '../finding.ts';
import { findAccountNumbers } from './account-numbers.ts';
import { findMailAddresses } from './mail-addresses.ts';
import { findNationalIds } from './national-ids.ts';
import { findPhoneNumbers } from './phone-numbers.ts';

// What points to one person: mail, phone, national ids, cards and bank accounts.
export function findPersonalData(text: string): Finding[] {
  if (!/[0-9]/.test(text)) return findMailAddresses(text);
  return mergeFindings(findMailAddresses(text), findPhoneNumbers(text), findNumbers(text));
}

// Numbers of persons with a checksum, beside a word that names them. Files of a project name people on purpose, and every
// tenth number in code passes some check digit: only what is certain counts there.
export function findCertainNumbers(text: string): Finding[] {
  return /[0-9]/.test(text) ? findNumbers(text).filter(({ certainty }) => certainty === 'certain') : [];
}

function findNumbers(text: string): Finding[] {
  return mergeFindings(findAccountNumbers(text), findNationalIds(text));
}
