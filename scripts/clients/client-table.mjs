// The clients that can be had from npm and start without an account: where the program lies, how it is pointed at the scripted model,
// and what its screen shows. Facts of these versions, seen by running them.
import { join } from 'node:path';

/** What the person writes in place of the note, where the client's form has a field. */
export const OTHER_WORDS = 'The parser keeps every token.';

const KEY = 'sk-ant-api03-no-account-no-account-00';

export const CLIENTS = {
  'claude-code': {
    npm: ['@anthropic-ai/claude-code@2.1.327'],
    program: (folder) =>
      join(folder, `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`),
    args: ['-p', 'Mend the parser.', '--allowedTools', 'mcp__bearings'],
    variables: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: KEY,
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    files: ({ repo }) => ({
      '.claude.json': JSON.stringify({
        hasCompletedOnboarding: true,
        theme: 'dark',
        customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
        projects: {
          [repo]: {
            hasTrustDialogAccepted: true,
            hasCompletedProjectOnboarding: true,
            enabledMcpjsonServers: ['bearings'],
          },
        },
      }),
    }),
    hasHook: true,
    /** It was told in `files` that the project's servers may start. */
    hasShared: true,
    terminal: {
      args: ['--allowedTools', 'mcp__bearings'],
      ready: /\? for shortcuts|❯/,
      opening: [],
      answers: {
        accept: [{ press: 'Down', shows: /❯ Accept/ }, { press: 'Enter' }],
        edit: [{ write: OTHER_WORDS }, { press: 'Down', shows: /❯ Accept/ }, { press: 'Enter' }],
        decline: [{ press: 'Down', shows: /❯ Accept/ }, { press: 'Right', shows: /❯ Decline/ }, { press: 'Enter' }],
      },
      asksForTools: /Do you want to proceed/,
      compaction: { command: '/compact', done: /ompacted/, bringsContext: true },
    },
    hookFile: '.claude/settings.json',
    tools: {
      command: (command) => ({ tool: 'Bash', input: { command, description: 'push' } }),
      read: (file_path) => (body) => ({
        tool: 'Read',
        input: { file_path: `${/"cwd"|Primary working directory: ([^\\"]+)/.exec(body)?.[1] ?? '.'}/${file_path}` },
      }),
    },
    subagent: {
      tool: 'Agent',
      input: { description: 'mend', prompt: 'Mend a part.', subagent_type: 'general-purpose' },
    },
  },
  codex: {
    npm: ['@openai/codex@0.169.0'],
    program: (folder) => join(folder, 'node_modules/.bin/codex'),
    // Its own question about new hooks needs a terminal; the hook itself is the one that install wrote.
    args: ['exec', '--dangerously-bypass-approvals-and-sandbox', '--dangerously-bypass-hook-trust', 'Mend the parser.'],
    variables: () => ({}),
    files: ({ repo, model }) => ({
      '.codex/config.toml': [
        'model = "scripted"',
        'model_provider = "loopback"',
        'check_for_update_on_startup = false',
        '[model_providers.loopback]',
        'name = "loopback"',
        `base_url = "${model.url}/v1"`,
        'wire_api = "responses"',
        `[projects."${repo}"]`,
        'trust_level = "trusted"',
        '',
      ].join('\n'),
    }),
    hasHook: true,
    hookFile: '.codex/hooks.json',
    tools: {
      command: (cmd) => ({ tool: 'exec_command', input: { cmd } }),
      // It reads files through its shell; a model that it does not know has no other tool to edit.
      read: (file) => ({ tool: 'exec_command', input: { cmd: `sed -n 1,9p ${file}` } }),
    },
    terminal: {
      args: [],
      ready: /Ask Codex to do anything/,
      // A new hook runs once the person trusts it.
      opening: [{ press: '2', after: /Hooks need review/, shows: /› 2\. Trust all/ }, { press: 'Enter' }],
      // A digit chooses and sends. Its forms know no "no": it is one of our choices, and Escape takes the question away.
      answers: {
        accept: [{ press: '1' }],
        edit: [{ press: '2', shows: /Type your answer/ }, { write: OTHER_WORDS }, { press: 'Enter' }],
        decline: [{ press: '3' }],
        cancel: [{ press: 'Escape' }],
      },
      compaction: { command: '/compact', done: /ompacted/, bringsContext: true },
    },
  },
  'gemini-cli': {
    npm: ['@google/gemini-cli@0.61.0'],
    program: (folder) => join(folder, 'node_modules/.bin/gemini'),
    args: ['--approval-mode', 'yolo', '-p', 'Mend the parser.'],
    variables: ({ url }) => ({
      GEMINI_API_KEY: KEY,
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_TELEMETRY_ENABLED: 'false',
    }),
    files: () => ({ '.gemini/settings.json': '{"security":{"auth":{"selectedType":"gemini-api-key"}}}\n' }),
    hasHook: true,
    hookFile: '.gemini/settings.json',
    tools: {
      command: (command) => ({ tool: 'run_shell_command', input: { command } }),
      read: (file_path) => ({ tool: 'read_file', input: { file_path } }),
    },
    terminal: {
      // A model by name: else it asks the model first which model to take.
      args: ['--approval-mode', 'yolo', '--model', 'gemini-2.5-pro'],
      ready: /Type your message/,
      opening: [],
      answers: {},
      // It calls a hook before compaction alone, and takes no text from it.
      compaction: { command: '/compress', done: /compressed from/, bringsContext: false },
    },
  },
  opencode: {
    npm: ['opencode-ai@1.18.33'],
    program: (folder) => join(folder, `node_modules/opencode-${process.platform}-${process.arch}/bin/opencode`),
    args: ['run', 'Mend the parser.'],
    variables: () => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    }),
    files: ({ model }) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        model: 'loopback/scripted',
        share: 'disabled',
        provider: {
          loopback: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${model.url}/v1`, apiKey: KEY },
            models: { scripted: {} },
          },
        },
      }),
    }),
    hasHook: true,
    hookFile: '.config/opencode/plugin/bearings.js',
    tools: {
      command: (command) => ({ tool: 'bash', input: { command, description: 'push' } }),
      read: (filePath) => (body) => ({
        tool: 'read',
        input: { filePath: `${/Working directory: ([^\\"\n]+)/.exec(body)?.[1] ?? '.'}/${filePath}` },
      }),
    },
  },
  'copilot-cli': {
    npm: ['@github/copilot@1.0.102'],
    program: (folder) => join(folder, `node_modules/@github/copilot-${process.platform}-${process.arch}/copilot`),
    args: ['-p', 'Mend the parser.', '--allow-all-tools', '--trust-folder'],
    // Offline it asks no account and calls nobody but this model.
    variables: ({ url }) => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_AUTO_UPDATE: 'false',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: KEY,
      COPILOT_MODEL: 'scripted',
    }),
    files: () => ({}),
    hasHook: true,
    hookFile: '.copilot/hooks/bearings.json',
    tools: {
      command: (command) => ({ tool: 'bash', input: { command, description: 'push' } }),
      read: (path) => (body) => ({
        tool: 'view',
        input: { path: `${/Current working directory: ([^\\"\n]+)/.exec(body)?.[1] ?? '.'}/${path}` },
      }),
    },
  },
};
