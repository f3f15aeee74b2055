import { join } from 'node:path';
import { tempFolder } from './temp-folder.ts';

// A library that a test opens without naming a cache keeps what it derives in a folder of that test file.
process.env.BEARINGS_CACHE = join(tempFolder(), 'cache');
