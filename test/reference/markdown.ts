export const NOTE = '<!-- Written by `npm run reference` from the source; edit there. -->';

export const table = (heads: string[], rows: string[][]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export const fenced = (lines: readonly string[]): string => ['```text', ...lines, '```'].join('\n');

export const escaped = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');

export const sentence = (text: string): string => {
  const whole = escaped(text);
  const mark = /[.?!]$/.test(whole) ? '' : '.';
  return `${whole.slice(0, 1).toUpperCase()}${whole.slice(1)}${mark}`;
};
