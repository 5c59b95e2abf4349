import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { allSuites } from '../../dist/suites/all-suites.js';
import { createMock, loadContract, openUrlTarget, runSuites } from '../../dist/src/index.js';
import { loadCatalogue } from '../../fixtures/services/catalogue.js';

const goodToken = 'the-token-of-the-goldens';
/** What basic authentication has for a token. */
const basicToken = 'goldens:the-token-of-the-goldens';
const documents = new URL('../../fixtures/documents/', import.meta.url);

/** Does something with a service of the catalogue, named by its id, while it runs. */
export async function withService(id, use) {
  const { correct, faulty, warned, constrained, conforming } = await loadCatalogue();
  const all = [correct, ...faulty, ...warned, ...constrained, ...conforming];
  const service = id === 'plant-store' ? correct : all.find((each) => each.id === id);
  if (service === undefined) throw new Error(`There is no service "${id}".`);
  const server = service.create({ token: goodToken });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    return await use(`http://127.0.0.1:${server.address().port}${service.prefix ?? ''}`);
  } finally {
    server.closeAllConnections?.();
    server.close();
  }
}

async function judge(baseUrl, contract, emit = () => undefined, token = goodToken) {
  const target = await openUrlTarget({ contract, baseUrl, token, connections: 1, timeoutMs: 3_000 });
  try {
    return await runSuites(allSuites, target, {
      seed: 7,
      runs: 20,
      connections: 1,
      keys: [1_000, 2_000_000],
      rateWaitMs: 5_000,
      unsafeMethods: true,
      emit,
    });
  } finally {
    await target.close();
  }
}

/** The findings in each service of the catalogue, over one connection. */
export async function findInServices() {
  const { correct, faulty, warned, constrained, conforming } = await loadCatalogue();
  const contract = await loadContract();
  return [correct, ...faulty, ...warned, ...constrained, ...conforming].map(({ id }) => [
    id,
    async () => {
      const result = await withService(id === correct.id ? 'plant-store' : id, (url) =>
        judge(url, contract),
      ).catch((error) => ({ findings: [{ id: `${error.code}`, count: 1, finding: { level: 'none' } }] }));
      return result.findings
        .map((each) => `${each.finding.level} ${each.id} ${each.count}`)
        .toSorted()
        .join('\n');
    },
  ]);
}

/** One exchange in so many is written out, as far as so many; the hash is that of all. */
const written = { oneIn: 17, most: 12 };

/** The responses of the mock of each document to the requests of a run with a seed. */
export function recordResponses() {
  const names = readdirSync(documents).filter((name) => /\.(?:yaml|json)$/u.test(name));
  return [
    ['default', () => recordDocument()],
    ...names.map((name) => [name, () => recordDocument(fileURLToPath(new URL(name, documents)))]),
  ];
}

async function recordDocument(source) {
  const contract = await loadContract(source);
  const isBasic = contract.operations.some(({ security }) =>
    security.flat().some(({ kind }) => kind === 'basic'),
  );
  const token = isBasic ? basicToken : goodToken;
  // Times are in responses, and in entity-tags.
  const mock = await createMock(contract, { tokens: [token], clock: () => Date.UTC(2026, 0, 1) });
  const { url, close } = await mock.listen();
  const hash = createHash('sha256');
  const lines = [];
  let count = 0;
  const emit = (event) => {
    if (event.kind !== 'exchange') return;
    const line = describeExchange(event.judged.exchange).replaceAll(new URL(url).host, 'HOST');
    hash.update(line);
    count += 1;
    if (count % written.oneIn === 0 && lines.length < written.most) lines.push(line);
  };
  await judge(url, contract, emit, token);
  await close();
  await mock.close();
  return [...lines, `${count} ${hash.digest('hex')}`].join('\n');
}

function describeExchange({ request, answer }) {
  return JSON.stringify([
    request.method,
    request.target.slice(0, 200),
    Buffer.from(request.body ?? [])
      .toString('latin1')
      .slice(0, 200),
    answer.response?.status ?? answer.kind,
    answer.response?.headers.filter(([name]) => name !== 'Date'),
    Buffer.from(answer.response?.body ?? [])
      .toString('latin1')
      .slice(0, 400),
  ]);
}
