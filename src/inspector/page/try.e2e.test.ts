import { describe, expect, test } from 'vitest';
import { hasChromium } from '../../../fixtures/chromium.ts';
import { setUpInspector } from '../../../fixtures/set-up-inspector.ts';
import { contractOf } from '../../../fixtures/contract-of.ts';
import type { JsonObject } from '../../json/value.ts';

const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
const answer = (status: string, schema: JsonObject): JsonObject => ({
  responses: { [status]: { description: 'It.', ...json(schema) } },
});
const id = { type: 'integer', readOnly: true };
const owner = { type: 'object', required: ['name'], properties: { id, name: { type: 'string' } } };
const pet = {
  type: 'object',
  required: ['name', 'ownerId'],
  properties: { id, name: { type: 'string', example: 'Rex' }, ownerId: { type: 'integer' } },
};
const body = (schema: JsonObject): JsonObject => ({ requestBody: { required: true, ...json(schema) } });
const ofItem = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }];
const pets = contractOf({
  paths: {
    '/owners': { post: { operationId: 'createOwner', ...body(owner), ...answer('201', owner) } },
    '/owners/{id}': { parameters: ofItem, get: answer('200', owner) },
    '/pets': { post: { operationId: 'createPet', ...body(pet), ...answer('201', pet) } },
    '/pets/{id}': { parameters: ofItem, get: { operationId: 'getPet', ...answer('200', pet) } },
  },
  webhooks: { petBorn: { post: { ...body(pet), responses: { '204': { description: 'Noted.' } } } } },
});

describe.skipIf(!hasChromium)(
  'requests from the inspector (skipped where no chromium or google-chrome is in /usr/bin)',
  () => {
    const inspected = setUpInspector({ callsMock: true });
    const { visit } = inspected;

    test('sends a request that is filled with the example of the document, and shows the response', async () => {
      await inspected.reopen({}, { document: pets });
      const page = await visit('try');
      await page.getByLabel('Operation').selectOption('createPet');
      const text = page.getByLabel('Body');
      await expect.poll(() => text.inputValue()).toContain('"Rex"');
      await text.fill('{"name":"Bello","ownerId":3}');
      await page.getByRole('button', { name: 'Send' }).click();
      const response = page.getByRole('region', { name: 'Response' });
      await response.getByText('201 Created').waitFor();
      expect(await response.getByLabel('Response body').textContent()).toContain('"Bello"');
      await page.getByLabel('Operation').selectOption('getPet');
      await page.getByLabel('id path, required').fill('1');
      await page.getByRole('button', { name: 'Send' }).click();
      await response.getByText('200 OK').waitFor();
      await response.getByRole('link', { name: 'request log' }).click();
      await page.getByRole('row', { name: '/pets/1' }).waitFor();
    });

    test('sends credentials that the mock accepts', async () => {
      const page = await visit('try');
      await page.getByLabel('Authorization header, required').waitFor();
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByText('200 OK').waitFor();
      expect((await inspected.mock.state.list('/plants')).total).toBe(1);
    });

    test('links an item to those that it refers to', async () => {
      await inspected.reopen({}, { document: pets });
      await inspected.mock.state.import({
        '/owners': [{ id: 3, name: 'Ada' }],
        '/pets': [{ id: 1, name: 'Rex', ownerId: 3 }],
      });
      const page = await visit('state/%2Fpets');
      await page.getByRole('cell', { name: '3' }).getByRole('link').click();
      await page.getByText('"Ada"').waitFor();
      await page.goto(`${inspected.url}/__cloche/#state/%2Fpets/1`);
      const references = page.getByRole('region', { name: 'References' });
      await references.getByRole('link', { name: '3' }).click();
      await page.getByText('"Ada"').waitFor();
      expect(new URL(page.url()).hash).toBe('#state/%2Fowners/3');
    });

    test('sends a webhook, and lists its outcome', async () => {
      await inspected.reopen({}, { document: pets });
      const page = await visit('callbacks');
      await page.getByLabel('URL of the receiver').fill('http://127.0.0.1:1/hooks');
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('row', { name: 'failed POST http://127.0.0.1:1/hooks' }).waitFor();
      expect(inspected.mock.callbacks.list()).toMatchObject([{ name: 'petBorn', outcome: 'failed' }]);
    });
  },
);
