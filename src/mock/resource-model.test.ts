import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ask, documentOf, stories, tell } from '../../fixtures/resource-model.ts';
import { createMock } from './create-mock.ts';

test('a mock of any collections answers any sequence of requests as a map of maps does', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      const mock = await createMock(documentOf(story));
      compared += await tell(story, ask(mock.fetch, 'http://mock'));
      await mock.close();
    }),
    { numRuns: 15 },
  );
  expect(compared).toBeGreaterThan(15);
});
