import { createJiti } from 'jiti';
import { ClocheError, loadContract, openUrlTarget, runSuites } from '../../dist/src/index.js';
import { allSuites } from '../../dist/suites/all-suites.js';

/** @type {typeof import('../../fixtures/reference/serve.ts')} */
const { createReferenceServer } = await createJiti(import.meta.url).import(
  '../../fixtures/reference/serve.ts',
);

/** @type {Map<string, ReturnType<typeof loadContract>>} */
const contracts = new Map();

/**
 * Runs all suites with the settings of `cloche test`, on a service that is put on a socket for it, in this process: a
 * process of its own for each run would start and compile for longer than most of them last.
 * @param {object} options
 * @param {Parameters<typeof createReferenceServer>[0]} options.service
 * @param {string} options.document - Its file.
 * @param {boolean} options.bail - Whether the run ends at the first violation.
 * @param {number} options.seed
 * @returns {Promise<{ found: boolean, check: string, seen: number, requests: number, seconds: number }>} `seen` is the
 *   number of requests until a case first shows the violation, before it is made smaller and repeated
 */
export async function runOn({ service, document, bail, seed }) {
  const server = createReferenceServer(service);
  await new Promise((resolve) => void server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const known = contracts.get(document) ?? loadContract(document);
  contracts.set(document, known);
  const target = await openUrlTarget({
    contract: await known,
    baseUrl: `http://127.0.0.1:${port}`,
    token: 'the-token',
    connections: 10,
  });
  const startedAt = performance.now();
  const controller = new AbortController();
  let requests = 0;
  let seen = 0;
  /** @type {string | undefined} */
  let check;
  try {
    await runSuites(allSuites, target, {
      seed,
      connections: 10,
      signal: controller.signal,
      emit(event) {
        if (event.kind === 'exchange' && !controller.signal.aborted) requests += 1;
        if (event.kind === 'case-failed' && event.finding.level === 'violation') seen ||= requests;
        if (event.kind !== 'finding' || event.finding.finding.level !== 'violation') return;
        check ??= event.finding.finding.check;
        if (bail) controller.abort();
      },
    });
  } catch (error) {
    // A service that rejects the token, say, fails the command too.
    if (!(error instanceof ClocheError) || error.code !== 'CANNOT_JUDGE') throw error;
    check ??= 'cannot be judged';
  } finally {
    await target.close();
    server.closeAllConnections();
    server.close();
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  return { found: check !== undefined, check: check ?? '', seen: seen || requests, requests, seconds };
}
