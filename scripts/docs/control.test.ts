import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { askControl } from '../../fixtures/ask-control.ts';
import { openOrderMock } from '../../fixtures/open-order-mock.ts';
import { controlGroups } from '../../src/cli/control/commands.ts';
import { controlExamples, controlOperations, renderControlDocs } from './control.ts';

const file = fileURLToPath(new URL('../../docs/control.md', import.meta.url));
const ids = new Set(controlOperations.map(({ operationId }) => operationId));

// `npx vitest run src/mock/control/docs -u` writes the page anew.
test('docs/control.md says what the operations say of themselves', async () => {
  await expect(renderControlDocs()).toMatchFileSnapshot(file);
});

test('the page shows every operation, with an example of each', () => {
  const page = renderControlDocs();
  const missing = controlOperations.filter(({ method, path }) => !page.includes(`| \`${method} ${path}\` |`));
  expect(missing).toEqual([]);
  expect(new Set(controlExamples.map(({ operationId }) => operationId))).toEqual(ids);
});

test('every example works, in the order in which they stand', async () => {
  const { mock, post } = await openOrderMock();
  const refused: string[] = [];
  for (const { operationId, path, body } of controlExamples) {
    if (operationId === 'listRequests') {
      await post('{"id":1,"name":"Tea"}');
    }
    const operation = controlOperations.find((each) => each.operationId === operationId);
    const line = `${operation?.method} ${path ?? operation?.path}`;
    const { status, text } = await askControl(mock, line, body);
    if (status >= 300) {
      refused.push(`${line}: ${status} ${text}`);
    }
  }
  expect(refused).toEqual([]);
});

test('every command that the page names is one that there is', () => {
  const known = controlGroups.flatMap(({ name, actions }) =>
    actions.map(({ usage }) => `${name} ${usage.split(' ', 1)[0]}`),
  );
  const named = controlExamples.flatMap(({ command = 'reset' }) => {
    const [name, action] = command.split(' ');
    return name === 'reset' || name === 'webhook' || action === undefined ? [] : [`${name} ${action}`];
  });
  expect(named.filter((each) => !known.includes(each))).toEqual([]);
});
