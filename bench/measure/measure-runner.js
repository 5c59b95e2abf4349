import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { alternate } from '../alternate.js';
import { formatNumber } from '../format-number.js';
import { median } from '../median.js';
import { cloche } from '../servers/server-kinds.js';
import { startServer } from '../servers/start-server.js';

/** @import { Extent } from '../bench.js' */
/** @import { Figure } from '../figure.js' */

/** Prints at the end what the process took, in microseconds. */
const printUsage =
  "data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();console.log('processor',user+system)})";

/**
 * The processor time of `cloche test` on a local service that conforms: for each request of a long run beyond those of
 * a short one, and for a default run.
 * @param {Extent} extent
 * @returns {Promise<Figure[]>}
 */
export async function measureRunner({ rounds: count }) {
  const kinds = ['100', '600', 'default'];
  const rounds = await alternate({ rounds: count, kinds, measure: runOnce });
  const describe = (/** @type {'requests' | 'ms' | 'seconds'} */ of, /** @type {number} */ digits = 0) =>
    formatNumber(median(rounds.map((round) => round.default[of])), digits);
  return [
    {
      key: 'tester',
      name: 'processor time of a request of cloche test',
      values: rounds.map(
        (round) => (1_000 * (round[600].ms - round[100].ms)) / (round[600].requests - round[100].requests),
      ),
      unit: 'microseconds',
      bar: { atMost: 100 },
      raw: `a default run: ${describe('requests')} requests, ${describe('ms')} ms of processor, ${describe('seconds', 1)} s`,
    },
  ];
}

/** @param {string} kind - the number of random cases, or `default` */
async function runOnce(kind) {
  const server = await startServer('service');
  try {
    const startedAt = performance.now();
    const runs = kind === 'default' ? [] : ['--runs', kind];
    const url = `http://127.0.0.1:${server.port}`;
    const words = ['--import', printUsage, cloche, 'test', url, '--token', 't', '--seed', '1', ...runs];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] });
    const output = await text(child.stdout);
    const requests = /([\d,]+) requests? in [\d.]+ s/u.exec(output)?.[1].replaceAll(',', '');
    const processor = /^processor (\d+)$/mu.exec(output)?.[1];
    if (requests === undefined || processor === undefined) {
      throw new Error(`Failed to measure "cloche test": it ended with\n${output}`);
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    return { requests: Number(requests), ms: Number(processor) / 1_000, seconds };
  } finally {
    await server.stop();
  }
}
