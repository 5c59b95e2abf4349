// Measures Cloche beside its peers and prints ten lines: npm ci && node bench.js [--quick] [--only NAME …] [--record CHANGE]
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describeMachine } from './describe-machine.js';
import { isMet, measuredOf } from './figure.js';
import { measureItems } from './measure/measure-items.js';
import { measureLatency } from './measure/measure-latency.js';
import { measureRunner } from './measure/measure-runner.js';
import { measureStart } from './measure/measure-start.js';
import { measureThroughput } from './measure/measure-throughput.js';
import { renderTable } from './render-table.js';
import { cloche } from './servers/server-kinds.js';

/** @import { Figure } from './figure.js' */

/**
 * How thoroughly to measure.
 * @typedef {object} Extent
 * @property {boolean} isQuick - Whether to leave out the peers.
 * @property {number} rounds
 */

/** @type {Map<string, (extent: Extent) => Promise<Figure[]>>} */
const parts = new Map([
  ['creates', measureThroughput],
  ['latency', measureLatency],
  ['items', measureItems],
  ['start', measureStart],
  ['tester', measureRunner],
]);
/** The parts of `--quick`. */
const quickParts = ['creates', 'items', 'start'];

const history = new URL('history.jsonl', import.meta.url);

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    record: { type: 'string' },
  },
});
process.exitCode = await main();

/** Returns the exit code: 0 whatever the figures are, 2 where they cannot be taken. */
async function main() {
  const { quick: isQuick, only = isQuick ? quickParts : [...parts.keys()], record } = values;
  const unknown = only.filter((name) => !parts.has(name));
  if (unknown.length > 0) {
    return fail(`there is no part "${unknown.join('", "')}". The parts are ${[...parts.keys()].join(', ')}.`);
  }
  if (!existsSync(cloche))
    return fail('Cloche is not built. Run "npm ci && npm run build" in the folder above.');
  const machine = describeMachine();
  /** @type {Figure[]} */
  const figures = [];
  for (const name of only) {
    process.stderr.write(`${name}\n`);
    figures.push(...((await parts.get(name)?.({ isQuick, rounds: isQuick ? 2 : 7 })) ?? []));
  }
  const measured = figures.map((figure) => [figure.key, Number(measuredOf(figure).toFixed(2))]);
  const date = new Date().toISOString().slice(0, 10);
  const line = JSON.stringify({ date, change: record ?? '', ...Object.fromEntries(measured) });
  const count = figures.filter(isMet).length;
  process.stdout.write(`${machine}\n\n${renderTable(figures, readLastLine())}\n\n`);
  process.stdout.write(`${count} of ${figures.length} bars met.\n\n${line}\n`);
  if (record !== undefined) appendFileSync(history, `${line}\n`);
  return 0;
}

/** @param {string} reason */
function fail(reason) {
  process.stderr.write(`Failed to measure: ${reason}\n`);
  return 2;
}

/** @returns {Record<string, unknown>} */
function readLastLine() {
  const lines = existsSync(history) ? readFileSync(history, 'utf8').trim().split('\n') : [];
  return JSON.parse(lines.at(-1) || '{}');
}
