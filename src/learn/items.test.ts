import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { learnMock } from '../../fixtures/learn-mock.ts';
import type { Answer } from '../http/message.ts';

const document = fileURLToPath(new URL('../../fixtures/documents/projects.yaml', import.meta.url));

test('takes a Location that is no percent-encoded text for what it is', async () => {
  const learnt = await learnMock(
    {},
    {
      document,
      trials: 1,
      questions: ['deleted-again'],
      async intercept(request, send): Promise<Answer> {
        const answer = await send(request, {});
        if (request.method !== 'POST' || answer.kind !== 'response') return answer;
        const headers = [['Location', '/projects/%zz'] as const];
        return { ...answer, response: { ...answer.response, headers, body: new Uint8Array() } };
      },
    },
  );
  expect(learnt.questions.map(({ question }) => question)).toContain('deleted-again');
});
