import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { learnMock } from '../../fixtures/learn-mock.ts';
import { runOnMock } from '../../fixtures/run-on-mock.ts';
import type { Send } from '../http/message.ts';
import { createMock } from '../mock/create-mock.ts';
import { lifeCycles } from '../../suites/life-cycles.ts';

const document = fileURLToPath(new URL('../../fixtures/documents/etags.yaml', import.meta.url));

/** Lists the items of a mock of etags.yaml. */
async function listArticles(send: Send): Promise<unknown> {
  const answer = await send({ method: 'GET', target: '/articles', headers: [], body: undefined }, {});
  return answer.kind === 'response' ? JSON.parse(new TextDecoder().decode(answer.response.body)) : undefined;
}

test('a run deletes items whose DELETE must name their ETag', async () => {
  const mock = await createMock(document);
  const { items } = await runOnMock({ mock, runs: 2, suites: [lifeCycles], isMock: false });
  expect(items).toMatchObject({ deleted: items?.created, left: [] });
  expect(items?.created).toBeGreaterThan(0);
  expect(await listArticles(mock.send)).toEqual([]);
});

test('learn deletes items whose DELETE must name their ETag', async () => {
  let known: Send | undefined;
  await learnMock(
    {},
    {
      document,
      trials: 1,
      questions: ['deleted-again'],
      intercept: (request, send) => {
        known = send;
        return send(request, {});
      },
    },
  );
  expect(known && (await listArticles(known))).toEqual([]);
});
