import { useEffect, useState } from 'preact/hooks';
import { orNull } from '../../errors.ts';

// The address says what is shown, so that back, forward and reload do what one expects.
export function useRoute(): string[] {
  const [path, setPath] = useState(location.pathname);
  useEffect(() => {
    const read = () => setPath(location.pathname);
    addEventListener('popstate', read);
    return () => removeEventListener('popstate', read);
  }, []);
  return path.split('/').filter(Boolean).map(decoded);
}

export function go(...steps: string[]): void {
  const path = pathOf(...steps);
  if (path === location.pathname) return;
  history.pushState(null, '', path);
  dispatchEvent(new PopStateEvent('popstate'));
}

/** The address changes, the page stays as it is. */
export function rename(...steps: string[]): void {
  history.replaceState(null, '', pathOf(...steps));
}

export function pathOf(...steps: string[]): string {
  return `/${steps.map(encodeURIComponent).join('/')}`;
}

const decoded = (step: string): string => orNull(() => decodeURIComponent(step)) ?? step;
