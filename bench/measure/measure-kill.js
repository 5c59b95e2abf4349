import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { startMockOnStore } from '../servers/start-mock-on-store.js';

/** How long mocks are loaded before one is killed, in milliseconds. */
const loadedMs = 1_000;

/**
 * @param {number} port
 * @param {number} id
 * @returns {Promise<number | undefined>} undefined where no answer came
 */
async function create(port, id) {
  try {
    const { statusCode, body } = await request(`http://127.0.0.1:${port}/plants`, {
      method: 'POST',
      headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
      body: `{"id":${id},"name":"Monstera"}`,
    });
    await body.dump();
    return statusCode;
  } catch {
    return undefined;
  }
}

/**
 * Kills mocks on one store with SIGKILL while they create, and then asks another mock whether what they acknowledged
 * is there.
 * @param {string} store - empty
 * @param {{ kills: number, connections: number }} size
 * @returns {Promise<{ kills: number, acknowledged: number, lost: number }>}
 */
export async function measureKill(store, { kills, connections }) {
  const acknowledged = [];
  let next = 0;
  for (let kill = 0; kill < kills; kill += 1) {
    const { port, end } = await startMockOnStore(store);
    const loops = Array.from({ length: connections }, async () => {
      for (;;) {
        next += 1;
        const id = next;
        const status = await create(port, id);
        if (status === undefined) return;
        if (status === 200) acknowledged.push(id);
      }
    });
    await sleep(loadedMs);
    await end('SIGKILL');
    await Promise.all(loops);
  }
  const last = await startMockOnStore(store);
  let lost = 0;
  for (const id of acknowledged) {
    if ((await create(last.port, id)) !== 400) lost += 1;
  }
  await last.end('SIGTERM');
  return { kills, acknowledged: acknowledged.length, lost };
}
