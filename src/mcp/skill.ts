import { SkillsExtension, skillEntry } from '@modelcontextprotocol/server/ext/skills';
import type { Rooms } from '../bearings.ts';

const MANIFEST = 'skill://bearings/SKILL.md';
const MIME = 'text/markdown';

// The skill that plugins carry, for clients that take skills from a server: one source for both (`clients/skill.md`).
export function bearingsSkill(bearings: Rooms): SkillsExtension {
  const text = async () => Buffer.from(await (await bearings.page()).servedFile('SKILL.md')).toString('utf8');
  const entry = async () => skillEntry('bearings', { 'SKILL.md': await text() });
  const resource = async () => {
    const { name, description } = (await entry()).frontmatter;
    return { uri: MANIFEST, name: String(name), description: String(description), mimeType: MIME };
  };
  return new SkillsExtension({
    cacheHint: { ttlMs: 3_600_000, cacheScope: 'public' },
    source: {
      list: async () => ({ skills: [await entry()] }),
      get: async (uri) => (uri === MANIFEST ? entry() : undefined),
      read: async (uri) => (uri === MANIFEST ? { text: await text(), mimeType: MIME } : undefined),
      listResources: async () => [await resource()],
    },
  });
}
