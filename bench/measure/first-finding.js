import { once } from 'node:events';
import { median } from '../median.js';
import { runNode } from '../run-node.js';
import { cloche } from '../servers/server-kinds.js';

/** @import { Figure } from '../figure.js' */
/** @import { Service } from '../../fixtures/services/service.ts' */

/** Long enough that what is left of it is another one. */
const token = 'the-token-of-the-bench';

/**
 * Runs `cloche test` on a service of fixtures/services/.
 * @param {Service} service
 * @param {(baseUrl: string) => string[]} optionsFor - what else the command is given
 */
export async function runOn(service, optionsFor) {
  // In this process, which has nothing else to do meanwhile.
  const server = service.create({ token }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const baseUrl = `http://127.0.0.1:${port}${service.prefix ?? ''}`;
  const result = await runNode([cloche, 'test', baseUrl, '--token', token, ...optionsFor(baseUrl)]);
  server.close();
  server.closeAllConnections();
  return result;
}

/**
 * Runs the suites up to the first violation.
 * @param {Service} service
 * @param {(baseUrl: string) => string[]} [optionsFor]
 * @returns {Promise<{ exitCode: number | null, requests: number, seconds: number }>} seconds from the start of the run,
 *   not of the process
 */
export async function findFirst(service, optionsFor = () => []) {
  const { exitCode, output } = await runOn(service, (baseUrl) => [
    ...optionsFor(baseUrl),
    '--bail',
    '--report',
    'json=-',
  ]);
  const { requests, durationMs } = JSON.parse(output).figures;
  return { exitCode, requests, seconds: durationMs / 1_000 };
}

/**
 * The median and the worst of what it took to find something.
 * @param {string} what - `a plain fault`
 * @param {readonly { id: string, first: { requests: number, seconds: number } }[]} found
 * @returns {Figure[]} none where nothing was found
 */
export function untilFound(what, found) {
  if (found.length === 0) return [];
  return /** @type {const} */ (['requests', 'seconds']).flatMap((of) => {
    const values = found.map(({ first }) => first[of]);
    const worst = found.reduce((a, b) => (a.first[of] > b.first[of] ? a : b));
    const name = `test, ${of} until ${what} is found`;
    const unit = of === 'seconds' ? /** @type {const} */ ('seconds') : /** @type {const} */ ('count');
    return [
      { name: `${name}, median`, measured: median(values), unit, raw: `of ${found.length}` },
      { name: `${name}, worst`, measured: worst.first[of], unit, raw: worst.id },
    ];
  });
}
