import { expect, test } from 'vitest';
import { createCheckContext } from '../../../fixtures/create-check-context.ts';
import { findingId } from '../../check/finding.ts';
import { judgeExchange } from '../../check/judge.ts';
import { loadContract } from '../../contract/load.ts';
import { createRouter } from '../../contract/router.ts';
import { createTextStyle } from '../../errors/console-text.ts';
import type { RunFinding } from '../../events/events.ts';
import type { Answer } from '../../http/message.ts';
import type { Look } from '../format.ts';
import type { FindingContext, ReportedFinding } from '../report.ts';
import { viewFindings } from '../view/finding-view.ts';
import { renderView } from './finding.ts';

function renderFinding(found: ReportedFinding, options: FindingContext & Look): readonly string[] {
  return viewFindings([found], options).flatMap((view) => renderView(view, options));
}

const contract = await loadContract(undefined, { followReferences: false });
const route = createRouter(contract);

function find(answer: Answer, check: string): RunFinding {
  const request = {
    method: 'POST',
    target: '/plants',
    headers: [
      ['Authorization', 'Bearer s3cret-token'],
      ['Content-Type', 'application/json'],
      ['Accept', '*/*'],
    ] as const,
    body: Buffer.from('{"id":17,"name":"Basil"}'),
  };
  const exchange = judgeExchange({
    exchange: { request, answer, durationMs: 1 },
    route: route('/plants'),
    framing: 'content-length',
    keyState: () => 'allocated',
    context: createCheckContext(contract, {
      echo: 'violation',
      goodTokens: ['s3cret-token'],
      longestPlainBody: 100,
    }),
  });
  const finding = exchange.findings.find((found) => found.check === check);
  if (finding === undefined) throw new Error(`there is no ${check}`);
  return {
    id: findingId(finding),
    finding,
    suite: 'valid-bodies',
    property: 'create.plain',
    exchange,
    requests: [request],
    replay: { seed: 7, path: 'valid-bodies/create.plain:0' },
    count: 3,
    confirmed: { seen: 1, tried: 1 },
  };
}

const surroundings = {
  baseUrl: 'https://h/v1',
  command: 'npx cloche test https://h/v1',
  source: 'api.yaml',
  secrets: ['s3cret-token'],
  insecure: false,
  ca: 'ca.pem',
  headers: [],
  paint: createTextStyle(false),
};

function respond(status: number, body: string): Answer {
  return {
    kind: 'response',
    response: { status, headers: [['Content-Type', 'application/json']], body: Buffer.from(body) },
  };
}

test('shows what came once, quoted, and the commands on lines of their own', () => {
  const found = find(respond(500, '{"why":"s3cret-token"}'), 'server-error');
  const lines = renderFinding(found, { ...surroundings, width: 60 });
  expect(lines[0]).toBe('VIOLATION The service failed [server-error-6246e5978203]');
  expect(lines).toContain('  received  500 application/json “{"why":"[secret]"}”');
  expect(lines.filter((line) => line.includes('500 application/json'))).toHaveLength(1);
  expect(lines.slice(-2)).toEqual([
    `  request   curl -sSi --http1.1 --cacert 'ca.pem' 'https://h/v1/plants' -H "Authorization: Bearer $CLOCHE_TOKEN" -H 'Content-Type: application/json' --data-binary '{"id":17,"name":"Basil"}'`,
    `  replay    npx cloche test https://h/v1 --seed 7 --path 'valid-bodies/create.plain:0'`,
  ]);
  expect(lines.slice(0, -2).filter((line) => line.length > 60)).toEqual([]);
});

test('sends requests side by side to the background, and waits for them', () => {
  const found = find(respond(500, '{}'), 'server-error');
  const requests = [...found.requests, ...found.requests];
  const lines = renderFinding({ ...found, requests, sideBySide: true }, surroundings);
  const curls = lines.filter((line) => line.includes('curl'));
  expect(curls.map((line) => line.slice(0, 16).trim())).toEqual(['request   curl', 'beside    curl']);
  expect(curls.map((line) => line.slice(line.lastIndexOf("'") + 1))).toEqual([' &', ' & wait']);
  const runExclusive = renderFinding({ ...found, requests }, surroundings);
  expect(runExclusive.filter((line) => line.endsWith('&') || line.endsWith('wait'))).toEqual([]);
});

test('says in one line what the requests of a sequence were answered', () => {
  const found = {
    ...find(respond(500, '{}'), 'server-error'),
    outcomes: ['200', 'no answer to s3cret-token'],
  };
  const line = '  answered  200, no answer to [secret]';
  expect(renderFinding(found, surroundings)).toContain(line);
  expect(renderFinding({ ...found, outcomes: ['200', '500'] }, surroundings)).not.toContain(line);
});

test('shows the answer beside what the check has to say of it', () => {
  const lines = renderFinding(find(respond(200, '{"name":"Mint"}'), 'echo'), surroundings);
  expect(lines).toContain('  received  another value for /name');
  expect(lines).toContain('  answer    200 application/json “{"name":"Mint"}”');
});

test('quotes the sentence that makes a violation a warning, with its line', () => {
  const found = find(respond(500, '{}'), 'server-error');
  const pointer = '/paths/~1plants/post/description';
  const qualification = { pointer, quote: 'May fail.' };
  const finding = { ...found.finding, level: 'warning' as const, qualification };
  const lines = renderFinding({ ...found, finding }, { ...surroundings, contract });
  const line = contract.locate(contract.placeOf(pointer))?.line;
  expect(lines).toContain(`  although  api.yaml#${pointer}, line ${line} — “May fail.”`);
});

test('says once that nothing came', () => {
  const hang: Answer = { kind: 'timed-out', afterMs: 500, received: new Uint8Array() };
  const text = renderFinding(find(hang, 'timed-out'), surroundings).join('\n');
  expect(text.match(/within 500 ms/gu)).toHaveLength(1);
});

test.each([
  [{ seen: 1, tried: 3 }, 'seen 3×, unstable: came back 1 of 3 times'],
  [{ seen: 0, tried: 0 }, 'seen 3×, not tried again, as the run ended first'],
  [{ seen: 1, tried: 1 }, 'seen 3×'],
])('says of a case that was tried again %j', (confirmed, words) => {
  const found = { ...find(respond(500, '{}'), 'server-error'), confirmed };
  expect(renderFinding(found, surroundings)[0]?.endsWith(words)).toBe(true);
});

test('gives no replay of a case that did not come back', () => {
  const found = { ...find(respond(500, '{}'), 'server-error'), confirmed: { seen: 0, tried: 3 } };
  const lines = renderFinding(found, surroundings);
  expect(lines.filter((line) => line.startsWith('  replay'))).toEqual([]);
});

test('does not call a case unstable whose own key is taken since', () => {
  const found = find(respond(500, '{}'), 'server-error');
  const request = { ...found.exchange.request, key: 'chosen' as const };
  const [title] = renderFinding(
    { ...found, exchange: { ...found.exchange, request }, confirmed: { seen: 0, tried: 3 } },
    surroundings,
  );
  expect(title).toMatch(/, not shown again, as its id now exists$/u);
});
