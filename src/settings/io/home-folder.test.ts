import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { cacheFolder, expandTilde, homeFolder, withTilde } from './open-app.ts';

const HOME = '/people/ada';

describe('places', () => {
  it('M3 finds the home: option, BEARINGS_HOME, ~/.bearings', () => {
    const variables = { HOME, BEARINGS_HOME: '/b' };
    expect(homeFolder('/a', variables, '/cwd')).toBe('/a');
    expect(homeFolder(undefined, variables, '/cwd')).toBe('/b');
    expect(homeFolder('', { HOME, BEARINGS_HOME: '' }, '/cwd')).toBe('/people/ada/.bearings');
    expect(homeFolder('sub', variables, '/cwd')).toBe('/cwd/sub');
    expect(homeFolder('~/x', variables, '/cwd')).toBe('/people/ada/x');
    expect(homeFolder(undefined, { HOME, BEARINGS_HOME: '~' }, '/cwd')).toBe(HOME);
  });

  it('M3 expands ~ at the start and nowhere else', () => {
    expect(expandTilde('~', { HOME })).toBe(HOME);
    expect(expandTilde('~/a', { HOME })).toBe('/people/ada/a');
    expect(expandTilde('~bob/a', { HOME })).toBe('~bob/a');
    expect(expandTilde('a/~', { HOME })).toBe('a/~');
    expect(expandTilde('~', { HOME: '' })).toBe(homedir());
  });

  it('M31 shortens the home towards a person, by segments', () => {
    expect(withTilde('/people/ada', { HOME })).toBe('~');
    expect(withTilde('/people/ada/x', { HOME })).toBe('~/x');
    expect(withTilde('/people/adam', { HOME })).toBe('/people/adam');
  });

  it('M14 keeps what is derived apart from what is memory', () => {
    expect(cacheFolder('/h', { HOME, BEARINGS_CACHE: '~/c' })).toBe('/people/ada/c');
    expect(cacheFolder('/h', { HOME, BEARINGS_CACHE: '', XDG_CACHE_HOME: '/x' })).toBe('/x/bearings');
  });
});
