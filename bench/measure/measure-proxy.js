import { alternate } from '../alternate.js';
import { formatNumber } from '../format-number.js';
import { median } from '../median.js';
import { runLoad } from '../run-load.js';
import { startServer } from '../servers/start-server.js';

/** @import { Figure } from '../figure.js' */

const kinds = ['direct', 'bare proxy', 'cloche proxy'];
/** Far from what any of them can do, so that no request waits for another. */
const calmRate = 500;

/**
 * What the judging proxy costs beside one that only forwards, in front of the same mock.
 * @returns {Promise<Figure[]>}
 */
export async function measureProxy() {
  const rounds = await alternate({ rounds: 5, kinds, measure: measureOnce });
  const medianOf = (
    /** @type {string} */ kind,
    /** @type {keyof Awaited<ReturnType<typeof measureOnce>>} */ name,
  ) => median(rounds.map((round) => round[kind][name]));
  const speed = (/** @type {string} */ kind) =>
    `${kind} ${formatNumber(medianOf(kind, 'requestsPerSecond'))} requests/s`;
  return [
    {
      name: 'proxy, throughput: cloche proxy ÷ bare proxy',
      measured: median(
        rounds.map(
          (round) => round['cloche proxy'].requestsPerSecond / round['bare proxy'].requestsPerSecond,
        ),
      ),
      unit: 'times',
      raw: kinds.map(speed).join('; '),
    },
    ...['bare proxy', 'cloche proxy'].map((kind) => ({
      name: `proxy, added latency: ${kind}`,
      measured: median(rounds.map((round) => (round[kind].p50 - round['direct'].p50) * 1_000)),
      unit: /** @type {const} */ ('microseconds'),
      raw: `p50 ${formatNumber(medianOf(kind, 'p50'), 2)} ms; direct ${formatNumber(medianOf('direct', 'p50'), 2)} ms`,
    })),
    ...['bare proxy', 'cloche proxy'].map((kind) => ({
      name: `proxy, CPU a request: ${kind}`,
      measured: medianOf(kind, 'cpuMicroseconds'),
      unit: /** @type {const} */ ('microseconds'),
      raw: `load generator ${formatNumber(medianOf(kind, 'clientShare') * 100)} % of a core`,
    })),
  ];
}

/** @param {string} kind */
async function measureOnce(kind) {
  const mock = await startServer('cloche');
  const front = kind === 'direct' ? mock : await startServer(kind, undefined, mock.port);
  try {
    const at = { port: front.port, pid: front.pid, connections: 50, warmUpSeconds: 1 };
    const full = await runLoad({ ...at, seconds: 3 });
    const calm = await runLoad({ ...at, seconds: 2, rate: calmRate });
    return { ...full, p50: calm.p50 };
  } finally {
    if (front !== mock) await front.stop();
    await mock.stop();
  }
}
