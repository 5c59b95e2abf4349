import { plural } from '../text/format.ts';
import { markup, type Markup, renderDuration, renderTable } from './markup.ts';
import type { LatencyDistribution, Page } from './model.ts';

const shares = [
  ['p50', 0.5],
  ['p95', 0.95],
  ['p99', 0.99],
] as const;

/** How many bars there are at most. */
const bars = 48;
/** In CSS pixels: the whole, what is above the bars for the names of the lines, and what is below them. */
const size = { height: 220, top: 52, bottom: 28 } as const;

/** Where the axis begins and ends, at numbers that are easy to read. */
function pickRange({ shortest, longest }: LatencyDistribution): readonly [from: number, to: number] {
  const steps = [-3, -2, -1, 0, 1, 2, 3, 4, 5, 6].flatMap((power) =>
    [1, 2, 5].map((digit) => Number(`${digit}e${power}`)),
  );
  const from = steps.findLast((step) => step <= shortest) ?? 0.001;
  const to = steps.find((step) => step > Math.max(longest, from)) ?? 1e7;
  return [from, to];
}

/** A few round numbers between the ends. */
function pickTicks(from: number, to: number): readonly number[] {
  const decades = Math.log10(to / from);
  const digits = decades <= 1.4 ? [1, 2, 5] : [1];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.ceil(Math.log10(to)); power += 1) {
    ticks.push(...digits.map((digit) => Number(`${digit}e${power}`)));
  }
  return ticks.filter((tick) => tick >= from && tick <= to);
}

function toPercent(value: number): string {
  return `${Number(value.toFixed(2))}%`;
}

function renderPlot(latency: LatencyDistribution): Markup {
  const [from, to] = pickRange(latency);
  const span = Math.log(to / from);
  const place = (ms: number): number => Math.min(100, Math.max(0, (Math.log(ms / from) / span) * 100));
  const heights = Array.from({ length: bars }, () => 0);
  for (const bin of latency.bins) {
    const middle = Math.sqrt(bin.from * bin.to);
    const index = Math.min(bars - 1, Math.floor((place(middle) / 100) * bars));
    heights[index] = (heights[index] ?? 0) + bin.count;
  }
  const highest = Math.max(...heights);
  const room = size.height - size.top - size.bottom;
  const floor = size.height - size.bottom;
  const rects = heights.map((count, index) => {
    // What is there at all is to be seen.
    const height = count === 0 ? 0 : Math.max(1.5, (count / highest) * room);
    return count === 0
      ? undefined
      : markup`<rect
          x="${toPercent((index / bars) * 100)}"
          y="${(floor - height).toFixed(1)}"
          width="${toPercent(100 / bars - 0.3)}"
          height="${height.toFixed(1)}"
          rx="1"
        />`;
  });
  const ticks = pickTicks(from, to).map((tick) => {
    const at = place(tick);
    const anchor = at < 4 ? 'start' : at > 96 ? 'end' : 'middle';
    return markup`<line
        class="tick"
        x1="${toPercent(at)}"
        x2="${toPercent(at)}"
        y1="${floor}"
        y2="${floor + 5}"
      /><text x="${toPercent(at)}" y="${size.height - 8}" text-anchor="${anchor}"
        >${renderDuration(tick)}</text
      >`;
  });
  const lines = shares.map(([, share], index) => {
    const at = place(latency.quantile(share));
    return markup`<line
        class="quantile"
        x1="${toPercent(at)}"
        x2="${toPercent(at)}"
        y1="${4 + index * 16}"
        y2="${floor}"
      />`;
  });
  // After all lines, so that none runs through them.
  const names = shares.map(([name, share], index) => {
    const ms = latency.quantile(share);
    const at = place(ms);
    const isLate = at > 60;
    return markup`<text
        x="${toPercent(at)}"
        dx="${isLate ? -5 : 5}"
        y="${14 + index * 16}"
        text-anchor="${isLate ? 'end' : 'start'}"
      >${name} ${renderDuration(ms)}</text>`;
  });
  const words = `Half of the answers took at most ${renderDuration(latency.quantile(0.5))}. The axis is logarithmic, from ${renderDuration(from)} to ${renderDuration(to)}.`;
  return markup`<svg
    class="plot"
    role="img"
    aria-labelledby="plot-title plot-words"
    width="100%"
    height="${size.height}"
  >
    <title id="plot-title">How long ${plural(latency.count, 'answer')} took</title>
    <desc id="plot-words">${words}</desc>
    <g class="bars">${rects}</g>
    <line class="axis" x1="0" x2="100%" y1="${floor}" y2="${floor}" />
    ${ticks}${lines}${names}
  </svg>`;
}

/** How long the answers took and which they were: a plot, and the same in tables. */
export function renderLatency({ latency, answers }: Page): Markup {
  if (answers.length === 0) return markup`<p>No request was sent.</p>`;
  const rows = [
    ['Shortest', latency.shortest],
    ...shares.map(([name, share]) => [name, latency.quantile(share)] as const),
    ['Longest', latency.longest],
  ] as const;
  const total = answers.reduce((sum, { count }) => sum + count, 0);
  return markup`${
    latency.count === 0
      ? markup`<p>No answer came.</p>`
      : markup`<figure>
            ${renderPlot(latency)}
            <figcaption>
              Time from the first byte sent to the last received, on a logarithmic axis. p95: 95 of 100
              answers took no longer.
            </figcaption>
          </figure>`
  }
    <div class="pair">
      ${
        latency.count === 0
          ? undefined
          : renderTable({
              caption: 'Time to answer',
              columns: [{ title: 'Share' }, { title: 'Time', isNumber: true }],
              rows: rows.map(([name, ms]) => [markup`${name}`, markup`${renderDuration(ms)}`]),
            })
      }${renderTable({
        caption: 'What came',
        columns: [
          { title: 'Answer' },
          { title: 'Times', isNumber: true },
          { title: 'Share', isNumber: true },
        ],
        rows: answers.map(({ answer, count }) => [
          markup`${answer}`,
          markup`${count.toLocaleString('en-US')}`,
          markup`${((count / total) * 100).toFixed(1)} %`,
        ]),
      })}
    </div>`;
}
