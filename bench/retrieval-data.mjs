// Where the cases of bench:retrieval come from: histories of public repositories and long conversations.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|java|kt|cs|swift|php|c|h|cc|cpp|hpp|rb|ex|lua|sh|scala)$/i;
const NOT_A_TASK = /^(?:v?\d+\.\d+|release|bump|bumped|merge|revert|version|publish|prepare|chore\((?:deps|release))/i;
const READ_COMMITS = 2000;
const SPREAD = 6;

export const isSource = (path) => CODE.test(path) && !/\.d\.ts$|(?:^|\/)(?:dist|vendor|node_modules)\//.test(path);

export function git(folder, ...args) {
  return execFileSync('git', args, { cwd: folder, maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] }).toString();
}

// A folder with a git directory is taken as it is; `owner/name` is cloned from GitHub.
export function repositoryAt(source, folder) {
  if (existsSync(source)) return source;
  const path = join(folder, source.replace('/', '+'));
  git(folder, 'clone', '--bare', '--quiet', `https://github.com/${source}`, path);
  return path;
}

export function nameOf(source) {
  const parts = source.replace(/\/(?:repo|\.git)\/?$/, '').split('/');
  return (parts.at(-1) ?? source).replace('+', '/').replace(/\.git$/, '');
}

// Commits of 1 to 5 source files that were in the parent's tree, spread over the newest history.
export function casesOf(repository, wanted) {
  const printed = git(
    repository,
    ...['log', '-n', String(READ_COMMITS), '--no-merges', '--no-renames', '--name-status', '-z'],
    '--format=%x01%H%x00%P%x00%s%x00',
    'HEAD',
  );
  const cases = [];
  for (const record of printed.split('\x01').slice(1)) {
    const [commit, parents, subject, ...fields] = record.split('\0');
    const files = [];
    let touched = 0;
    for (let i = 0; i < fields.length; i += 1) {
      const status = fields[i].trim();
      if (status === '') continue;
      touched += 1;
      const path = fields[++i];
      if (isSource(path) && (status === 'M' || status === 'D')) files.push(path);
    }
    if (files.length < 1 || files.length > 5 || touched > 15 || parents === '' || NOT_A_TASK.test(subject)) continue;
    cases.push({ commit, parent: parents.split(' ')[0], subject, files });
  }
  const step = Math.max(1, Math.floor(Math.min(cases.length, wanted * SPREAD) / wanted));
  return cases.filter((_, i) => i % step === 0).slice(0, wanted);
}

// Questions with the turns that answer them, and one text a turn.
export function conversationsFrom(source, folder) {
  const file = existsSync(source) && /\.(?:json|zip)$/.test(source) ? source : locomoFile(source, folder);
  const bytes = readFileSync(file);
  const data = file.endsWith('.zip') ? unzipped(bytes) : [{ name: '', text: bytes.toString('utf8') }];
  // One list of all, or one file each in which the talk and its questions are side by side.
  const all = data
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ text }) => JSON.parse(text))
    .flatMap((value) => (Array.isArray(value) ? value : [{ conversation: value, qa: value.qa }]));
  return all.map(({ conversation, qa }, number) => {
    const turns = [];
    for (const key of Object.keys(conversation).filter((name) => /^session_\d+$/.test(name))) {
      const session = Number(key.slice('session_'.length));
      for (const [i, { speaker, text, dia_id, blip_caption }] of conversation[key].entries()) {
        const picture = blip_caption ? `\n(picture: ${blip_caption})` : '';
        turns.push({
          id: dia_id,
          path: `session_${String(session).padStart(2, '0')}/turn_${String(i + 1).padStart(3, '0')}.md`,
          text: `${conversation[`${key}_date_time`]}\n${speaker}: ${text}${picture}\n`,
        });
      }
    }
    const known = new Map(turns.map(({ id, path }) => [id, path]));
    const questions = qa
      .map(({ question, evidence, category }) => ({
        question,
        category,
        files: [...new Set(evidence.flatMap((ids) => ids.split(/[;,\s]+/)).map((id) => known.get(id)))].filter(Boolean),
      }))
      // Category 5 asks for what was never said.
      .filter(({ files, category }) => files.length > 0 && category !== 5);
    return { name: `conversation ${number + 1}`, turns, questions };
  });
}

// Chats of BEAM (a git directory of mohammadtavakoli78/BEAM), one file a message, and the questions that name their messages.
export function beamChats(repository, chats) {
  const show = (path) => JSON.parse(git(repository, 'show', `HEAD:${path}`));
  return chats.map((chat) => {
    const messages = show(`chats/100K/${chat}/chat.json`).flatMap(({ turns }) => turns.flat());
    const turns = messages.map(({ id, role, content }) => ({
      id,
      path: `message_${String(id).padStart(4, '0')}.md`,
      text: `${role}: ${content}\n`,
    }));
    const known = new Map(turns.map(({ id, path }) => [id, path]));
    const questions = Object.values(show(`chats/100K/${chat}/probing_questions/probing_questions.json`))
      .flat()
      .map(({ question, source_chat_ids: ids = [] }) => ({
        question,
        files: [...new Set(Object.values(ids).flat(3))].map((id) => known.get(Number(id))).filter(Boolean),
      }))
      .filter(({ files }) => files.length > 0);
    return { name: `chat ${chat}`, turns, questions };
  });
}

function locomoFile(source, folder) {
  const repository = repositoryAt(source, folder);
  const path = git(repository, 'ls-tree', '-r', '--name-only', 'HEAD')
    .split('\n')
    .find((name) => /locomo10\.(?:json|zip)$/.test(name));
  const file = join(folder, basename(path));
  writeFileSync(file, execFileSync('git', ['show', `HEAD:${path}`], { cwd: repository, maxBuffer: 1 << 28 }));
  return file;
}

function unzipped(zip) {
  const files = [];
  let at = zip.readUInt32LE(zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1')) + 16);
  while (zip.readUInt32LE(at) === 0x02014b50) {
    const packed = zip.readUInt32LE(at + 20);
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength);
    const local = zip.readUInt32LE(at + 42);
    if (name.endsWith('.json') && !name.includes('__MACOSX')) {
      const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
      const bytes = zip.subarray(start, start + packed);
      const whole = zip.readUInt16LE(at + 10) === 0 ? bytes : inflateRawSync(bytes);
      files.push({ name, text: whole.toString('utf8') });
    }
    at += 46 + nameLength + extra + comment;
  }
  return files;
}

export function writeTurns(folder, turns) {
  for (const { path, text } of turns) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
