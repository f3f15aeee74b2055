import { join } from 'node:path';
import { afterAll } from 'vitest';
import { removeTempFolders, tempFolder } from './temp-folder.ts';

// Run before each test file, also where several share one process.
afterAll(removeTempFolders);
// A library that a test opens without naming a cache keeps what it derives in a folder of that test file.
process.env.BEARINGS_CACHE = join(tempFolder(), 'cache');
