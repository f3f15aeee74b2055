import { findAccountNumbers } from './account-numbers.ts';
import { type Finding, mergeFindings } from './finding.ts';
import { findMailAddresses } from './mail-addresses.ts';
import { findNationalIds } from './national-ids.ts';
import { findPhoneNumbers } from './phone-numbers.ts';

// What points to one person: mail, phone, national ids, cards and bank accounts.
export function findPersonalData(text: string): Finding[] {
  if (!/[0-9]/.test(text)) return findMailAddresses(text);
  const numbers = mergeFindings(findAccountNumbers(text), findNationalIds(text), findPhoneNumbers(text));
  return mergeFindings(findMailAddresses(text), numbers);
}
