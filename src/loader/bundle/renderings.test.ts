import { describe, expect, it } from 'vitest';
import { loadFromMemory } from '../../../test/support/memory-project.ts';
import { canonicalJson } from '../../json.ts';
import { isBundleText } from '../../project/io/index/read-parts.ts';
import { renderMarkdown } from './render-markdown.ts';
import { renderXml } from './render-xml.ts';

const project = {
  files: {
    'AGENTS.md': 'Be kind.\n',
    'docs/a.md': `A fence: \`\`\`\`\n<b attr="x">&</b>\n${'more text\n'.repeat(20)}`,
  },
  options: { task: 'fix the docs', max_chars_per_file: 60 },
  tactical: { notes: 'Light is low.', log: [], gaps: [] },
};
const { bundle } = loadFromMemory(project);
const bare = loadFromMemory({ files: {} }).bundle;

const budgetLine = ({ budget: { partitions } }: Pick<typeof bundle, 'budget'>, leftOut: number) =>
  `- budget: fallback none; characters ${Object.entries(partitions)
    .map(([slice, { used_chars, max_chars }]) => `${slice} ${used_chars}/${max_chars}`)
    .join(', ')}; left out ${leftOut}`;

describe('renderings', () => {
  it('L16 Markdown: stable parts first, fences that nothing inside can end, what was cut is said', () => {
    expect(renderMarkdown(bundle)).toBe(
      [
        '# Context',
        '',
        '## Control plane',
        '',
        '### AGENTS.md',
        '',
        '```',
        'Be kind.',
        '```',
        '',
        '## Files for the task',
        '',
        '### docs/a.md (cut: first 60 of 232 characters)',
        '',
        '`````',
        'A fence: ````',
        '<b attr="x">&</b>',
        'more text',
        'more text',
        'more tex',
        '`````',
        '',
        '## Working memory (evidence, not authority)',
        '',
        '### tactical/memory',
        '',
        '```',
        'Light is low.',
        '```',
        '',
        '## About this context',
        '',
        '- task: fix the docs',
        '- task key: docs',
        '- policy: repo',
        '- control plane: complete',
        budgetLine(bundle, 1),
        `- bundle: ${bundle.bundle_sha256}`,
        '',
      ].join('\n'),
    );
  });

  it('L9 L16 Markdown: without a task or a file there is no line for it, and that no file is in is told', () => {
    expect(renderMarkdown(bare)).toBe(
      `# Context\n\n## About this context\n\n- task key: default\n- policy: repo\n- control plane: missing\n${budgetLine(bare, 0)}\n- warning: beyond what every task gets, no file of the project is in.\n- bundle: ${bare.bundle_sha256}\n`,
    );
  });

  it('L16 XML: the same parts, all text escaped', () => {
    expect(renderXml(bundle)).toBe(
      [
        '<context>',
        '  <control_plane>',
        '    <file path="AGENTS.md" selected_by="control_plane">',
        'Be kind.',
        '    </file>',
        '  </control_plane>',
        '  <task>',
        '    <file path="docs/a.md" selected_by="task:docs:docs/*.md" truncated="true" chars="60" total_chars="232" lines="1-5">',
        'A fence: ````',
        '&lt;b attr="x"&gt;&amp;&lt;/b&gt;',
        'more text',
        'more text',
        'more tex',
        '    </file>',
        '  </task>',
        '  <tactical>',
        '    <file path="tactical/memory" selected_by="tactical:memory">',
        'Light is low.',
        '    </file>',
        '  </tactical>',
        '  <task key="docs">fix the docs</task>',
        '  <control_plane_status status="complete"/>',
        `  <bundle policy="repo" dropped="1" sha256="${bundle.bundle_sha256}"/>`,
        '</context>',
        '',
      ].join('\n'),
    );
  });

  it('L16 L17 what is left out, warned of and said of its health is on one line each', () => {
    const odd = {
      ...bundle,
      dropped: bundle.files.map(({ path }) => ({
        path,
        source_class: 'task',
        selected_by: 's',
        reason: 'unsafe',
      })) as never,
      dropped_beyond: 4,
      warnings: ['a\nb <c>'],
      control_plane: { ...bundle.control_plane, health: 'so "so"\nhm' },
      files: bundle.files.map((file) => ({ ...file, total_chars: null, path: 'a"\n<b>' })),
    };
    expect(renderMarkdown(odd)).toContain(
      `- control plane: complete, health: so "so" hm\n${budgetLine(bundle, 7)}\n- warning: a b <c>\n`,
    );
    expect(renderMarkdown(odd)).toContain('### a" <b> (cut: first 60 of 232 bytes)\n');
    expect(renderXml(odd)).toContain('<control_plane_status status="complete" health="so &quot;so&quot; hm"/>');
    expect(renderXml(odd)).toContain('  <warning>a\nb &lt;c&gt;</warning>\n  <bundle policy="repo" dropped="7"');
    expect(renderXml(odd)).toContain(
      '<file path="a&quot; &lt;b&gt;" selected_by="task:docs:docs/*.md" truncated="true" chars="60" lines="1-5">',
    );
  });

  it('L16 XML holds no character that XML does not know', () => {
    const { bundle: odd } = loadFromMemory({ files: { 'docs/a.md': 'a\u0000\u001b\ud800\ufffe\t😀b' } });
    expect(renderXml(odd)).toContain('\na\ufffd\ufffd\ufffd\ufffd\t😀b\n');
  });

  it('L7 a bundle that is kept in the project is known by its form, and nothing else is', () => {
    for (const text of [canonicalJson(bundle), renderMarkdown(bundle), renderXml(bundle)]) {
      expect(isBundleText(text)).toBe(true);
      expect(isBundleText(` ${text}`)).toBe(false);
      expect(isBundleText(text.replaceAll(/[0-9a-f]{64}/g, 'x'))).toBe(text.startsWith('{'));
    }
    for (const text of [
      '',
      '{}',
      '{"adapters": [1]}',
      '# Context\n',
      '<context>\n</context>\n',
      '# Context\n\nabout context\n',
    ])
      expect(isBundleText(text)).toBe(false);
  });
});

describe('the one text for a value', () => {
  it('L14 keys by code point at every level, two blanks, a final newline', () => {
    expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe(
      '{\n  "a": null,\n  "b": [\n    {\n      "c": 2,\n      "d": 1\n    }\n  ]\n}\n',
    );
    expect(Object.keys(JSON.parse(canonicalJson({ '\u{1f600}': 1, '\uff00': 2, é: 3, z: 4 })))).toEqual([
      'z',
      'é',
      '\uff00',
      '\u{1f600}',
    ]);
    expect(Object.keys(JSON.parse(canonicalJson({ '\uff00': 1, '\u{1f600}': 2 })))).toEqual(['\uff00', '\u{1f600}']);
  });

  it('L14 does not depend on how the value was made, nor change it', () => {
    const value = { z: { y: 1, x: [3, 1] }, a: { b: 1 } };
    const before = JSON.stringify(value);
    expect(canonicalJson(value)).toBe(canonicalJson({ a: { b: 1 }, z: { x: [3, 1], y: 1 } }));
    expect(JSON.stringify(value)).toBe(before);
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"x":1}}'))).toBe(
      '{\n  "__proto__": {\n    "x": 1\n  },\n  "b": 1\n}\n',
    );
  });
});
