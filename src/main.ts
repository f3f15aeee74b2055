#!/usr/bin/env node
// The binary: it starts the program (program.ts) with the code compiled by the runs before.
import { join } from 'node:path';
import { runKept } from './io/kept-code.ts';
import { cacheFolder } from './io/places.ts';

const PROGRAM = 'program.cjs';
const name = process.argv[2] ?? '';
const command = /^[a-z][a-z-]{0,30}$/.test(name) ? name : 'help';

const kept = join(cacheFolder(process.env), 'code', `${command}-${process.version}.bin`);

runKept({ file: __filename, kept: process.env.NODE_DISABLE_COMPILE_CACHE ? null : kept, require }, PROGRAM);
