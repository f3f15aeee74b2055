#!/usr/bin/env node
// The binary: it starts the program (program.ts) with the code compiled by the runs before, or says at once what the
// program would say.
import { join } from 'node:path';
import { runKept } from './io/kept-code.ts';
import { keptOutput, outputPlace } from './io/kept-output.ts';
import { cacheFolder } from './io/places.ts';
import { isDevice, writeStandard } from './io/standard-output.ts';

const PROGRAM = 'program.cjs';
const name = process.argv[2] ?? '';
const command = /^[a-z][a-z-]{0,30}$/.test(name) ? name : 'help';

const kept = join(cacheFolder(process.env), 'code', `${command}-${process.version}.bin`);

const keeps = !process.env.NODE_DISABLE_COMPILE_CACHE;
const place = keeps && !isDevice(1) ? outputPlace(__filename, process.argv.slice(2), process.env) : null;
const output = place && keptOutput(place);

if (output !== null) writeStandard(1, output);
else runKept({ file: __filename, kept: keeps ? kept : null, require }, PROGRAM);
