import axe, { type AxeResults } from 'axe-core';
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../../fixtures/chromium.ts';
import { setUpInspector } from '../../fixtures/set-up-inspector.ts';

const hostileName = `<img src=x onerror="alert(1)">\u202Etxt.exe\0</td></table>`;

/** The views and dialogs of the page, each with something to wait for. */
const views: readonly { readonly place: string; readonly shown: string; readonly button?: string }[] = [
  { place: 'requests', shown: '/name must be a string' },
  { place: 'requests/2', shown: 'As a command' },
  { place: 'state', shown: 'Restore' },
  { place: 'state/%2Fplants/1', shown: 'Edit…' },
  { place: 'state', shown: 'as a create sends it', button: 'Add…' },
  { place: 'try', shown: 'Send' },
  { place: 'callbacks', shown: 'None yet' },
  { place: 'policy', shown: 'int64-range' },
  { place: 'faults', shown: 'slow' },
  { place: 'clock', shown: 'Frozen' },
];

/** Waits until this is so, as the page does its work in its own time. */
async function expectSoon<T>(read: () => T | Promise<T>, expected: unknown): Promise<void> {
  await expect.poll(read).toEqual(expected);
}

describe.skipIf(!hasChromium)(
  'the inspector in a browser (skipped where no chromium or google-chrome is in /usr/bin)',
  () => {
    const inspected = setUpInspector();
    const { visit, post } = inspected;

    test('shows requests as they come, and of one what was wrong with it', async () => {
      const page = await visit('requests');
      await page.getByText('No request yet').waitFor();
      await post('{"id":1,"name":"Basil"}');
      await page.getByRole('row', { name: '200 accepted POST /plants' }).waitFor();
      await post('{"id":9007199254740993,"name":4,"tag":"herb"}');
      await page.getByRole('row', { name: '/name must be a string' }).click();
      const details = page.getByRole('article');
      await details.getByRole('heading', { name: 'POST /plants' }).waitFor();
      expect(await details.getByLabel('Request body').textContent()).toContain('9007199254740993');
      expect(await details.locator('mark').allTextContents()).toEqual(['4']);
      expect(await details.locator('blockquote').textContent()).toBe('type: string');
      await details.getByText(/^plant-store\.yaml, line \d+$/u).waitFor();
      await details.getByText(/^\d+ headers$/u).click();
      expect(await details.getByLabel('Request', { exact: true }).textContent()).toContain('Bearer ***');
      expect(await details.getByLabel('Response body').textContent()).toContain('"error":400');
    });

    test('says that it connects until it knows what the mock has', async () => {
      const page = await visit('requests');
      let connect = (): void => {};
      const released = new Promise<void>((resolve) => (connect = resolve));
      await page.route(/\/__cloche\/.*service$/u, async (request) => {
        await released;
        await request.continue();
      });
      await page.reload();
      await page.getByText('Connecting to the mock…').waitFor();
      expect(await page.getByText(/^No request/u).count()).toBe(0);
      connect();
      await page.getByText('Connecting to the mock…').waitFor({ state: 'detached' });
    });

    test('marks the object that lacks something, and the place where JSON breaks off', async () => {
      await post('{"id":1}');
      await post('{"id":1,');
      const page = await visit('requests/1');
      const marks = page.getByLabel('Request body').locator('mark');
      await marks.first().waitFor();
      await expectSoon(() => marks.allTextContents(), ['{', '}']);
      await page.goto(`${inspected.url}/__cloche/#requests/2`);
      await page.getByText('{"id":1,', { exact: true }).waitFor();
      await expectSoon(() => marks.allTextContents(), ['‸']);
    });

    test('copies a request as a curl line', async () => {
      await post('{"id":1}');
      const page = await visit('requests/1', { permissions: ['clipboard-read', 'clipboard-write'] });
      await page.getByRole('button', { name: 'Copy curl' }).click();
      await page.getByText('Copied').waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
        inspected.mock.requests.get(1)?.curl,
      );
    });

    test('filters, pauses and clears the requests', async () => {
      await post('{"id":1,"name":"Basil"}');
      await post('{"id":2,"name":"Mint"}');
      await post('{"id":3}');
      const page = await visit('requests');
      const rows = page.getByRole('table').getByRole('row');
      await expectSoon(() => rows.count(), 4);
      await page.getByLabel('Verdict').selectOption('refused');
      await expectSoon(() => rows.count(), 2);
      await page.getByLabel('Verdict').selectOption('');
      await page.getByLabel('Search requests').fill('Mint');
      await expectSoon(() => rows.count(), 2);
      await page.getByLabel('Search requests').fill('');
      await expectSoon(() => rows.count(), 4);
      await page.getByRole('button', { name: 'Pause' }).click();
      await post('{"id":4,"name":"Sage"}');
      const paused = page.getByRole('button', { name: 'Paused, 1 more' });
      await paused.waitFor();
      expect(await rows.count()).toBe(4);
      await paused.click();
      await expectSoon(() => rows.count(), 5);
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByText('No request yet').waitFor();
      expect(inspected.mock.requests.list()).toEqual([]);
      // Somebody else clears it, and at once there are others.
      await post('{"id":5,"name":"Dill"}');
      await page.getByRole('row', { name: '200 accepted' }).waitFor();
      inspected.mock.requests.clear();
      await post('{"id":6}');
      await page.getByRole('row', { name: '400 refused' }).waitFor();
      expect(await rows.count()).toBe(2);
    });

    test('says that the mock went away, and goes on with the one that comes back', async () => {
      await post('{"id":1,"name":"Basil"}');
      const page = await visit('requests/1');
      await page.getByRole('article').getByText('accepted').waitFor();
      await inspected.mock.close();
      await page.getByText('The mock does not answer').waitFor();
      await inspected.reopen({ port: Number(new URL(inspected.url).port) });
      await page.getByText('No request yet').waitFor();
      await post('{"id":1}');
      await page.getByRole('row', { name: '400 refused' }).waitFor();
      // Ids began anew: what is opened is the one that this mock gave the id to.
      await page.getByRole('article').getByText('refused', { exact: true }).waitFor();
      expect(await page.getByText('The mock does not answer').count()).toBe(0);
    });

    test('asks for the control token where other machines reach the mock', async () => {
      await inspected.reopen({ host: '0.0.0.0' }, { control: { token: 'let-me-in' } });
      const page = await visit('state');
      await page.getByLabel('Control token').fill('let-me-in');
      await page.getByRole('button', { name: 'Open' }).click();
      const empty = page.getByText('Nothing is in it yet');
      await empty.waitFor();
      // It is kept until the tab is closed.
      await page.reload();
      await empty.waitFor();
      expect(await page.getByLabel('Control token').count()).toBe(0);
    });

    test('shows hostile names as the text that they are', async () => {
      await inspected.mock.state.put('/plants', { id: 1, name: hostileName });
      await inspected.mock.state.put('/plants', { id: 2, name: 'x'.repeat(65_536) });
      await inspected.mock.fetch(`/${'%3Cimg%20onerror=x%3E'.repeat(200)}`);
      await post(JSON.stringify({ id: 1, name: hostileName }));
      const page = await visit('state');
      await page.getByRole('row', { name: '<img src=x' }).waitFor();
      expect(await page.getByRole('row', { name: '<img src=x' }).textContent()).toContain(
        String.raw`<img src=x onerror="alert(1)">\u{202e}txt.exe\u{0}</td></table>`,
      );
      await page.goto(`${inspected.url}/__cloche/#requests/2`);
      await page.getByRole('article').waitFor();
      expect(await page.getByLabel('Request body').textContent()).toContain('<img src=x onerror=');
      expect(await page.locator('main img, main script, [onerror]').count()).toBe(0);
    });

    test('is of use with the keyboard alone, and keeps the focus where it belongs', async () => {
      await post('{"id":1,"name":"Basil"}');
      const page = await visit('requests');
      // The focus moves after what is shown, so it is waited for.
      const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent');
      const link = page.getByRole('link', { name: '/plants' });
      await link.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('article').waitFor();
      await expect.poll(focused).toBe('POST /plants');
      await page.keyboard.press('Escape');
      await page.getByRole('article').waitFor({ state: 'detached' });
      await expect.poll(focused).toBe('/plants');
      await page.getByRole('link', { name: 'State' }).focus();
      await page.keyboard.press('Enter');
      const row = page.getByRole('link', { name: '1', exact: true });
      await row.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('article').waitFor();
      await expect.poll(focused).toBe('/plants / 1');
      await page.getByRole('button', { name: 'Edit…' }).press('Enter');
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expect.poll(focused).toBe('Edit…');
      await page.keyboard.press('Escape');
      await page.getByRole('article').waitFor({ state: 'detached' });
      await expect.poll(focused).toBe('1');
      await page.getByRole('button', { name: 'Delete 1' }).press('Enter');
      await page.getByRole('dialog').waitFor();
      await expect.poll(focused).toBe('Cancel');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect((await inspected.mock.state.list('/plants')).total).toBe(1);
    });

    test('shows the document as a reference, without requests to other hosts', async () => {
      const page = await visit('requests');
      await page.getByRole('link', { name: 'Docs' }).click();
      await page.getByText('Plant Store').first().waitFor();
      await page.getByText('Create a plant').first().waitFor();
      expect(new URL(page.url()).pathname).toBe('/__cloche/docs');
    });

    test('bars nobody, contrast included, and never scrolls sideways', async () => {
      await post('{"id":1,"name":"Basil"}');
      await post('{"id":1,"name":4}');
      inspected.mock.faults.put({ id: 'slow', delay: [1, 2], enabled: false });
      await inspected.mock.state.save('one');
      const page = await visit('requests', { reducedMotion: 'reduce' });
      await page.evaluate(axe.source);
      const findings = async (options: object): Promise<readonly unknown[]> => {
        const { violations } = await page.evaluate<AxeResults>(
          `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], preload: false, ...options })})`,
        );
        return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]);
      };
      for (const { place, shown, button } of views) {
        await page.evaluate(`location.hash = '${place}'`);
        if (button !== undefined) {
          await page.getByRole('button', { name: button }).click();
        }
        await page.getByText(shown).first().waitFor();
        expect([place, ...(await findings({}))]).toEqual([place]);
        await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
        expect([place, ...(await findings({ runOnly: ['color-contrast'] }))]).toEqual([place]);
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
        await page.setViewportSize({ width: 360, height: 800 });
        expect([place, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([place, 360]);
        // WCAG 2.2 §2.5.8; axe asks for it only where it is told to.
        expect([place, ...(await findings({ runOnly: ['target-size'] }))]).toEqual([place]);
        await page.setViewportSize({ width: 1_200, height: 800 });
        await page.keyboard.press('Escape');
      }
    });
  },
);
