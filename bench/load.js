// Loads a server, in a process of its own so that the two do not share an event loop. Takes one argument, a JSON
// object (LoadOptions), and prints one, a LoadResult.
import { openConnection } from './client/open-connection.js';
import { randomId } from './client/random-id.js';
import { renderCreate } from './client/render-create.js';
import { renderItem } from './client/render-item.js';
import { runClosedLoop } from './client/run-closed-loop.js';
import { runOpenLoop } from './client/run-open-loop.js';
import { quantile } from './quantile.js';
import { readCpuMicroseconds } from './servers/process-usage.js';

/** @import { LoadOptions, LoadResult } from './run-load.js' */

/** @type {LoadOptions} */
const options = JSON.parse(process.argv[2] ?? '{}');
const { port, pid, connections, rate } = options;

/** However fast a server is, no part takes more requests than this. */
const most = { seconds: 15, requests: 2_000_000 };

process.stdout.write(`${JSON.stringify(await load())}\n`);

/** @returns {Promise<LoadResult>} */
async function load() {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
  if (options.warmUpSeconds > 0) await runPart(open, { seconds: options.warmUpSeconds });
  const result = await runPart(open, { seconds: options.seconds, requests: options.requests });
  open.forEach((connection) => connection.close());
  return result;
}

/**
 * @param {import('./client/open-connection.js').Connection[]} open
 * @param {{ seconds?: number | undefined, requests?: number | undefined }} end
 * @returns {Promise<LoadResult>}
 */
async function runPart(
  open,
  { seconds = options.requests === undefined ? most.seconds : Infinity, requests = most.requests },
) {
  const { items } = options;
  const render = items === undefined ? renderCreate(port) : renderItem(items.kind, port, items.count);
  const times = [];
  const statuses = new Map();
  const firstId = randomId();
  const cpu = readCpuMicroseconds(pid);
  const ownCpu = process.cpuUsage();
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  let sent = 0;
  let answered = 0;

  const nextRequest = () => {
    if (sent >= requests || performance.now() >= endsAt) return undefined;
    sent += 1;
    return render(firstId + sent);
  };
  const onAnswer = (/** @type {number} */ status, /** @type {number} */ ms) => {
    answered += 1;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    times.push(ms);
  };
  await (rate === undefined
    ? runClosedLoop(open, nextRequest, onAnswer)
    : runOpenLoop(open, { rate, nextRequest, onAnswer }));

  const elapsedMs = performance.now() - startedAt;
  const own = process.cpuUsage(ownCpu);
  times.sort((left, right) => left - right);
  return {
    requests: answered,
    requestsPerSecond: answered / (elapsedMs / 1_000),
    cpuMicroseconds: (readCpuMicroseconds(pid) - cpu) / answered,
    clientShare: (own.user + own.system) / 1_000 / elapsedMs,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    statuses: Object.fromEntries(statuses),
  };
}
