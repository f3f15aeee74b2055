import { describe, expect, it } from 'vitest';
import { CLIENTS } from './client-table.ts';
import { locationOn, type Machine } from './file-location.ts';

const LINUX: Machine = { platform: 'linux', home: '/home/ada', variables: { HOME: '/home/ada' } };
const MAC: Machine = { platform: 'darwin', home: '/Users/ada', variables: { HOME: '/Users/ada' } };
const WINDOWS: Machine = {
  platform: 'win32',
  home: 'C:\\Users\\ada',
  // As Git's own shell sets it: a path that no Windows program understands.
  variables: { HOME: '/c/Users/ada', USERPROFILE: 'C:\\Users\\ada', APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' },
};

const userFiles = (machine: Machine) =>
  Object.fromEntries(CLIENTS.map(({ id, files }) => [id, locationOn(files.user, '', machine)]));
const withVariables = (machine: Machine, variables: Machine['variables']): Machine => ({
  ...machine,
  variables: { ...machine.variables, ...variables },
});

describe('where the clients keep their files', () => {
  it('on Linux', () => {
    expect(userFiles(LINUX)).toEqual({
      'claude-code': '/home/ada/.claude.json',
      'claude-desktop': '/home/ada/.config/Claude/claude_desktop_config.json',
      cursor: '/home/ada/.cursor/mcp.json',
      vscode: '/home/ada/.config/Code/User/mcp.json',
      zed: '/home/ada/.config/zed/settings.json',
      codex: '/home/ada/.codex/config.toml',
      'gemini-cli': '/home/ada/.gemini/settings.json',
      windsurf: '/home/ada/.codeium/windsurf/mcp_config.json',
      'copilot-cli': '/home/ada/.copilot/mcp-config.json',
      opencode: '/home/ada/.config/opencode/opencode.json',
    });
  });

  it('on macOS', () => {
    expect(userFiles(MAC)).toEqual({
      'claude-code': '/Users/ada/.claude.json',
      'claude-desktop': '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
      cursor: '/Users/ada/.cursor/mcp.json',
      vscode: '/Users/ada/Library/Application Support/Code/User/mcp.json',
      zed: '/Users/ada/.config/zed/settings.json',
      codex: '/Users/ada/.codex/config.toml',
      'gemini-cli': '/Users/ada/.gemini/settings.json',
      windsurf: '/Users/ada/.codeium/windsurf/mcp_config.json',
      'copilot-cli': '/Users/ada/.copilot/mcp-config.json',
      opencode: '/Users/ada/.config/opencode/opencode.json',
    });
  });

  it('on Windows', () => {
    expect(userFiles(WINDOWS)).toEqual({
      'claude-code': 'C:\\Users\\ada\\.claude.json',
      'claude-desktop': 'C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
      cursor: 'C:\\Users\\ada\\.cursor\\mcp.json',
      vscode: 'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json',
      zed: 'C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json',
      codex: 'C:\\Users\\ada\\.codex\\config.toml',
      'gemini-cli': 'C:\\Users\\ada\\.gemini\\settings.json',
      windsurf: 'C:\\Users\\ada\\.codeium\\windsurf\\mcp_config.json',
      'copilot-cli': 'C:\\Users\\ada\\.copilot\\mcp-config.json',
      opencode: 'C:\\Users\\ada\\.config\\opencode\\opencode.json',
    });
    const { vscode } = userFiles({ ...WINDOWS, variables: {} });
    expect(vscode).toBe('C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json');
    expect(userFiles(withVariables(WINDOWS, { APPDATA: 'D:\\Roaming' })).zed).toBe('D:\\Roaming\\Zed\\settings.json');
  });

  it('where variables say so; XDG on Linux alone, but for OpenCode', () => {
    const xdg = { XDG_CONFIG_HOME: '/cfg' };
    const changed = (machine: Machine) => {
      const [before, after] = [userFiles(machine), userFiles(withVariables(machine, xdg))];
      return Object.keys(after).filter((id) => after[id] !== before[id]);
    };
    expect(changed(LINUX)).toEqual(['claude-desktop', 'vscode', 'zed', 'opencode']);
    expect(userFiles(withVariables(LINUX, xdg)).zed).toBe('/cfg/zed/settings.json');
    expect(changed(MAC)).toEqual(['opencode']);
    expect(changed(WINDOWS)).toEqual(['opencode']);
    const own = userFiles(withVariables(MAC, { CODEX_HOME: '/x/codex', CLAUDE_CONFIG_DIR: '/x/claude' }));
    expect([own.codex, own['claude-code']]).toEqual(['/x/codex/config.toml', '/x/claude/.claude.json']);
  });

  it('in a project, and the hooks beside', () => {
    const [claude] = CLIENTS;
    const at = (machine: Machine, project: string) =>
      CLIENTS.flatMap(({ files }) => (files.project ? [locationOn(files.project, project, machine)] : []));
    expect(at(WINDOWS, 'D:\\app')).toContain('D:\\app\\.vscode\\mcp.json');
    expect(at(MAC, '/app')).toContain('/app/.zed/settings.json');
    expect(at(LINUX, '/')).toContain('/.mcp.json');
    const hooks = claude?.hooks;
    expect(hooks && locationOn(hooks.user, '', WINDOWS)).toBe('C:\\Users\\ada\\.claude\\settings.json');
    expect(hooks && locationOn(hooks.project, '/app', MAC)).toBe('/app/.claude/settings.local.json');
  });
});
