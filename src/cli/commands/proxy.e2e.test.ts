import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { drawCases } from '../../../fixtures/draw-cases.ts';
import { buildWhenStale } from '../../../fixtures/build-when-stale.ts';
import { hasChromium, launchChromium } from '../../../fixtures/chromium.ts';
import { startCommand } from '../../../fixtures/proxy/start-command.ts';
import { runCloche } from '../../../fixtures/run-cloche.ts';
import { loadCatalogue } from '../../../fixtures/services/catalogue.js';
import { createCloser } from '../../../fixtures/sockets/create-closer.ts';
import { recordPage } from '../../../fixtures/traffic/record-page.ts';
import { sanitizeHar } from '../../../fixtures/traffic/sanitize-har.ts';
import { createMock } from '../../mock/create-mock.ts';

const minute = 60_000;
const token = 't';
const folder = mkdtempSync(join(tmpdir(), 'cloche-proxy-browser-'));
const closer = createCloser();

interface Verdict {
  readonly code: unknown;
  /** The checks of the violations. */
  readonly checks: readonly string[];
  /** The ids of what was found, warning too. */
  readonly ids: readonly string[];
}

function readVerdict(name: string, code: unknown): Verdict {
  const { findings }: { findings: readonly { id: string; check: string; level: string }[] } = JSON.parse(
    readFileSync(join(folder, name), 'utf8'),
  );
  const violations = findings.filter(({ level }) => level === 'violation');
  return {
    code,
    checks: [...new Set(violations.map(({ check }) => check))].toSorted(),
    ids: findings.map(({ id }) => id).toSorted(),
  };
}

async function startService(id: string): Promise<string> {
  if (id === 'the mock') {
    const mock = await createMock(undefined, { tokens: [token] });
    closer.closeLater(() => mock.close());
    return (await mock.listen()).url;
  }
  const { faulty } = await loadCatalogue();
  const server = faulty.find((service) => service.id === id)?.create({ token });
  if (server === undefined) throw new Error(`there is no service ${id}`);
  return `http://127.0.0.1:${await closer.listen(server)}`;
}

async function judge(...words: readonly string[]): Promise<Verdict> {
  const { code } = await runCloche([...words, '--token', token, '--report', 'json=run.json'], { folder });
  return readVerdict('run.json', code);
}

describe.skipIf(!hasChromium)(
  'a page that uses a service through the proxy (skipped where no chromium or google-chrome is in /usr/bin)',
  () => {
    let browser: Browser;

    beforeAll(async () => {
      await buildWhenStale();
      browser = await launchChromium();
    }, 2 * minute);

    afterEach(() => closer.closeAll());
    afterAll(async () => {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    });

    test.each(
      drawCases(
        [
          ['the mock', []],
          ['500-on-non-ascii', ['server-error']],
          ['answer-empty', ['response-media-type']],
        ],
        2,
      ),
    )(
      'the proxy, the recording of the browser, its sanitized export and a run come to the same: %s',
      { timeout: 2 * minute },
      async (id, checks) => {
        const service = await startService(id);
        const proxy = await startCommand(
          ['proxy', service, '--port', '0', '--token', token, '--report', 'json=proxy.json'],
          { folder, ready: /proxy on (http:\S+:\d+)\s/u },
        );
        closer.closeLater(() => Promise.resolve(void proxy.process.kill('SIGKILL')));
        const har = join(folder, 'page.har');
        await recordPage({ browser, service: proxy.url, har });
        const { code, output } = await proxy.stop();
        const seen = readVerdict('proxy.json', code);
        expect([seen.code, seen.checks]).toEqual([checks.length > 0 ? 1 : 0, checks]);
        expect(output).toMatch(/^5 exchanges judged, \d not\.$/mu);
        expect(await judge('check', 'page.har')).toEqual(seen);
        const exported = sanitizeHar(readFileSync(har, 'utf8'));
        expect(exported).not.toMatch(/"(?:authorization|bearer t)"/iu);
        writeFileSync(join(folder, 'exported.har'), exported);
        expect(await judge('check', 'exported.har')).toEqual(seen);
        const run = await judge('test', service, '--runs', '10');
        expect([run.code, run.checks]).toEqual([seen.code, seen.checks]);
      },
    );
  },
);
