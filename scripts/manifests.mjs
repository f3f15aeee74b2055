// One source for every client: package.json, clients/about.json and clients/skill.md. This writes the files in which each client
// looks for a plugin. Usage: node scripts/manifests.mjs (writes) | --check (names what differs, exit 1)
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** Path in the repository → what it must hold. */
export function manifests() {
  const { name, version, description, license, keywords } = JSON.parse(read('package.json'));
  const about = JSON.parse(read('clients/about.json'));
  const author = { name: about.author };
  // By the name the person installed it under: npx, started in a project, would take the project's package or registry.
  const server = { command: name, args: ['mcp'] };
  const servers = { mcpServers: { [name]: server } };
  const facts = { name, version, description, author, license, keywords };
  const skillFields = {
    name,
    description:
      'Reads the context a person keeps (tastes, brief, notes), loads what a task needs from a repository, and proposes what should last; only the person accepts. Use at the start of a session, after compaction, when the person corrects you or states a preference, and at the end of the work.',
    license,
    compatibility: `Needs the MCP server of ${name} (${name} mcp) and Node.js 20.19 or newer.`,
    metadata: { version },
  };
  return {
    'plugin.json': json({ $schema: 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json', ...facts }),
    'mcp.json': json({
      $schema: 'https://agent-plugins.org/schemas/1.0.0/mcp.schema.json',
      mcpServers: { [name]: { type: 'stdio', ...server } },
    }),
    '.mcp.json': json(servers),
    '.claude-plugin/plugin.json': json(facts),
    '.claude-plugin/marketplace.json': json({
      name,
      owner: author,
      metadata: { description: about.short },
      plugins: [{ name, source: './', description: about.short, category: about.category.toLowerCase() }],
    }),
    '.codex-plugin/plugin.json': json({
      ...facts,
      skills: './skills/',
      mcpServers: './.mcp.json',
      hooks: './hooks/hooks.json',
      interface: {
        displayName: about.title,
        shortDescription: about.short,
        longDescription: description,
        developerName: about.author,
        category: about.category,
        capabilities: ['Read', 'Write'],
        defaultPrompt: about.prompts,
      },
    }),
    '.cursor-plugin/plugin.json': json({ ...facts, displayName: about.title, mcpServers: './mcp.json' }),
    'gemini-extension.json': json({ name, version, description, ...servers }),
    // Claude Code, Codex and Gemini CLI read the same shape from this place; a time-out would be seconds to one and milliseconds to another.
    'hooks/hooks.json': json({
      hooks: {
        SessionStart: [{ hooks: [{ type: 'command', command: `${name} hook session-start` }] }],
      },
    }),
    [`skills/${name}/SKILL.md`]: `${frontMatter(skillFields)}\n${read('clients/skill.md')}`,
  };
}

/** JSON is YAML, so quoting is JSON's; a nested record is indented below its key. */
function frontMatter(fields) {
  const lines = Object.entries(fields).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [`${key}: ${JSON.stringify(value)}`]
      : [`${key}:`, ...Object.entries(value).map(([inner, text]) => `  ${inner}: ${JSON.stringify(text)}`)],
  );
  return ['---', ...lines, '---', ''].join('\n');
}

/** Names of the files that are not what the source says. */
export function outdated() {
  return Object.entries(manifests())
    .filter(([path, text]) => {
      try {
        return read(path) !== text;
      } catch {
        return true;
      }
    })
    .map(([path]) => path);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const stale = outdated();
  if (process.argv.includes('--check')) {
    for (const path of stale) console.error(`${path} is not what clients/ says. Run: npm run manifests`);
    process.exitCode = stale.length > 0 ? 1 : 0;
  } else {
    for (const path of stale) {
      mkdirSync(dirname(join(ROOT, path)), { recursive: true });
      writeFileSync(join(ROOT, path), manifests()[path]);
      console.log(`wrote ${path}`);
    }
  }
}
