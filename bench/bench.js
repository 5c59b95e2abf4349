// Measures Cloche beside its peers and prints one table: npm ci && node bench.js [--only NAME …]
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { describeMachine } from './describe-machine.js';
import { isMet } from './figure.js';
import { measureColdStart } from './measure/measure-cold-start.js';
import { measureCollections } from './measure/measure-collections.js';
import { measureFaults } from './measure/measure-faults.js';
import { measureItems } from './measure/measure-items.js';
import { measureLatency } from './measure/measure-latency.js';
import { measureMemory } from './measure/measure-memory.js';
import { measureProxy } from './measure/measure-proxy.js';
import { measureRunner } from './measure/measure-runner.js';
import { measureThroughput } from './measure/measure-throughput.js';
import { renderTable } from './render-table.js';
import { cloche } from './servers/server-kinds.js';

/** @import { Figure } from './figure.js' */

/** @type {Map<string, () => Promise<Figure[]>>} */
const parts = new Map([
  ['cold', measureColdStart],
  [
    'mock',
    async () => {
      const { figures, bareRequestsPerSecond } = await measureThroughput();
      return [...figures, ...(await measureLatency(bareRequestsPerSecond))];
    },
  ],
  ['items', measureItems],
  ['memory', () => measureMemory(requests)],
  ['proxy', measureProxy],
  ['runner', measureRunner],
  ['faults', measureFaults],
  ['collections', measureCollections],
]);

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [...parts.keys()] },
    requests: { type: 'string', default: '1000000' },
  },
});
const requests = Number(values.requests);
process.exitCode = await main();

/** Returns the exit code: 0 whatever the figures are, 2 where they cannot be taken. */
async function main() {
  const unknown = values.only.filter((name) => !parts.has(name));
  if (unknown.length > 0) {
    return fail(`there is no part "${unknown.join('", "')}". The parts are ${[...parts.keys()].join(', ')}.`);
  }
  if (!Number.isInteger(requests) || requests < 10 || requests > 2_000_000 || requests % 10 !== 0) {
    return fail(
      `--requests ${values.requests} is no multiple of 10 up to 2000000. Leave it out for a million.`,
    );
  }
  if (!existsSync(cloche))
    return fail('Cloche is not built. Run "npm ci && npm run build" in the folder above.');

  const machine = describeMachine();
  /** @type {Figure[]} */
  const figures = [];
  for (const name of values.only) {
    process.stderr.write(`${name}\n`);
    figures.push(...((await parts.get(name)?.()) ?? []));
  }
  const missed = figures.filter((figure) => isMet(figure) === false);
  const count = figures.filter((figure) => isMet(figure) !== undefined).length;
  process.stdout.write(`${machine}\n\n${renderTable(figures)}\n\n`);
  process.stdout.write(
    `${count - missed.length} of ${count} bars met.${missed.map(({ name }) => `\nMissed: ${name}`).join('')}\n`,
  );
  return 0;
}

/** @param {string} reason */
function fail(reason) {
  process.stderr.write(`Failed to measure: ${reason}\n`);
  return 2;
}
