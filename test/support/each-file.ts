import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import { endFile, endTest } from './after-tests.ts';
import { tempFolder } from './temp-folder.ts';
import './process/crypto-once.cjs';

// Run before each test file, also where several share one process.
afterEach(endTest);
afterAll(endFile);
// A library that a test opens without naming a cache keeps what it derives in a folder of that test file.
process.env.BEARINGS_CACHE = join(tempFolder(), 'cache');
