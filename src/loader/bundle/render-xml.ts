import type { Bundle } from './bundle.ts';
import type { FileEntry } from './fill.ts';
import { rangeWords } from './line-ranges.ts';
import { SLICES } from './partitions.ts';
import { shownTask } from './render-markdown.ts';

// For a prompt that keeps apart by tags. Stable parts first, as in Markdown; everything from a file is escaped.
export function renderXml(bundle: Bundle): string {
  const out: string[] = ['<context>'];
  for (const slice of SLICES) {
    const files = bundle.files.filter(({ source_class }) => source_class === slice);
    if (files.length === 0) continue;
    out.push(`  <${slice}>`);
    for (const file of files) {
      const total = file.total_chars === null ? '' : ` total_chars="${file.total_chars}"`;
      const lines = file.ranges && file.ranges.length > 0 ? ` lines="${rangeWords(file.ranges)}"` : '';
      const cut = `${file.truncated ? ` truncated="true" chars="${file.chars}"${total}${lines}` : ''}${age(file)}`;
      out.push(`    <file path="${attribute(file.path)}" selected_by="${attribute(file.selected_by)}"${cut}>`);
      out.push(escaped(file.excerpt.endsWith('\n') ? file.excerpt.slice(0, -1) : file.excerpt), '    </file>');
    }
    out.push(`  </${slice}>`);
  }
  const { control_plane, policy } = bundle;
  const health = control_plane.health === null ? '' : ` health="${attribute(control_plane.health)}"`;
  out.push(`  <task key="${attribute(bundle.task_key)}">${escaped(shownTask(bundle))}</task>`);
  out.push(`  <control_plane_status status="${control_plane.status}"${health}/>`);
  for (const warning of bundle.warnings) out.push(`  <warning>${escaped(warning)}</warning>`);
  const dropped = bundle.dropped.length + bundle.dropped_beyond;
  out.push(`  <bundle policy="${attribute(policy.name)}" dropped="${dropped}" sha256="${bundle.bundle_sha256}"/>`);
  out.push('</context>');
  return `${out.join('\n')}\n`;
}

function age({ provenance }: FileEntry): string {
  if (provenance.origin !== 'adapter') return '';
  const updated = provenance.updated_at === null ? '' : ` updated_at="${provenance.updated_at}"`;
  return `${updated}${provenance.stale === null ? '' : ` stale="${provenance.stale}"`}`;
}

// XML knows no control characters, not even escaped ones.
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

function attribute(text: string): string {
  return escaped(text)
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, ' ');
}
