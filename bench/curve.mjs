// Lines on two logarithmic axes. Plain SVG with colours that read on light and dark.
const [WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM] = [720, 340, 74, 44, 130, 46];
const COLOURS = ['#1a7f37', '#bf5f00', '#8250df', '#0969da'];

export function curvePlot({ title, x, y, series }) {
  const points = Object.values(series).flat();
  const [minX, maxX] = bounds(points.map(([value]) => value));
  const [minY, maxY] = bounds(points.map(([, value]) => value));
  const px = (value) => LEFT + ((Math.log10(value) - minX) / (maxX - minX)) * (WIDTH - LEFT - RIGHT);
  const py = (value) => HEIGHT - BOTTOM - ((Math.log10(value) - minY) / (maxY - minY)) * (HEIGHT - TOP - BOTTOM);
  const steps = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const at = (value) => value.toFixed(1);
  const grid = [
    ...steps(minX, maxX).flatMap((power) => [
      `<line x1="${at(px(10 ** power))}" y1="${TOP}" x2="${at(px(10 ** power))}" y2="${HEIGHT - BOTTOM}"/>`,
      `<text x="${at(px(10 ** power))}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${label(power)}</text>`,
    ]),
    ...steps(minY, maxY).flatMap((power) => [
      `<line x1="${LEFT}" y1="${at(py(10 ** power))}" x2="${WIDTH - RIGHT}" y2="${at(py(10 ** power))}"/>`,
      `<text x="${LEFT - 8}" y="${at(py(10 ** power) + 4)}" text-anchor="end">${label(power)}</text>`,
    ]),
  ];
  const lines = Object.entries(series).flatMap(([name, list], i) => {
    const [lastX, lastY] = list.at(-1);
    const path = list.map(([a, b]) => `${at(px(a))},${at(py(b))}`).join(' ');
    return [
      `<polyline points="${path}" fill="none" stroke="${COLOURS[i % COLOURS.length]}" stroke-width="2.5"/>`,
      ...list.map(
        ([a, b]) => `<circle cx="${at(px(a))}" cy="${at(py(b))}" r="3.5" fill="${COLOURS[i % COLOURS.length]}"/>`,
      ),
      `<text x="${at(px(lastX) + 9)}" y="${at(py(lastY) + 4)}" fill="${COLOURS[i % COLOURS.length]}">${name}</text>`,
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}" font-family="system-ui, sans-serif" font-size="12" fill="#768390">`,
    `<text x="${LEFT}" y="24" font-size="14">${title}</text>`,
    `<g stroke="#768390" stroke-opacity="0.3" stroke-width="1">${grid.filter((part) => part.startsWith('<line')).join('')}</g>`,
    ...grid.filter((part) => part.startsWith('<text')),
    `<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${x}</text>`,
    `<text x="14" y="${TOP - 12}">${y}</text>`,
    ...lines,
    '</svg>',
    '',
  ].join('\n');
}

function bounds(values) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  return [low, Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))))];
}

function label(power) {
  return power >= 0 && power <= 6 ? (10 ** power).toLocaleString('en') : power < 0 ? String(10 ** power) : `1e${power}`;
}
