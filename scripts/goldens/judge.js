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

/** What is found in each service of the catalogue, over one connection. */
export async function findInServices() {
  const { correct, faulty, warned, constrained, conforming } = await loadCatalogue();
  const contract = await loadContract();
  const lines = [];
  for (const { id } of [correct, ...faulty, ...warned, ...constrained, ...conforming]) {
    const result = await withService(id === correct.id ? 'plant-store' : id, (url) =>
      judge(url, contract),
    ).catch((error) => ({ findings: [{ id: `${error.code}`, count: 1, finding: { level: 'none' } }] }));
    const found = result.findings.map((each) => `${each.finding.level} ${each.id} ${each.count}`).toSorted();
    lines.push(id, ...found.map((line) => `  ${line}`));
  }
  return `${lines.join('\n')}\n`;
}

/** What the mock of each document answers to the requests of a run with a seed: 300 in all are written out, all are hashed. */
export async function recordResponses() {
  const names = readdirSync(documents).filter((name) => /\.(?:yaml|json)$/u.test(name));
  const sources = [undefined, ...names.map((name) => fileURLToPath(new URL(name, documents)))];
  const lines = [];
  for (const source of sources) {
    const contract = await loadContract(source);
    const isBasic = contract.operations.some(({ security }) =>
      security.flat().some(({ kind }) => kind === 'basic'),
    );
    const token = isBasic ? basicToken : goodToken;
    // Times are in responses, and in entity-tags.
    const mock = await createMock(contract, { tokens: [token], clock: () => Date.UTC(2026, 0, 1) });
    const { url, close } = await mock.listen();
    const hash = createHash('sha256');
    let count = 0;
    await judge(
      url,
      contract,
      (event) => {
        if (event.kind !== 'exchange') return;
        const { request, answer } = event.judged.exchange;
        const fields = answer.response?.headers.filter(([name]) => name !== 'Date');
        const body = Buffer.from(answer.response?.body ?? []).toString('latin1');
        const line = JSON.stringify([
          request.method,
          request.target.slice(0, 200),
          Buffer.from(request.body ?? [])
            .toString('latin1')
            .slice(0, 200),
          answer.response?.status ?? answer.kind,
          fields,
          body.slice(0, 400),
        ]).replaceAll(new URL(url).host, 'HOST');
        hash.update(line);
        count += 1;
        if (count % 17 === 0 && lines.length < 330) lines.push(line);
      },
      token,
    );
    await close();
    await mock.close();
    lines.push(
      `${source === undefined ? 'default' : names[sources.indexOf(source) - 1]}: ${count} ${hash.digest('hex')}`,
    );
  }
  return `${lines.join('\n')}\n`;
}
