import { describe, expect, test } from 'vitest';
import { hasChromium } from '../../fixtures/chromium.ts';
import { setUpInspector } from '../../fixtures/set-up-inspector.ts';
import { createMock } from '../mock/create-mock.ts';
import { contractOf } from '../../fixtures/contract-of.ts';
import type { JsonObject } from '../json/value.ts';

/** Waits until this is so, as the page does its work in its own time. */
async function expectSoon<T>(read: () => T | Promise<T>, expected: unknown): Promise<void> {
  await expect.poll(read).toEqual(expected);
}

describe.skipIf(!hasChromium)(
  'what the inspector changes (skipped where no chromium or google-chrome is in /usr/bin)',
  () => {
    const inspected = setUpInspector();
    const { visit, post } = inspected;

    test('adds, edits and deletes resources, digit for digit, and says what is wrong', async () => {
      const page = await visit('state');
      await page.getByText('Nothing is in it yet').waitFor();
      await page.getByRole('button', { name: 'Add' }).click();
      const dialog = page.getByRole('dialog');
      const text = dialog.getByRole('textbox');
      await text.fill('{"id":9007199254740993,}');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('Line 1, column 24').waitFor();
      await text.fill('{"id":9007199254740993,"name":7}');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('/name must be a string').waitFor();
      expect(await inspected.mock.state.export()).toEqual({});
      await text.fill('{"id":9007199254740993,"name":"Basil"}');
      await text.press('Control+Enter');
      await page.getByRole('row', { name: 'Basil' }).waitFor();
      await post('{"id":2,"name":"Mint"}');
      await page.getByRole('link', { name: '2', exact: true }).click();
      await page.getByRole('button', { name: 'Edit…' }).click();
      await text.fill('{"id":2,"name":"Mint","tag":"herb"}');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByLabel('Resource', { exact: true }).getByText('herb').waitFor();
      await page.getByRole('link', { name: 'Close' }).click();
      await page.getByRole('cell', { name: 'herb' }).waitFor();
      await page.getByRole('button', { name: 'Delete 2' }).click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await expectSoon(() => page.getByRole('row').count(), 2);
      const { resources } = await inspected.mock.state.list('/plants');
      expect(resources.map(({ key }) => key)).toEqual(['9007199254740993']);
    });

    test('searches and turns the pages of a collection', async () => {
      const rows = Array.from({ length: 120 }, (_, index) => ({ id: index + 1, name: `plant ${index + 1}` }));
      await inspected.mock.state.import({ '/plants': rows });
      const page = await visit('state');
      await page.getByText('1 to 50 of 120').waitFor();
      await page.getByRole('button', { name: 'Next' }).click();
      await page.getByText('51 to 100 of 120').waitFor();
      await page.getByRole('link', { name: '51', exact: true }).waitFor();
      await page.getByLabel('Search resources').fill('plant 120');
      await expectSoon(() => page.getByRole('table').getByRole('row').count(), 2);
    });

    test('keeps snapshots, and resets', async () => {
      await post('{"id":1,"name":"Basil"}');
      const page = await visit('state');
      const count = async (): Promise<number> => (await inspected.mock.state.list('/plants')).total;
      await page.getByLabel('Name of the snapshot').fill('two words');
      await page.getByRole('button', { name: 'Save state' }).click();
      await page.getByRole('button', { name: 'Restore two words' }).waitFor();
      await page.getByRole('button', { name: 'Reset state' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
      await page.getByText('Nothing is in it yet').waitFor();
      expect(await count()).toBe(0);
      await page.getByRole('button', { name: 'Restore two words' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
      await page.getByRole('row', { name: 'Basil' }).waitFor();
      await page.getByRole('button', { name: 'Delete two words' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await expectSoon(() => inspected.mock.state.snapshots(), []);
    });

    test('exports the state and imports it again, and names the rows that cannot be taken', async () => {
      await post('{"id":9007199254740993,"name":"Basil"}');
      const page = await visit('state');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Export' }).click(),
      ]);
      const path = await download.path();
      await inspected.mock.reset();
      const file = page.locator('input[type=file]');
      await file.setInputFiles(path);
      await page.getByText('1 added, 0 replaced').waitFor();
      await page.getByRole('link', { name: '9007199254740993' }).waitFor();
      const buffer = Buffer.from('{"/plants":[{"id":1,"name":"Mint"},{"id":2}]}');
      await file.setInputFiles({ name: 'bad.json', mimeType: 'application/json', buffer });
      await page.getByText('/plants, row 2: /name is required').waitFor();
      expect((await inspected.mock.state.list('/plants')).total).toBe(1);
    });

    test('answers the questions of the policy, and takes the answers back', async () => {
      const page = await visit('policy');
      const question = page.getByRole('group', { name: 'What happens when the id exists already?' });
      await question.getByRole('radio', { name: '409' }).check();
      await expectSoon(() => inspected.mock.policy['duplicate-key'], 'conflict');
      await post('{"id":1,"name":"Basil"}');
      expect((await post('{"id":1,"name":"Basil"}')).status).toBe(409);
      const limit = page.getByRole('group', { name: 'How large may a body be?' });
      await limit.getByText('Another value').click();
      await limit.getByRole('textbox').fill('{"bytes":20,"status":400}');
      await limit.getByRole('button', { name: 'Set' }).click();
      await limit.getByRole('radio', { name: 'up to 20 bytes' }).waitFor();
      expect(inspected.mock.policy['body-limit']).toEqual({ bytes: 20, status: 400 });
      await limit.getByRole('textbox').fill('{"bytes":-1}');
      await limit.getByRole('button', { name: 'Set' }).click();
      await page.getByRole('alert').getByText('body-limit').waitFor();
      await page.getByRole('button', { name: 'Reset' }).click();
      await expectSoon(() => question.getByRole('radio', { name: /400.*default/u }).isChecked(), true);
      expect(inspected.mock.policy['duplicate-key']).toBe('refuse');
    });

    test('lists undecided behaviours first and moves none that is decided until the next visit', async () => {
      await inspected.reopen({}, { policy: { 'duplicate-key': 'conflict' } });
      const page = await visit('policy');
      const names = () => page.getByRole('group').locator('legend code').allInnerTexts();
      const radio = page.locator('[name="undeclared-properties"]').nth(1);
      await radio.scrollIntoViewIfNeeded();
      expect(await page.getByRole('radio', { name: '409' }).isVisible()).toBe(false);
      const [order, place] = [await names(), await radio.boundingBox()];
      await radio.check();
      await expectSoon(() => inspected.mock.policy['undeclared-properties'], 'refuse');
      expect([await names(), await radio.boundingBox()]).toEqual([order, place]);
      expect(await radio.evaluate((node) => node === node.ownerDocument.activeElement)).toBe(true);
      await page.getByText(/^Decided behaviours/u).click();
      await page.getByRole('radio', { name: '409' }).waitFor();
      await page.getByRole('link', { name: 'Clock' }).click();
      await page.getByRole('link', { name: 'Policy' }).click();
      await page.getByText('Decided behaviours (2)', { exact: true }).waitFor();
      expect(await radio.isVisible()).toBe(false);
    });

    test('answers for one operation alone, and says where the document answers itself', async () => {
      const other = await createMock('fixtures/documents/two-creates.yaml');
      await inspected.mock.change({ contract: other.contract });
      const page = await visit('policy');
      const question = page.getByRole('group', { name: 'What happens to properties' });
      await question.getByText('For one operation').click();
      await question.getByLabel('Operation').selectOption({ index: 2 });
      await question.getByLabel('Value', { exact: true }).selectOption('the body is refused');
      await question.getByRole('button', { name: 'Set' }).last().click();
      const takeBack = page.getByRole('button', { name: 'Remove undeclared-properties' });
      await takeBack.waitFor();
      const [, second] = other.contract.operations;
      const answerOfSecond = (): unknown =>
        inspected.mock.policy.operations?.[second?.id ?? '']?.['undeclared-properties'];
      expect(answerOfSecond()).toBe('refuse');
      await takeBack.click();
      await expectSoon(answerOfSecond, undefined);
      await page.getByText(/^Decided behaviours/u).click();
      await page
        .getByText(/^two-creates\.yaml, line \d+$/u)
        .first()
        .waitFor();
    });

    test('makes requests go wrong, and right again', async () => {
      const page = await visit('faults');
      const status = async (): Promise<number> => (await post('{}')).status;
      await page.getByRole('button', { name: 'Every response is 503' }).click();
      const rule = page.getByRole('switch', { name: 'Every request gets 503' });
      await rule.waitFor();
      expect(await status()).toBe(503);
      await rule.click();
      await expectSoon(status, 400);
      await page.getByRole('button', { name: 'Delete all-503' }).click();
      await page.getByText('every request gets its regular response').waitFor();
      await page.getByLabel('Which requests').selectOption('createPlant');
      await page.getByRole('spinbutton', { name: 'Status' }).fill('418');
      await page.getByLabel('Only the next').fill('1');
      await page.getByRole('button', { name: 'Add' }).click();
      await page.getByText('createPlant gets 418; the next 1').waitFor();
      await page.getByText('0 of 0 requests, 1 left').waitFor();
      expect([await status(), await status()]).toEqual([418, 400]);
    });

    test('stops the clock, moves it on, and lets it go again', async () => {
      const { clock } = inspected.mock;
      const page = await visit('clock');
      await page.getByRole('switch', { name: 'Frozen' }).click();
      await expectSoon(() => clock.isFrozen, true);
      await page.getByLabel('Set time (UTC)').fill('2030-02-28T23:59:00');
      await page.getByRole('button', { name: 'Set', exact: true }).click();
      await page.getByText('2030-02-28 23:59:00 UTC').waitFor();
      await page.getByRole('button', { name: '1 minute' }).click();
      await page.getByText('2030-03-01 00:00:00 UTC').waitFor();
      expect(new Date(clock.now()).toISOString()).toBe('2030-03-01T00:00:00.000Z');
      await page.getByRole('button', { name: 'Reset' }).click();
      await expectSoon(() => clock.isFrozen, false);
    });
  },
);

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
