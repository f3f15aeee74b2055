// Bars for recall at 5: floor, without history, with history. Plain SVG, readable on light and dark.
const [WIDTH, ROW, LEFT, BAR] = [720, 58, 170, 14];
const COLOURS = { floor: '#8c959f', plain: '#54aeff', ours: '#1a7f37' };
const WORDS = { floor: 'plain BM25', plain: 'bearings, no history', ours: 'bearings' };

export function plot(bars) {
  const height = 56 + bars.length * ROW;
  const scale = (WIDTH - LEFT - 60) / 100;
  const rows = bars.flatMap(({ name, ...values }, i) => [
    `<text x="${LEFT - 12}" y="${56 + i * ROW + 28}" text-anchor="end">${name}</text>`,
    ...Object.entries(values).flatMap(([kind, value], n) => {
      const y = 52 + i * ROW + n * (BAR + 2);
      return [
        `<rect x="${LEFT}" y="${y}" width="${(value * scale).toFixed(1)}" height="${BAR}" fill="${COLOURS[kind]}"/>`,
        `<text x="${(LEFT + value * scale + 6).toFixed(1)}" y="${y + 11}" font-size="11">${value.toFixed(1)}</text>`,
      ];
    }),
  ]);
  const legend = Object.keys(COLOURS).flatMap((kind, i) => [
    `<rect x="${LEFT + i * 160}" y="14" width="12" height="12" fill="${COLOURS[kind]}"/>`,
    `<text x="${LEFT + i * 160 + 18}" y="25" font-size="12">${WORDS[kind]}</text>`,
  ]);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Recall at 5 by repository" font-family="system-ui, sans-serif" font-size="13" fill="#656d76">`,
    ...legend,
    ...rows,
    '</svg>',
    '',
  ].join('\n');
}
