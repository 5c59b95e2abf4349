import { fileURLToPath } from 'node:url';
import { expect, test as base } from '@playwright/test';
import { createMock } from 'cloche';
import { mockFixtures } from 'cloche/playwright';

const store = 'https://store.example';
const path = fileURLToPath(new URL('page.html', import.meta.url));

const test = base.extend({
  ...mockFixtures(() => createMock(undefined, { tokens: ['secret'] }), { baseUrl: store }),
  async page({ page }, use) {
    await page.route('https://garden.example/*', (route) => route.fulfill({ path }));
    await page.goto(`https://garden.example/?store=${encodeURIComponent(store)}`);
    await use(page);
  },
});

async function add(page, id, name) {
  await page.getByLabel('Number').fill(id);
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Add' }).click();
}

test('adds a plant', async ({ page, mock }) => {
  await add(page, '9007199254740993', 'Basil');
  await expect(page.getByRole('status')).toHaveText('Basil was added.');
  const [{ key }] = (await mock.state.list('/plants')).resources;
  expect(key).toBe('9007199254740993');
});

test('says what the store has against a plant', async ({ page, mock }) => {
  await mock.state.put('/plants', { id: 1, name: 'Fern' });
  await add(page, '1', 'Basil');
  await expect(page.getByRole('status')).toHaveText(/^Not added: /u);
});

test('says that the store is busy', async ({ page, mock }) => {
  mock.faults.put({ answer: { status: 503, body: { error: 503, message: 'We are watering.' } } });
  await add(page, '1', 'Basil');
  await expect(page.getByRole('status')).toHaveText('Not added: We are watering.');
});

test('says that the store cannot be reached, and adds the plant when it can', async ({ page, mock }) => {
  mock.faults.put({ operation: 'createPlant', connection: 'drop', times: 1 });
  await add(page, '1', 'Basil');
  await expect(page.getByRole('status')).toHaveText('The store cannot be reached. Try again.');
  await add(page, '1', 'Basil');
  await expect(page.getByRole('status')).toHaveText('Basil was added.');
});
