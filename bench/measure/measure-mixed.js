import { fileURLToPath } from 'node:url';
import { auditMixedLoad, runMixedLoad } from '../../fixtures/mixed-load.js';
import { startMockOnStore } from '../servers/start-mock-on-store.js';

const articles = fileURLToPath(new URL('../../fixtures/documents/etags.yaml', import.meta.url));

/**
 * Has two mocks on one store create, update and delete articles at the same time, most updates under the ETag that was read
 * before, and compares what a third one finds with what was acknowledged.
 * @param {string} store - empty
 * @param {{ operations: number, workers: number }} size - workers of each mock
 * @returns {Promise<{ operations: number, operationsPerSecond: number, updates: number, refused: number, lost: number, doubled: number }>}
 */
export async function measureMixed(store, { operations, workers }) {
  const mocks = [await startMockOnStore(store, articles), await startMockOnStore(store, articles)];
  const urls = mocks.map(({ port }) => `http://127.0.0.1:${port}`);
  const startedAt = performance.now();
  const { items, refused, unexpected } = await runMixedLoad({ urls, operations, workers });
  const seconds = (performance.now() - startedAt) / 1_000;
  await Promise.all(mocks.map(({ end }) => end('SIGTERM')));
  if (unexpected.length > 0) throw new Error(`Failed to measure: ${unexpected[0]} was not expected.`);
  const last = await startMockOnStore(store, articles);
  const { lost, doubled } = await auditMixedLoad(`http://127.0.0.1:${last.port}`, items);
  await last.end('SIGTERM');
  return {
    operations,
    operationsPerSecond: operations / seconds,
    updates: items.reduce((sum, item) => sum + item.updates, 0),
    refused,
    lost: lost.length,
    doubled: doubled.length,
  };
}
