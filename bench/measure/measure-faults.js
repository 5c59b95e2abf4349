import { once } from 'node:events';
import { loadCatalogue } from '../../fixtures/services/catalogue.js';
import { formatNumber } from '../format-number.js';
import { runNode } from '../run-node.js';
import { cloche } from '../servers/server-kinds.js';

/** @import { Figure } from '../figure.js' */
/** @import { FaultyService } from '../../fixtures/services/service.ts' */

/** Seconds that `cloche test` gives one answer by default. */
const timeOut = 5;
const isHang = (/** @type {string} */ id) => id.startsWith('hang');

/**
 * How long a default run takes on each service with a fault, and whether it finds it.
 * @returns {Promise<Figure[]>}
 */
export async function measureFaults() {
  const { faulty } = await loadCatalogue();
  const results = [];
  for (const service of faulty) {
    process.stderr.write(`  ${service.id}\n`);
    results.push({ id: service.id, ...(await testOnce(service)) });
  }
  const missed = results.filter(({ exitCode }) => exitCode !== 1).map(({ id }) => id);
  const slowest = (/** @type {typeof results} */ of) => of.reduce((a, b) => (a.seconds > b.seconds ? a : b));
  const figures = [
    {
      name: 'test, faulty services that a default run does not fail',
      measured: missed.length,
      unit: /** @type {const} */ ('count'),
      bar: { atMost: 0 },
      raw: missed.length === 0 ? `of ${results.length}` : missed.join(', '),
    },
  ];
  const time = (
    /** @type {string} */ name,
    /** @type {typeof results} */ of,
    /** @type {number} */ atMost,
  ) => {
    if (of.length === 0) return [];
    const { id, seconds } = slowest(of);
    const raw = `${id}; of ${of.length}, the mean ${formatNumber(of.reduce((sum, one) => sum + one.seconds, 0) / of.length, 2)} s`;
    return [{ name, measured: seconds, unit: /** @type {const} */ ('seconds'), bar: { atMost }, raw }];
  };
  return [
    ...figures,
    ...time(
      'test, slowest default run on a plain fault',
      results.filter(({ id }) => !isHang(id)),
      3,
    ),
    ...time(
      'test, slowest default run on a hang',
      results.filter(({ id }) => isHang(id)),
      3 + timeOut,
    ),
  ];
}

/** @param {FaultyService} service */
async function testOnce(service) {
  // In this process, which has nothing else to do meanwhile.
  const server = service.create({ token: 't' }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const result = await runNode([
    cloche,
    'test',
    `http://127.0.0.1:${port}${service.prefix ?? ''}`,
    '--token',
    't',
  ]);
  server.close();
  server.closeAllConnections();
  return result;
}
