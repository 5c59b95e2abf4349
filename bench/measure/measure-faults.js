import { loadCatalogue } from '../../fixtures/services/catalogue.js';
import { formatNumber } from '../format-number.js';
import { findFirst, runOn, untilFound } from './first-finding.js';

/** @import { Figure } from '../figure.js' */

/** Seconds that `cloche test` gives one answer by default. */
const timeOut = 5;
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
    results.push({ id: service.id, ...(await runOn(service, () => [])), first: await findFirst(service) });
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
  return [
    ...figures,
    ...untilFound('a plain fault', plain),
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
