import { fileURLToPath } from 'node:url';
import { alternate } from '../alternate.js';
import { formatNumber } from '../format-number.js';
import { median } from '../median.js';
import { runNode } from '../run-node.js';
import { cloche } from '../servers/server-kinds.js';
import { startServer } from '../servers/start-server.js';

/** @import { Figure } from '../figure.js' */

const undiciLoop = fileURLToPath(new URL('../client/undici-loop.js', import.meta.url));
/** As many as `cloche test` has by default. */
const connections = 10;
/** Enough that the run takes seconds, and the time it prints in tenths of one is exact enough. */
const runs = 500;

/**
 * The requests a second of `cloche test` on a local service that conforms, beside a loop that only sends, and how long
 * a default run takes.
 * @returns {Promise<Figure[]>}
 */
export async function measureRunner() {
  const kinds = ['cloche test', 'undici loop', 'default run'];
  const rounds = await alternate({ rounds: 5, kinds, measure: runOnce });
  const medianOf = (/** @type {string} */ kind) => median(rounds.map((round) => round[kind]));
  return [
    {
      name: 'test, request rate: cloche test ÷ undici loop',
      measured: median(rounds.map((round) => round['cloche test'] / round['undici loop'])),
      unit: 'times',
      bar: { atLeast: 0.5 },
      raw: `cloche test ${formatNumber(medianOf('cloche test'))} requests/s; undici loop ${formatNumber(medianOf('undici loop'))}`,
    },
    {
      name: 'test, default run on a conforming service',
      measured: medianOf('default run'),
      unit: 'seconds',
      bar: { atMost: 3 },
      raw: 'wall time, the start of the process included',
    },
  ];
}

/** @param {string} kind */
async function runOnce(kind) {
  const server = await startServer('service');
  const url = `http://127.0.0.1:${server.port}`;
  try {
    if (kind === 'undici loop')
      return Number((await runNode([undiciLoop, url, String(connections), '3'])).output);
    const isDefault = kind === 'default run';
    const { exitCode, output, seconds } = await runNode([
      cloche,
      'test',
      url,
      '--token',
      't',
      ...(isDefault ? [] : ['--runs', String(runs)]),
    ]);
    const counted = /([\d,]+) requests? in ([\d.]+) s/.exec(output);
    if (exitCode !== 0 || counted === null) {
      throw new Error(`Failed to measure "cloche test": it ended with exit code ${exitCode}:\n${output}`);
    }
    return isDefault ? seconds : Number(counted[1].replaceAll(',', '')) / Number(counted[2]);
  } finally {
    await server.stop();
  }
}
