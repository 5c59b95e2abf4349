import { once } from 'node:events';
import { loadCatalogue } from '../../fixtures/services/catalogue.js';
import { formatNumber } from '../format-number.js';
import { median } from '../median.js';
import { runNode } from '../run-node.js';
import { cloche } from '../servers/server-kinds.js';

/** @import { Figure } from '../figure.js' */
/** @import { FaultyService } from '../../fixtures/services/service.ts' */

/** Seconds that `cloche test` gives one answer by default. */
const timeOut = 5;
/** Long enough that what is left of it is another one. */
const token = 'the-token-of-the-bench';
const isHang = (/** @type {string} */ id) => id.startsWith('hang');

/**
 * How long a default run takes on each service with a fault, whether it finds it, and after how many requests and how
 * long it does.
 * @returns {Promise<Figure[]>}
 */
export async function measureFaults() {
  const { faulty } = await loadCatalogue();
  const results = [];
  for (const service of faulty) {
    process.stderr.write(`  ${service.id}\n`);
    results.push({ id: service.id, ...(await testOnce(service)), first: await findFirst(service) });
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
    const over = of.filter((one) => one.seconds > atMost).length;
    const raw = `${id}; of ${of.length}, ${over} over the bar, the mean ${formatNumber(of.reduce((sum, one) => sum + one.seconds, 0) / of.length, 2)} s`;
    return [{ name, measured: seconds, unit: /** @type {const} */ ('seconds'), bar: { atMost }, raw }];
  };
  const plain = results.filter(({ id, exitCode }) => exitCode === 1 && !isHang(id));
  const worst = (/** @type {'requests' | 'seconds'} */ unit) =>
    plain.reduce((a, b) => (a.first[unit] > b.first[unit] ? a : b)).id;
  const until = (/** @type {'requests' | 'seconds'} */ unit) => {
    const values = plain.map(({ first }) => first[unit]);
    const name = `test, ${unit} until a plain fault is found`;
    return plain.length === 0
      ? []
      : [
          {
            name: `${name}, median`,
            measured: median(values),
            unit: toUnit(unit),
            raw: `of ${plain.length}`,
          },
          { name: `${name}, worst`, measured: Math.max(...values), unit: toUnit(unit), raw: worst(unit) },
        ];
  };
  return [
    ...figures,
    ...until('requests'),
    ...until('seconds'),
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

/**
 * @param {'requests' | 'seconds'} of
 * @returns {Figure['unit']}
 */
function toUnit(of) {
  return of === 'seconds' ? 'seconds' : 'count';
}

/**
 * Runs the suites up to the first violation.
 * @param {FaultyService} service
 * @returns {Promise<{ requests: number, seconds: number }>} seconds from the start of the run, not of the process
 */
async function findFirst(service) {
  const { output } = await runOn(service, ['--bail', '--report', 'json=-']);
  const { requests, durationMs } = JSON.parse(output).figures;
  return { requests, seconds: durationMs / 1_000 };
}

/** @param {FaultyService} service */
function testOnce(service) {
  return runOn(service, []);
}

/**
 * @param {FaultyService} service
 * @param {string[]} options
 */
async function runOn(service, options) {
  // In this process, which has nothing else to do meanwhile.
  const server = service.create({ token }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const result = await runNode([
    cloche,
    'test',
    `http://127.0.0.1:${port}${service.prefix ?? ''}`,
    '--token',
    token,
    ...options,
  ]);
  server.close();
  server.closeAllConnections();
  return result;
}
