import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../src/cli/commands.ts';
import { ERROR_CODES } from '../src/errors.ts';
import * as api from '../src/index.ts';
import * as mcp from '../src/mcp/embed.ts';
import { TOOLS } from '../src/mcp/server.ts';
import * as person from '../src/person.ts';

// Names others build on. A change here is a change of contract: say it in CHANGELOG.md.
describe('pinned names', () => {
  it('the exports of the package', () => {
    expect(Object.keys(api).sort()).toEqual([
      'BearingsError',
      'CONFIG_KEYS',
      'ERROR_CODES',
      'NOTES_HEAD_LINES',
      'NOTES_TAIL_LINES',
      'NOTES_TRUNCATION_THRESHOLD',
      'defineTask',
      'openBearings',
      'parseTask',
      'runTask',
    ]);
  });

  it('the exports of its parts', () => {
    expect(Object.keys(person)).toEqual(['openPerson']);
    expect(Object.keys(mcp).sort()).toEqual(['TOOL_NAMES', 'mcpServerFactory', 'serveMcp']);
  });

  it('M31 the error codes', () => {
    expect([...ERROR_CODES]).toEqual([
      'invalid_input',
      'not_found',
      'conflict',
      'awaiting_person',
      'stale',
      'too_many',
      'io_error',
    ]);
  });

  it('the commands', () => {
    expect(Object.keys(COMMANDS)).toEqual([
      'init',
      'read',
      'show',
      'edit',
      'propose',
      'review',
      'search',
      'history',
      'undo',
      'erase',
      'why',
      'sessions',
      'learn',
      'export',
      'workspaces',
      'verify',
      'ui',
      'load',
      'explain',
      'match',
      'eval',
      'drift',
      'policy',
      'check',
      'run',
      'runs',
      'install',
      'mcp',
      'hook',
      'config',
      'doctor',
      'demo',
    ]);
  });

  it('the MCP tools', () => {
    expect(TOOLS.map((tool) => tool.name)).toEqual([
      'read_context',
      'read_full_notes',
      'load_context',
      'propose_taste_update',
      'propose_notes_update',
      'confirm_taste_update',
      'confirm_notes_update',
      'list_proposals',
      'withdraw_proposal',
      'end_session',
      'log_operation',
      'log_vocabulary_gap',
    ]);
  });
});
