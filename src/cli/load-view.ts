import type { Bundle } from '../loader/bundle.ts';
import type { Terminal } from './terminal.ts';

export function loadView(bundle: Bundle, _terminal: Pick<Terminal, 'columns' | 'paint'>): string {
  return bundle.bundle_sha256;
}
