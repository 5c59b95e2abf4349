import { openConnection } from '../client/open-connection.js';
import { renderCreate } from '../client/render-create.js';
import { runClosedLoop } from '../client/run-closed-loop.js';
import { startMockOnStore } from '../servers/start-mock-on-store.js';

/** Of 12 digits, as renderCreate writes them. */
const firstId = 100_000_000_000;

/**
 * Has two mocks on one store create the same ids at the same time: of the two requests for an id one is to be taken,
 * the other refused, and what was taken is to be there afterwards.
 * @param {string} store - empty
 * @param {{ ids: number, connections: number }} size - connections of each mock
 * @returns {Promise<{ requests: number, requestsPerSecond: number, taken: number, lost: number, doubled: number }>}
 */
export async function measureContest(store, { ids, connections }) {
  const mocks = [await startMockOnStore(store), await startMockOnStore(store)];
  const taken = new Uint8Array(ids);
  let unexpected = 0;
  const open = await Promise.all(
    mocks.map(({ port }) => Promise.all(Array.from({ length: connections }, () => openConnection(port)))),
  );
  const startedAt = performance.now();
  await Promise.all(
    mocks.map(({ port }, index) => {
      const render = renderCreate(port);
      let next = 0;
      // Each connection asks for one id after the other, so what an answer is about is what it has asked for last.
      return Promise.all(
        open[index].map((connection) => {
          let asked = 0;
          return runClosedLoop(
            [connection],
            () => {
              if (next >= ids) return undefined;
              asked = next;
              next += 1;
              return render(firstId + asked);
            },
            (status) => {
              if (status === 200) taken[asked] += 1;
              else if (status !== 400) unexpected += 1;
            },
          );
        }),
      );
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  open.flat().forEach((connection) => connection.close());
  await Promise.all(mocks.map(({ end }) => end('SIGTERM')));
  if (unexpected > 0) throw new Error(`Failed to measure: ${unexpected} answers were neither 200 nor 400.`);
  const last = await startMockOnStore(store);
  await last.end('SIGTERM');
  const acknowledged = taken.reduce((sum, times) => sum + Math.min(times, 1), 0);
  return {
    requests: ids * 2,
    requestsPerSecond: (ids * 2) / seconds,
    taken: acknowledged,
    lost: ids - Math.min(acknowledged, last.found),
    doubled: taken.reduce((sum, times) => sum + Math.max(times - 1, 0), 0) + Math.max(last.found - ids, 0),
  };
}
