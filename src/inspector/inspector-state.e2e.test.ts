import { describe, expect, test } from 'vitest';
import { hasChromium } from '../../fixtures/chromium.ts';
import { contractOf } from '../../fixtures/contract-of.ts';
import { setUpInspector } from '../../fixtures/set-up-inspector.ts';
import type { JsonObject } from '../json/value.ts';

const projects = 'fixtures/documents/projects.yaml';

const id: JsonObject = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const note: JsonObject = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const settings: JsonObject = { type: 'object', properties: { theme: { type: 'string', default: 'light' } } };
const json = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });
const answer = (schema: JsonObject): JsonObject => ({
  responses: { '200': { description: 'It.', ...json(schema) } },
});
const notes = contractOf({
  paths: {
    '/notes': { post: { requestBody: { required: true, ...json(note) }, ...answer(note) } },
    '/notes/{id}': { parameters: [id], get: answer(note) },
    '/settings': {
      get: answer(settings),
      put: { requestBody: { required: true, ...json(settings) }, ...answer(settings) },
    },
  },
});

describe.skipIf(!hasChromium)(
  'the state in the inspector (skipped where no chromium or google-chrome is in /usr/bin)',
  () => {
    const inspected = setUpInspector();
    const { visit } = inspected;

    async function send(line: string, body?: object): Promise<void> {
      const [method = '', path = ''] = line.split(' ');
      await inspected.mock.fetch(path, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    }

    test('turns the pages of 100,000 rows, and searches them, with few elements', async () => {
      const rows = Array.from({ length: 100_000 }, (_, index) => ({ id: index + 1, name: `plant ${index}` }));
      await inspected.mock.state.import({ '/plants': rows });
      const page = await visit('state');
      await page.getByText('1 to 50 of 100,000').waitFor();
      expect(await page.evaluate('document.querySelectorAll("*").length')).toBeLessThan(1_000);
      await page.getByRole('button', { name: 'Last' }).click();
      await page.getByText('99,951 to 100,000 of 100,000').waitFor();
      await page.getByRole('link', { name: '100000', exact: true }).waitFor();
      const number = page.getByRole('spinbutton', { name: 'Page' });
      await number.fill('1000');
      await number.press('Enter');
      await page.getByText('49,951 to 50,000 of 100,000').waitFor();
      await page.getByRole('link', { name: '49960', exact: true }).click();
      await page.getByRole('link', { name: 'Close' }).click();
      // It is the page that was left, and the row that was opened.
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('49960');
      await page.getByLabel('Search resources').fill('plant 77777');
      await page.getByRole('link', { name: '77778', exact: true }).waitFor();
      expect(await page.getByRole('table').getByRole('row').count()).toBe(2);
    });

    test('goes back to the last page that is there where others deleted the one that was shown', async () => {
      const rows = Array.from({ length: 60 }, (_, index) => ({ id: index + 1, name: 'a' }));
      await inspected.mock.state.import({ '/plants': rows });
      const page = await visit('state');
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('51 to 60 of 60').waitFor();
      await inspected.mock.state.import({ '/plants': rows.slice(0, 5) });
      await page.getByRole('link', { name: '5', exact: true }).waitFor();
      expect(await page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0);
    });

    test('leads from an item to what lies within it, and back', async () => {
      await inspected.reopen({}, { document: projects });
      await send('POST /projects', { name: 'Kitchen' });
      await send('POST /projects', { name: 'Roof' });
      await send('POST /projects/2/tasks', { title: 'Tiles' });
      const page = await visit('state');
      await page.getByRole('row', { name: 'Roof' }).click();
      const within = page.getByRole('navigation', { name: 'Within it' });
      await within.getByRole('link', { name: '/projects/2/tasks 1' }).click();
      await page.getByRole('row', { name: 'Tiles' }).waitFor();
      const heading = page.getByRole('heading', { level: 2, name: 'tasks' });
      expect(await heading.textContent()).toBe('/projects / 2 / tasks');
      await heading.getByRole('link', { name: '/projects' }).click();
      await page.getByRole('link', { name: '1', exact: true }).click();
      await within.getByRole('link', { name: '/projects/1/tasks 0' }).click();
      await page.getByText('An app fills it by POST /projects/1/tasks').waitFor();
      await page.getByRole('button', { name: 'Add…' }).click();
      await page.getByRole('dialog').getByRole('textbox').fill('{"title":"Paint"}');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('row', { name: 'Paint' }).waitFor();
      expect((await inspected.mock.state.list('/projects/1/tasks')).total).toBe(1);
    });

    test('tells the requests that an item had, each a way to it and back', async () => {
      await inspected.reopen({}, { document: projects });
      await send('POST /projects', { name: 'Kitchen' });
      await send('POST /projects', { name: 'Roof' });
      await send('GET /projects/1');
      await send('PATCH /projects/1', { name: 7 });
      await send('GET /projects');
      const page = await visit('state/%2Fprojects/1');
      const history = page.getByRole('table', { name: 'Requests about it' });
      const rows = history.getByRole('row').filter({ has: page.getByRole('link') });
      await expect.poll(() => rows.count()).toBe(3);
      expect(await rows.allTextContents()).toEqual([
        expect.stringContaining('400refusedPATCH/projects/1'),
        expect.stringContaining('200acceptedGET/projects/1'),
        expect.stringContaining('201acceptedPOST/projects'),
      ]);
      await rows.last().getByRole('link').click();
      const details = page.getByRole('article', { name: 'Request 1' });
      await details.getByRole('link', { name: '/projects/1' }).click();
      await page.getByRole('button', { name: 'Delete…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('row', { name: 'Roof' }).waitFor();
      // What is gone still has its requests.
      await page.goto(`${inspected.url}/__cloche/#state/%2Fprojects/1`);
      await page.getByText('There is no resource 1 in /projects').waitFor();
      await expect.poll(() => rows.count()).toBe(3);
    });

    test('shows, changes and resets a singleton, which is there from the start', async () => {
      await inspected.reopen({}, { document: notes });
      await send('GET /settings');
      const page = await visit('state');
      await page.getByRole('link', { name: '/settings' }).click();
      await page.getByText('Nothing was put here yet').waitFor();
      await page.getByRole('button', { name: 'Edit…' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').fill('{"theme":7}');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('/theme must be a string').waitFor();
      await dialog.getByRole('textbox').fill('{"theme":"dark"}');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByLabel('Resource', { exact: true }).getByText('dark').waitFor();
      const read = async (): Promise<string> => (await inspected.mock.fetch('/settings')).text();
      expect(await read()).toBe('{"theme":"dark"}');
      const history = page.getByRole('table', { name: 'Requests about it' });
      await history.getByRole('link', { name: '/settings' }).nth(1).waitFor();
      await page.getByRole('button', { name: 'Delete…' }).click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText('Nothing was put here yet').waitFor();
      expect(await read()).not.toContain('dark');
    });

    test.each([
      '__proto__',
      'a/b',
      '%2F',
      '\u202Egnp.exe',
      '7',
      'x'.repeat(300),
      '<img src=x onerror=alert(1)>',
    ])('shows, opens and deletes the row of the key %j, and no other', async (key) => {
      await inspected.reopen({}, { document: notes });
      await inspected.mock.state.import({ '/notes': [{ id: 'other' }, { id: key, ['__proto__']: 1 }] });
      await send(`GET /notes/${encodeURIComponent(key)}`);
      const page = await visit('state');
      const links = page.getByRole('table').getByRole('link');
      await expect.poll(() => links.count()).toBe(2);
      const shown = key === '7' ? '"7"' : key.replace('\u202E', String.raw`\u{202e}`);
      expect(await links.last().textContent()).toBe(shown);
      await links.last().click();
      await page.getByLabel('Resource', { exact: true }).waitFor();
      expect(await page.getByRole('heading', { level: 2, name: '/notes' }).textContent()).toBe(
        `/notes / ${shown}`,
      );
      await page.getByRole('table', { name: 'Requests about it' }).waitFor();
      await page.getByRole('button', { name: 'Delete…' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await expect.poll(() => links.allTextContents()).toEqual(['other']);
      expect(await inspected.mock.state.export()).toEqual({ '/notes': [{ id: 'other' }] });
    });

    test('explains that an id is too long to open, and sends no request that the mock cannot read', async () => {
      await inspected.reopen({}, { document: notes });
      await inspected.mock.state.import({ '/notes': [{ id: 'x'.repeat(16_000) }] });
      const page = await visit('state');
      await page.getByRole('table').getByRole('link').click();
      await page.getByText('The request has a URL of').first().waitFor();
      expect(inspected.mock.requests.list().map(({ status }) => status)).toEqual([]);
    });
  },
);
