import { findAccountNumbers } from './account-numbers.ts';
import { findEncoded } from './encoded-text.ts';
import { type Finding, mergeFindings } from './finding.ts';
import { findMailAddresses } from './mail-addresses.ts';
import { findNationalIds } from './national-ids.ts';
import { findPhoneNumbers } from './phone-numbers.ts';

// What points to one person: mail, phone, national ids, cards and bank accounts; by their names also papers, birth dates and
// home addresses.
export function findPersonalData(text: string): Finding[] {
  return mergeFindings(findPlain(text), findEncoded(text, findPlain));
}

function findPlain(text: string): Finding[] {
  if (!/[0-9]/.test(text)) return findMailAddresses(text);
  const numbers = mergeFindings(findAccountNumbers(text), findNationalIds(text), findPhoneNumbers(text));
  return mergeFindings(findMailAddresses(text), numbers);
}
