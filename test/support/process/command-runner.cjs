// Runs one command line of the built binary after the other, because the start of Node takes most of a short command's time.
// Each has its own modules, folder, variables, process number and listeners, and ends when nothing is left to wait for.
// The other end is command-runner.ts: fd 3 brings the command lines, fd 4 takes the exit codes. For a server, which is spoken to
// while it runs, it is server-runner.ts: a socket is its standard input and output.
const { readFileSync, readSync, writeSync } = require('node:fs');
const Module = require('node:module');
const { connect } = require('node:net');
const { dirname, sep } = require('node:path');
const { Readable } = require('node:stream');
const { compileFunction, constants } = require('node:vm');
const workers = require('node:worker_threads');
require('./crypto-once.cjs');
// A flag would outlive its command.
require('node:v8').setFlagsFromString = () => {};

const [REQUESTS, ANSWERS] = [3, 4];
const [, , BINARY, PATIENCE_MS] = process.argv;
const FOLDER = dirname(BINARY) + sep;
// The table of a foreign tokenizer: it knows nothing of who asks, and takes longer to make than all the rest.
const CACHED = `${FOLDER}o200k_base.cjs`;
// No system counts its processes so far: whoever asks whether a command still runs after its end gets the right answer.
const LARGEST_PID = 2 ** 22;

const { pid: ownPid, kill } = process;
let commands = 0;
let running = false;
// A command that took what a process has only once is the last one here.
let isLast = false;
let patience;
/** Of the server that runs, or null. */
let socket = null;
/** What the command finds on its standard input, where it was given something. */
let input = null;

keepCompiled();
givePids();
noticeLasting();
process.on('exit', (code) => {
  isLast = true;
  end(code);
});
process.on('beforeExit', () => {
  end(process.exitCode ?? 0);
  // It closes first, and then this is called again.
  if (socket) {
    socket.destroy();
    socket = null;
  } else if (!isLast) setImmediate(next);
});
const ownListeners = new Map(process.eventNames().map((name) => [name, process.rawListeners(name)]));
setImmediate(next);

function next() {
  const request = readLine();
  if (request === null) process.exit(0);
  const { args, cwd, env, port, input: text } = JSON.parse(request);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, BINARY, ...args];
  process.exitCode = undefined;
  input = text ? Readable.from([Buffer.from(text)]) : null;
  commands += 1;
  if (port === undefined) return start();
  // The other side may be done with speaking, and is answered all the same.
  socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true }, start);
}

function start() {
  running = true;
  if (socket === null) patience = setTimeout(() => kill.call(process, ownPid, 'SIGKILL'), Number(PATIENCE_MS)).unref();
  require(BINARY);
}

function end(code) {
  if (!running) return;
  running = false;
  clearTimeout(patience);
  for (const listener of addedTo('exit')) listener.call(process, code);
  for (const name of process.eventNames()) for (const listener of addedTo(name)) process.removeListener(name, listener);
  for (const path of Object.keys(require.cache))
    if (path.startsWith(FOLDER) && path !== CACHED) delete require.cache[path];
  writeSync(ANSWERS, `${JSON.stringify({ code, isLast })}\n`);
}

function addedTo(name) {
  return process.rawListeners(name).filter((listener) => !ownListeners.get(name)?.includes(listener));
}

// The other end sends a request only after the answer to the one before: a line end is the end of all there is.
function readLine() {
  const chunk = Buffer.alloc(65_536);
  const chunks = [];
  for (;;) {
    const length = readSync(REQUESTS, chunk);
    if (length === 0) return null;
    chunks.push(Buffer.from(chunk.subarray(0, length)));
    if (chunk[length - 1] === 10) return Buffer.concat(chunks).toString();
  }
}

// The same functions make new modules for every command: nothing that one command kept in them reaches the next.
function keepCompiled() {
  const compiled = new Map();
  const options = { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER };
  // Node tells once that this option is experimental: here, where it is no word of a command's.
  const { emitWarning } = process;
  process.emitWarning = () => {};
  compileFunction("import('node:path')", [], options)();
  process.emitWarning = emitWarning;
  const load = Module._extensions['.js'];
  Module._extensions['.cjs'] = (module, path) => {
    if (!path.startsWith(FOLDER)) return load(module, path);
    let run = compiled.get(path);
    if (!run) {
      const source = readFileSync(path, 'utf8').replace(/^#!.*/, '');
      run = compileFunction(source, ['exports', 'require', 'module', '__filename', '__dirname'], {
        ...options,
        filename: path,
      });
      compiled.set(path, run);
    }
    run.call(module.exports, module.exports, Module.createRequire(path), module, path, dirname(path));
  };
}

// A server has the real one: others ask meanwhile whether it runs.
function givePids() {
  Object.defineProperty(process, 'pid', { get: () => (socket ? ownPid : LARGEST_PID + commands) });
  process.kill = (pid, signal) => kill.call(process, pid === process.pid ? ownPid : pid, signal);
}

// The standard input can be read once in a process, and a thread may outlive the command that started it.
function noticeLasting() {
  const { get: openInput } = Object.getOwnPropertyDescriptor(process, 'stdin');
  const { get: openOutput } = Object.getOwnPropertyDescriptor(process, 'stdout');
  Object.defineProperty(process, 'stdout', { get: () => socket ?? openOutput.call(process) });
  Object.defineProperty(process, 'stdin', {
    get() {
      if (socket ?? input) return socket ?? input;
      isLast = true;
      return openInput.call(process);
    },
  });
  workers.Worker = class extends workers.Worker {
    constructor(...given) {
      isLast = true;
      super(...given);
    }
  };
}
