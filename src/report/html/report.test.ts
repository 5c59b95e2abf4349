import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  createReportOptions,
  createRunEvents,
  findSecrets,
  hostileText,
  runSecret,
  writeReport,
} from '../../../fixtures/create-run-events.ts';
import type { RunEvent, RunFinding, RunResult } from '../../events/events.ts';
import type { Answer } from '../../http/message.ts';
import { createHtmlReport, pageScript, pageScriptHash } from './report.ts';

type Input = Parameters<typeof writeReport>[1];

function report(input: Input = {}): string {
  return writeReport(createHtmlReport, input);
}

/** The text of a part of the page, tags left out and space in one. */
function read(page: string, start: string, end = '</section>'): string {
  const from = page.indexOf(start);
  return page
    .slice(from, page.indexOf(end, from))
    .replaceAll(/<[^>]*>/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

function resultOf(events: readonly RunEvent[]): RunResult {
  const last = events.at(-1);
  if (last?.kind !== 'run-finished') throw new Error('the run has no end');
  return last.result;
}

function withAnswer(found: RunFinding, answer: Answer): RunFinding {
  const { exchange } = found;
  return { ...found, exchange: { ...exchange, exchange: { ...exchange.exchange, answer } } };
}

const { findings } = resultOf(createRunEvents());
const [failed] = findings;
if (failed === undefined) throw new Error('the faked run found nothing');

function respond(body: Uint8Array): Answer {
  return { kind: 'response', response: { status: 500, headers: [['X-Secret', runSecret]], body } };
}

test('says what was checked against what, and what it came to', () => {
  const summary = read(report(), '<header class="top">', '</header>');
  expect(summary).toContain('violations');
  expect(summary).toContain('Target http://127.0.0.1:8080/base');
  expect(summary).toContain('api.yaml');
  expect(summary).toContain('Started 2026-11-21 09:30:00 UTC');
  expect(summary).toContain('Took 1.23 s');
  expect(summary).toContain('Sent 1,200 requests in 60 cases, asked to wait 1 time');
  expect(summary).toContain('Properties 1 of 6 held');
  expect(summary).toContain('Seed 7');
  expect(summary).toContain('Ids 1000 to 2000000');
});

test('lays out a finding with its clause, its exchange and the commands that show it again', () => {
  const page = report();
  const article = read(page, `<article class="finding violation" id="${failed.id}"`, '</article>');
  expect(article).toContain('The service failed');
  expect(article).toContain('seen 32 times');
  expect(article).toContain('RFC 9110 §15.6');
  expect(page).toContain('href="https://www.rfc-editor.org/rfc/rfc9110#section-15.6"');
  expect(article).toContain(`${failed.exchange.exchange.request.method} /`);
  expect(article).toContain('Authorization: Bearer [secret]');
  expect(article).toContain('Response 500 Content-Type: text/html');
  expect(article).toContain('curl -sSi');
  expect(article).toContain('npx cloche test http://127.0.0.1:8080/base --seed 7 --path &#39;valid-bodies/');
  expect(page).toContain('<mark>500</mark>');
});

test('shows the line of the document that a clause stands in', () => {
  expect(report()).toMatch(/<code>api\.yaml#\/[^<]+<\/code>, line \d+/u);
});

test('says how many requests a sequence takes, and shows each', () => {
  const page = report();
  expect(page).toContain(' · last of 2 requests');
  expect(page).toContain('The requests in order, with ids that the run has not used');
  expect(page.match(/<code>curl [^\n<]*\ncurl [^\n<]*<\/code>/gu)).toHaveLength(1);
});

test('shows the earlier exchanges of a finding in a line each, and folds their details', () => {
  const { exchange } = failed;
  const earlier = [
    exchange,
    { ...exchange, exchange: { ...exchange.exchange, answer: respond(Buffer.from('{"id":7}')) } },
  ];
  const article = read(
    report({ events: createRunEvents({ findings: [{ ...failed, earlier }] }) }),
    '<ol class="steps">',
    '</ol>',
  );
  expect(article).toContain('→ 500 {&quot;id&quot;:7}');
  expect(article.match(/ → 500 /gu)).toHaveLength(2);
  expect(article).not.toContain(runSecret);
});

test('puts the operation first in the index and in the headline of a finding', () => {
  const page = report();
  expect(page).toContain(`<a href="#${failed.id}"><code>createPlant</code> The service failed</a>`);
  expect(page).toContain(`<h3 id="${failed.id}-title"><code>createPlant</code> The service failed</h3>`);
});

test('says what the requests of a sequence were answered', () => {
  const found = { ...failed, requests: [...failed.requests, ...failed.requests], outcomes: ['200', '<409>'] };
  expect(report({ events: createRunEvents({ findings: [found] }) })).toContain(
    ' · last of 2 requests: 200, &lt;409&gt;',
  );
});

test('says beside a finding what its check is, with an example', () => {
  const page = report();
  expect(page).toContain('<summary>What server-error finds</summary>');
  expect(page).toContain('501 is a correct response to a method that the document does not declare.');
  expect(page).toContain('{&quot;id&quot;: 7, &quot;note&quot;: &quot;déjà vu&quot;}');
});

test('says that requests go side by side where that is what it takes', () => {
  const found = findings.find(({ requests }) => requests.length > 1) ?? failed;
  const page = report({ events: createRunEvents({ findings: [{ ...found, sideBySide: true }] }) });
  expect(page).toContain(' · one of 2 requests sent side by side');
  expect(page).toContain('&amp; wait</code>');
});

test('folds the other findings of a fault by operation, and explains a check once', () => {
  const others = ['createOther', 'createOther', 'createThird'].map((operation, index): RunFinding => ({
    ...failed,
    id: `server-error-00000000000${index}`,
    finding: { ...failed.finding, operation },
  }));
  const page = report({ events: createRunEvents({ findings: [failed, ...others], gone: [] }) });
  const fold = page.slice(page.indexOf('<details class="same violation">'));
  expect(read(fold, '<summary>', '</summary>')).toBe(
    '3 more findings of the same fault: createOther, createThird',
  );
  expect(fold).toMatch(/<summary><code>createOther<\/code> 2 findings<\/summary>/u);
  expect(page.match(/<article class="finding/gu)).toHaveLength(4);
  expect(page.match(/What server-error finds/gu)).toHaveLength(1);
});

test('tells what is known from the baseline apart from the rest, and what is gone', () => {
  const page = report();
  const known = page.slice(page.indexOf('<section id="baseline"'), page.indexOf('<section id="answers"'));
  expect(known).toContain('Known: names are stored in lower case. It may pass until 2027-01-31.');
  expect(known).toContain('status-range-0123456789ab');
  expect(
    page.slice(page.indexOf('<section id="findings"'), page.indexOf('<section id="baseline"')),
  ).not.toContain('class="known"');
});

test('says what is left open, what was not checked and why, and what of the contract was seen', () => {
  const page = report();
  expect(read(page, '<section id="open"')).toContain('ignored (200) 5×');
  expect(read(page, '<section id="not-checked"')).toContain('framing there is no connection in process');
  const coverage = read(page, '<section id="coverage"', '<section id="not-checked"');
  expect(coverage).toContain('1,200 requests, 700 accepted; 1 of 2 declared responses seen.');
  expect(coverage).toContain('Not declared, and seen: 500 (32×).');
  expect(coverage).toContain('1 of 1 request rule and 1 of 1 response rule tried');
  expect(coverage).toContain('the service never broke it');
});

test('says in a line how long answers took, and how often each came', () => {
  const answers = read(report(), '<section id="answers"');
  expect(answers).toMatch(
    /Times of 6 responses: p50 2\.\d+ ms, p90 12 ms, p99 12 ms, the longest 12 ms\..* 200 3 37\.5 %/u,
  );
  expect(answers).toContain('no whole answer in time');
  expect(answers).toContain('a dropped connection');
});

test('folds the properties by suite, and counts them by verdict', () => {
  const text = read(report(), '<section id="properties"');
  expect(text).toMatch(/^(?:<section [^>]*> )?Properties valid-bodies ✓ 1 held ✗ 1 broken /u);
  expect(text).toContain('create.extreme an unusual valid body is accepted or refused ✗ broken 10 12');
});

test('holds no secret, in whichever spelling', () => {
  expect(findSecrets(report())).toEqual([]);
  const words = { ...failed.finding, received: `a ${runSecret}`, expected: runSecret, trigger: runSecret };
  const base64 = Buffer.from(`user:${runSecret}`).toString('base64');
  const found = withAnswer({ ...failed, finding: words }, respond(Buffer.from(`${base64} ${runSecret}`)));
  const page = report({ events: createRunEvents({ findings: [found] }), why: `it said ${runSecret}` });
  expect(findSecrets(page)).toEqual([]);
});

test('hides a secret that is only half within what is shown', () => {
  const body = Buffer.from(`${'x'.repeat(790)}${runSecret}${'y'.repeat(5_000)}`);
  const page = report({ events: createRunEvents({ findings: [withAnswer(failed, respond(body))] }) });
  expect(findSecrets(page)).toEqual([]);
});

test('shows hostile words as words', () => {
  const page = report({
    events: createRunEvents({
      findings: [
        withAnswer(
          { ...failed, finding: { ...failed.finding, received: hostileText, operation: hostileText } },
          respond(Buffer.from(`${hostileText}</pre></script><img src=x onerror=alert(1)>`)),
        ),
      ],
      notChecked: [{ what: hostileText, reason: hostileText }],
    }),
    why: hostileText,
  });
  expect(page.match(/<script/gu)).toHaveLength(1);
  expect(page).not.toContain('<img');
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(page).not.toMatch(/[^\P{C}\n]|[\p{Zl}\p{Zp}]/u);
});

test('shows bytes that are no UTF-8 by their numbers', () => {
  const found = withAnswer(failed, respond(Uint8Array.from([0x61, 0xff, 0x00])));
  const page = report({ events: createRunEvents({ findings: [found] }) });
  expect(page).toContain(String.raw`a<span class="esc">\xff</span><span class="esc">\u{0}</span>`);
  expect(page).toContain('3 bytes, not UTF-8');
});

test('cuts a body of a megabyte and says how much is left', () => {
  const found = withAnswer(failed, respond(Buffer.alloc(1_000_000, 'x')));
  const page = report({ events: createRunEvents({ findings: [found] }) });
  expect(page).toContain('… 999,200 bytes more');
  expect(page.length).toBeLessThan(60_000);
});

test('says that a run broke off, why, and what it had found by then', () => {
  const events = createRunEvents().filter(({ kind }) => kind !== 'run-finished');
  const page = report({ events, why: 'the service is gone' });
  expect(page).toContain('FAIL: broken off, ');
  expect(page).toContain('the service is gone');
  expect(page).toContain(`id="${failed.id}"`);
});

test('says above the requests that a service went down on what is to be done before one is pasted', () => {
  const brokenOff = [failed.exchange];
  const page = report({ events: createRunEvents({ findings: [], brokenOff }) });
  expect(page).toMatch(/To paste a request, set this first[\s\S]*export CLOCHE_TOKEN=[\s\S]*The request</u);
  // Findings have it above them.
  const count = (text: string): number => text.split('To paste a request, set this first').length;
  expect(count(report({ events: createRunEvents({ brokenOff }) }))).toBe(count(report()));
});

test('is green for a clean run, and has no section for what there is nothing of', () => {
  const clean = { findings: [], notes: [], notChecked: [], coverage: [], gone: [], properties: [] };
  const page = report({ events: createRunEvents(clean) });
  expect(page).toContain('class="outcome good"');
  expect([...page.matchAll(/<section id="([^"]*)"/gu)].map(([, id]) => id)).toEqual(['answers']);
});

test('writes nothing of a run that ended before it began', () => {
  expect(report({ events: [], why: 'no connection' })).toBe('');
});

test('takes no more memory for more exchanges, and writes one page at the end', () => {
  const pieces: string[] = [];
  const html = createHtmlReport(createReportOptions((text) => pieces.push(text)));
  const events = createRunEvents();
  const exchanges = events.filter(({ kind }) => kind === 'exchange');
  events.slice(0, 1).forEach(html.read);
  for (let round = 0; round < 1_000; round += 1) {
    exchanges.forEach(html.read);
  }
  events.slice(-1).forEach(html.read);
  expect(pieces).toEqual([]);
  html.end({ isWhole: true });
  expect(pieces).toHaveLength(1);
  expect(pieces[0]).toContain('Times of 6,000 responses: ');
  expect(pieces[0]?.length).toBeLessThan(report().length + 500);
});

test('lets through the script that stands in the page', () => {
  expect(pageScriptHash).toBe(`sha256-${createHash('sha256').update(pageScript).digest('base64')}`);
});
