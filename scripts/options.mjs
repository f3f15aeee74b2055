// The options of a script. --help, or an option it does not have, shows the lines at the head of its file.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

export function optionsOf(url, config) {
  try {
    const { values, positionals } = parseArgs({
      ...config,
      options: { ...config.options, help: { type: 'boolean', default: false } },
    });
    if (!values.help) return { values, positionals };
  } catch (error) {
    console.error(`${String(error.message).split('. ')[0]}.\n${headOf(url)}`);
    process.exit(2);
  }
  console.log(headOf(url));
  process.exit(0);
}

function headOf(url) {
  const lines = readFileSync(fileURLToPath(url), 'utf8').split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  return lines
    .slice(0, end)
    .map((line) => line.slice(3))
    .join('\n');
}
