// What draws the plots of a page, with uPlot.
const colourOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const PLOT_COLOURS = { answered: '--accent', limited: '--warn', refused: '--edge', failed: '--bad' };
const DAY_SECONDS = 86_400;

/** Times of the axis in UTC, as the rest of the console has them. */
function timesOf(splits) {
  const long = splits.at(-1) - splits[0] > 2 * DAY_SECONDS;
  return splits.map((seconds) => {
    const iso = new Date(seconds * 1000).toISOString();
    return long && seconds % DAY_SECONDS === 0 ? iso.slice(5, 10) : iso.slice(11, 16);
  });
}

/** The single calls of the time that was dragged over. */
function narrowTo({ select, posToVal }, box) {
  if (select.width === 0 || !box.dataset.calls) return;
  const [since, until] = [select.left, select.left + select.width].map((left) =>
    new Date(Math.round(posToVal(left, 'x')) * 1000).toISOString(),
  );
  const address = new URL(box.dataset.calls, location.href);
  address.searchParams.set('since', since);
  address.searchParams.set('until', until);
  location.assign(address);
}

/** One area upon the other: the highest is drawn first, and what lies below covers the rest of it. */
function draw(box) {
  const { at, series } = JSON.parse(box.dataset.plot);
  const sums = [];
  for (const { rates } of series) {
    const below = sums.at(-1);
    sums.push(rates.map((rate, i) => rate + (below ? below[i] : 0)));
  }
  const order = series.map((each, index) => ({ ...each, index })).reverse();
  const [quiet, line] = [colourOf('--quiet'), colourOf('--line')];
  const axis = { stroke: quiet, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: '11px system-ui' };
  const timestamp = (seconds) => `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  box.replaceChildren();
  const plot = new uPlot(
    {
      width: box.clientWidth,
      height: box.clientHeight,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      padding: [8, 0, 0, 14],
      cursor: { y: false, points: { show: false }, drag: { setScale: false, dist: 5 } },
      hooks: { setSelect: [(chosen) => narrowTo(chosen, box)] },
      legend: { live: true },
      scales: { y: { range: (_plot, _min, max) => [0, Math.max(max * 1.08, 1)] } },
      axes: [
        { ...axis, grid: { show: false }, values: (_plot, splits) => timesOf(splits), space: 70, size: 28 },
        { ...axis, side: 1, size: 42, space: 36 },
      ],
      series: [
        { label: 'Time', value: (_plot, seconds) => (seconds === null ? '–' : timestamp(seconds)) },
        ...order.map(({ name, label, rates }) => ({
          label,
          stroke: colourOf(PLOT_COLOURS[name]),
          fill: `color-mix(in srgb, ${colourOf(PLOT_COLOURS[name])} 45%, ${colourOf('--card')})`,
          width: 1,
          points: { show: false },
          value: (_plot, _sum, _series, i) => (i === null ? '–' : String(rates[i])),
        })),
      ],
    },
    [at, ...order.map(({ index }) => sums[index])],
    box,
  );
  box.plot = plot;
}

const widths = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries)
    target.plot?.setSize({ width: contentRect.width, height: contentRect.height });
});

function drawAll() {
  for (const box of document.querySelectorAll('[data-plot]')) {
    draw(box);
    widths.observe(box);
  }
}
drawAll();
// Paper has the light colours, and a width of its own.
for (const query of ['(prefers-color-scheme: dark)', 'print']) matchMedia(query).addEventListener('change', drawAll);
document.addEventListener('htmx:afterSettle', drawAll);
