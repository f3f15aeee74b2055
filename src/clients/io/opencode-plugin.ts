import type { EntryState } from '../json-entry.ts';

const HEAD = '// Written by: bearings install opencode. Taken out by: bearings install opencode --undo';
const COMMAND = /^const command = (\[.*\]);$/m;

// OpenCode has plugins in place of hooks: a small one of ours starts the same program at the same moments. A text goes into the message or
// the tool's answer, a stop is an error. Whatever fails leaves OpenCode working.
const BODY = `
const ask = (event, input) =>
  new Promise((resolve) => {
    let said = '';
    const [program, ...args] = command.map((word) => (word === 'EVENT' ? event : word));
    const child = spawn(program, args, { cwd: input.cwd, stdio: ['pipe', 'pipe', 'ignore'], timeout: 60_000 });
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    child.stdin.on('error', () => {});
    child.on('error', () => resolve({}));
    child.on('close', () => {
      try {
        resolve(JSON.parse(said));
      } catch {
        resolve({});
      }
    });
    child.stdin.end(JSON.stringify(input));
  });

export const Bearings = async ({ directory: cwd }) => {
  const source = new Map();
  return {
    'chat.message': async ({ sessionID }, { message, parts }) => {
      const prompt = parts.filter((part) => part.type === 'text' && !part.synthetic).map((part) => part.text).join('\\n');
      const calls = [{ event: 'prompt', prompt }];
      if (source.get(sessionID) !== 'given') calls.unshift({ event: 'session-start', source: source.get(sessionID) ?? 'startup' });
      source.set(sessionID, 'given');
      for (const { event, ...input } of calls) {
        const { additionalContext: text } = await ask(event, { ...input, cwd, session_id: sessionID });
        const id = 'prt_' + Date.now().toString(16).padStart(12, '0') + randomBytes(7).toString('hex');
        if (text) parts.push({ id, sessionID, messageID: message.id, type: 'text', text, synthetic: true });
      }
    },
    'tool.execute.before': async ({ tool, sessionID }, { args }) => {
      const said = await ask('before-tool', { tool_name: tool, tool_input: args, cwd, session_id: sessionID });
      if (said.permissionDecision === 'deny') throw new Error(said.permissionDecisionReason);
    },
    'tool.execute.after': async ({ tool, sessionID, args }, output) => {
      const { additionalContext } = await ask('after-tool', { tool_name: tool, tool_input: args, cwd, session_id: sessionID });
      if (additionalContext && typeof output.output === 'string') output.output += '\\n\\n' + additionalContext;
    },
    'experimental.session.compacting': async ({ sessionID }) => {
      source.set(sessionID, 'compact');
      await ask('before-compaction', { cwd, session_id: sessionID });
    },
  };
};
`;

/** One of the words is the moment at which it is called. */
export function pluginText(launch: readonly string[], event: string): string {
  const command = JSON.stringify(launch.map((word) => (word === event ? 'EVENT' : word)));
  const imports = "import { spawn } from 'node:child_process';\nimport { randomBytes } from 'node:crypto';";
  return `${HEAD}\n${imports}\n\nconst command = ${command};\n${BODY}`;
}

/** What a plugin of ours starts at one moment, as words. */
export function pluginCommand(text: string, event: string): string[] {
  const words: unknown = JSON.parse(COMMAND.exec(text)?.[1] ?? '[]');
  return Array.isArray(words) ? words.map((word) => (word === 'EVENT' ? event : String(word))) : [];
}

/** The file is ours as a whole, or it is none of our business. */
export const pluginTools = {
  look(text: string): EntryState {
    if (text.trim() === '') return { status: 'absent' };
    if (!text.startsWith(HEAD)) return { status: 'broken', reason: 'it is a plugin that somebody else wrote' };
    return { status: 'present', value: text };
  },
  put: (_: string, value: unknown) => String(value),
  take: () => '',
  brings: () => 0,
};
