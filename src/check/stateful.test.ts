import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCheckContext } from '../../fixtures/create-check-context.ts';
import { plainValues } from '../arbitrary/from-schema.ts';
import type { MediaTypeContract, Operation } from '../contract/contract.ts';
import { loadContract } from '../contract/load.ts';
import { createRouter } from '../contract/router.ts';
import { findStructured } from '../http/codecs/registry.ts';
import type { HttpRequest } from '../http/message.ts';
import { pathOf } from '../http/path.ts';
import { stringifyJson } from '../json/print.ts';
import { createMock } from '../mock/create-mock.ts';
import { judgeExchange } from './judge.ts';
import type { CheckedExchange } from './classify/subject.ts';
import { statefulChecks } from './stateful/stateful-checks.ts';

const folder = new URL('../../fixtures/documents/', import.meta.url);
const documents = readdirSync(folder).filter((name) => /\.(?:ya?ml|json)$/u.test(name));
const token = 'gardener:the-token';
const headers = [
  ['Authorization', `Bearer ${token}`],
  ['Content-Type', 'application/json'],
] as const;

const known = new Map<MediaTypeContract, ReturnType<typeof plainValues>>();

function valuesOf(media: MediaTypeContract): ReturnType<typeof plainValues> {
  const values = known.get(media) ?? plainValues(media.schema, media.examples);
  known.set(media, values);
  return values;
}

/** A request to an operation: the ids that were seen are tried, and small numbers. */
function requestTo(operation: Operation, ids: readonly string[], random: fc.GeneratorValue): HttpRequest {
  const path = operation.path.template.replaceAll(/\{[^{}]+\}/gu, () =>
    encodeURIComponent(random(() => fc.constantFrom(...ids, '1', '2'))),
  );
  const limit = operation.parameters.find(({ name, in: place }) => place === 'query' && name === 'limit');
  const query = limit !== undefined && random(fc.boolean) ? '?limit=2' : '';
  const media = findStructured(operation.requestBody?.media);
  const values = media && valuesOf(media);
  const body = values && new TextEncoder().encode(stringifyJson(random(() => values.arbitrary)));
  return { method: operation.method, target: path + query, headers, body };
}

/** The ids in an answer: the texts and numbers in its JSON, and the end of its Location. */
function idsIn(judged: CheckedExchange): readonly string[] {
  const { answer } = judged;
  if (answer.kind === 'none' || answer.response.status > 299 || judged.exchange.request.method !== 'POST')
    return [];
  const text = new TextDecoder().decode(answer.response.body);
  return [...text.matchAll(/"(?:id|key|slug|uuid|name)":"?([^",}]+)"?/gu)].map(([, id = '']) => id);
}

test.each(documents)('nothing is found in what the mock of %s does, whatever it is asked', async (name) => {
  const contract = await loadContract(fileURLToPath(new URL(name, folder)), { followReferences: false });
  const route = createRouter(contract);
  const context = createCheckContext(contract, { goodTokens: [token] });
  const asked = fc.asyncProperty(fc.gen(), async (random) => {
    await using mock = await createMock(contract, { tokens: [token] });
    const trace: CheckedExchange[] = [];
    const ids: string[] = [];
    for (let count = 0; count < 30; count += 1) {
      const operation = random(() => fc.constantFrom(...contract.operations));
      const request = requestTo(operation, ids, random);
      const judged = judgeExchange({
        exchange: { request, answer: await mock.send(request), durationMs: 1 },
        route: route(pathOf(request.target)),
        framing: 'content-length',
        keyState: () => 'allocated',
        context,
      });
      trace.push(judged);
      ids.push(...idsIn(judged));
    }
    const found = Object.values(statefulChecks).flatMap((check) => check.judgeTrace(trace, context));
    expect(found.map(({ check, operation, cause }) => `${check} ${operation}: ${cause}`)).toEqual([]);
  });
  await fc.assert(asked, { numRuns: 8 });
});
