// What a client did, turn by turn, read from the events that it prints: which files it opened, which it edited, what it used.
import { relative, resolve } from 'node:path';

/** The events of one client as steps { turn, opened, edited } and the tokens of the whole. */
export function traceOf(client, lines, { root, files }) {
  const trace = { steps: [], turns: 0, tokens: { input: 0, output: 0 } };
  const known = new Set(files);
  const read = READERS[client];
  for (const line of lines) {
    const event = parsed(line);
    if (event) read(event, trace, { root, known });
  }
  return trace;
}

/** Against the files of the patch. `null`: it never came to that. */
export function measured({ steps, turns, tokens }, gold) {
  const right = new Set(gold);
  const wrong = new Set();
  let isFound = false;
  let firstEdit = null;
  let firstRightEdit = null;
  for (const { turn, opened, edited } of steps) {
    for (const path of [...opened, ...edited]) {
      if (right.has(path)) isFound = true;
      else if (!isFound) wrong.add(path);
    }
    if (edited.length > 0) firstEdit ??= turn;
    if (edited.some((path) => right.has(path))) firstRightEdit ??= turn;
  }
  return {
    openedBefore: isFound ? wrong.size : null,
    turnsToEdit: firstEdit,
    turnsToRightEdit: firstRightEdit,
    turns,
    tokens: tokens.input + tokens.output,
  };
}

const READERS = { 'claude-code': fromClaude, codex: fromCodex };

// An assistant's message may come in several events of one id: that is one turn.
function fromClaude(event, trace, project) {
  if (event.type !== 'assistant' || event.parent_tool_use_id) return;
  const { id, content = [], usage } = event.message ?? {};
  if (id !== trace.lastId) {
    trace.lastId = id;
    trace.turns += 1;
    trace.tokens.input +=
      (usage?.input_tokens ?? 0) + (usage?.cache_creation_input_tokens ?? 0) + (usage?.cache_read_input_tokens ?? 0);
    trace.tokens.output += usage?.output_tokens ?? 0;
  }
  for (const { type, name, input = {} } of content) {
    if (type !== 'tool_use') continue;
    const path = within(project, input.file_path ?? input.notebook_path ?? '');
    const own = path === null ? [] : [path];
    const step = { turn: trace.turns, opened: [], edited: [] };
    if (name === 'Read') step.opened = own;
    else if (/^(?:Edit|MultiEdit|Write|NotebookEdit)$/.test(name)) step.edited = own;
    else if (name === 'Bash') Object.assign(step, fromCommand(String(input.command ?? ''), project));
    trace.steps.push(step);
  }
}

function fromCodex(event, trace, project) {
  if (event.type === 'turn.completed') {
    trace.tokens.input += event.usage?.input_tokens ?? 0;
    trace.tokens.output += event.usage?.output_tokens ?? 0;
  }
  if (event.type !== 'item.completed') return;
  const { type, command = '', changes = [] } = event.item ?? {};
  if (type === 'command_execution') {
    trace.turns += 1;
    trace.steps.push({ turn: trace.turns, ...fromCommand(String(command), project) });
  } else if (type === 'file_change') {
    trace.turns += 1;
    const edited = changes.map(({ path }) => within(project, path)).filter((path) => path !== null);
    trace.steps.push({ turn: trace.turns, opened: [], edited });
  } else if (type === 'agent_message') trace.turns += 1;
}

// A file of the project that a command names was opened by it; one that it is redirected to or changed in place, edited.
function fromCommand(command, project) {
  const step = { opened: [], edited: [] };
  for (const part of command.split(/\|\||&&|[|;\n]/)) {
    const isInPlace = /(?:^|[\s"'])(?:sed|perl)\s+(?:-\S+\s+)*?(?:-\w*i|--in-place)/.test(part);
    for (const [, redirect, word] of part.matchAll(/(>{1,2})?\s*["']?([^\s"'<>()]+)["']?/g)) {
      const path = within(project, word);
      if (path === null || !project.known.has(path)) continue;
      const list = redirect || isInPlace ? step.edited : step.opened;
      if (!list.includes(path)) list.push(path);
    }
  }
  return step;
}

function within({ root }, path) {
  if (path === '') return null;
  const from = relative(root, resolve(root, path));
  return from === '' || from.startsWith('..') ? null : from;
}

function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
