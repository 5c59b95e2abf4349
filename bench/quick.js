// Compares the mock with bare servers in under a minute, and with the last line of history.jsonl: node bench/quick.js
//
// The last line of the output is the line to add to history.jsonl by hand, with the name of the change.
import { existsSync, readFileSync } from 'node:fs';
import { alternate } from './alternate.js';
import { formatNumber } from './format-number.js';
import { median } from './median.js';
import { runLoad } from './run-load.js';
import { cloche, serverKinds } from './servers/server-kinds.js';
import { startServer } from './servers/start-server.js';
import { renderItem } from './client/render-item.js';

const connections = 50;
const itemCount = 20_000;
const history = new URL('history.jsonl', import.meta.url);

/**
 * The figures, and whether more or less of them is better.
 * @type {Readonly<Record<string, { unit: string, isMoreBetter: boolean }>>}
 */
const figures = {
  creates: { unit: 'creates a second', isMoreBetter: true },
  reads: { unit: 'reads of an item a second', isMoreBetter: true },
  replacements: { unit: 'replacements of an item a second', isMoreBetter: true },
  pages: { unit: 'pages of 50 items a second', isMoreBetter: true },
  start: { unit: 'time to the first response', isMoreBetter: false },
};

process.exitCode = await main();

/** Returns the exit code: 0 whatever the ratios are, 2 if they cannot be measured. */
async function main() {
  if (!existsSync(cloche)) {
    process.stderr.write('Failed to measure: Cloche is not built. Run "npm run build".\n');
    return 2;
  }
  const rounds = [
    ...(await compare(['bare', 'cloche'], { rounds: 3, measure: measureCreates })),
    ...(await compare(['bare, items', 'cloche, items'], { rounds: 2, measure: measureItems })),
  ];
  /** @type {Record<string, number>} */
  const ratios = {};
  for (const name of Object.keys(figures)) {
    ratios[name] = Number(median(rounds.flatMap((round) => round[name] ?? [])).toFixed(2));
  }
  const last = readLastLine();
  const rows = Object.entries(figures).map(([name, { unit, isMoreBetter }]) => {
    const before = last?.[name];
    const change = before === undefined ? 0 : (ratios[name] / before - 1) * (isMoreBetter ? 1 : -1);
    // Runs on one machine differ by some 5 %, and machines by more.
    const verdict = Math.abs(change) < 0.1 ? '' : change > 0 ? 'better' : 'worse';
    return `${name.padEnd(13)} ${formatNumber(ratios[name], 2)} × bare   ${before === undefined ? '' : `${formatNumber(before, 2)} × on ${last?.date} ${verdict}`.padEnd(28)} ${unit}`;
  });
  const date = new Date().toISOString().slice(0, 10);
  process.stdout.write(`${rows.join('\n')}\n\n${JSON.stringify({ date, change: '', ...ratios })}\n`);
  return 0;
}

/**
 * Measures a bare server and Cloche in turn, and divides Cloche's figures by the bare server's within each round.
 * @param {readonly [bare: string, subject: string]} kinds
 * @param {{ rounds: number, measure: (kind: string) => Promise<Record<string, number>> }} options
 * @returns {Promise<Record<string, number>[]>} the ratios of each round
 */
async function compare([bare, subject], { rounds, measure }) {
  // The first start of each reads its files from the disk.
  for (const kind of [bare, subject]) await (await start(kind)).stop();
  const measured = await alternate({ rounds, kinds: [bare, subject], measure });
  return measured.map((round) =>
    Object.fromEntries(
      Object.keys(round[subject]).map((name) => [name, round[subject][name] / round[bare][name]]),
    ),
  );
}

/** @param {string} kind */
function start(kind) {
  const ask = kind.endsWith('items')
    ? (/** @type {number} */ port) => renderItem('read', port, itemCount)()
    : undefined;
  return startServer(serverKinds[kind], undefined, undefined, ask);
}

/** @param {string} kind */
async function measureCreates(kind) {
  const server = await start(kind);
  try {
    const { port, pid, startMs } = server;
    const load = await runLoad({ port, pid, connections, warmUpSeconds: 1, seconds: 1.5 });
    return { creates: load.requestsPerSecond, start: startMs };
  } finally {
    await server.stop();
  }
}

/** @param {string} kind */
async function measureItems(kind) {
  const server = await start(kind);
  try {
    const { port, pid } = server;
    const load = (
      /** @type {import('./client/render-item.js').ItemRequest} */ request,
      /** @type {object} */ end,
    ) =>
      runLoad({
        port,
        pid,
        connections,
        warmUpSeconds: 0.5,
        items: { kind: request, count: itemCount },
        ...end,
      });
    await load('create', { warmUpSeconds: 0, requests: itemCount });
    const speed = async (/** @type {import('./client/render-item.js').ItemRequest} */ request) =>
      (await load(request, { seconds: 1 })).requestsPerSecond;
    return { reads: await speed('read'), replacements: await speed('replace'), pages: await speed('page') };
  } finally {
    await server.stop();
  }
}

/** @returns {(Record<string, number> & { date: string }) | undefined} */
function readLastLine() {
  const lines = existsSync(history) ? readFileSync(history, 'utf8').trim().split('\n') : [];
  const last = lines.at(-1);
  return last === undefined || last === '' ? undefined : JSON.parse(last);
}
