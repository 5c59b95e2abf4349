import { expect, test } from 'vitest';
import {
  createReportOptions,
  createRunEvents,
  findSecrets,
  writeReport,
} from '../../fixtures/create-run-events.ts';
import { createHarReport } from './har.ts';

interface Entry {
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly url: string;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    readonly queryString: readonly { readonly name: string; readonly value: string }[];
    readonly postData?: { readonly mimeType: string; readonly text: string; readonly _encoding?: string };
  };
  readonly response: {
    readonly status: number;
    readonly content: { readonly text: string; readonly encoding?: string; readonly size: number };
    readonly _error?: string;
  };
  readonly timings: Readonly<Record<string, number>>;
  readonly _cloche: {
    readonly suite: string;
    readonly findings: readonly { readonly id: string; readonly check: string }[];
  };
}

function report(): { readonly text: string; readonly entries: readonly Entry[] } {
  const text = writeReport(createHarReport);
  return { text, entries: JSON.parse(text).log.entries };
}

test('holds every exchange, with what HAR 1.2 wants of it', () => {
  const { text, entries } = report();
  expect(JSON.parse(text).log).toMatchObject({
    version: '1.2',
    creator: { name: 'cloche', version: '0.1.0' },
  });
  expect(entries).toHaveLength(8);
  expect(entries[0]).toMatchObject({
    startedDateTime: '2026-11-21T09:30:00.260Z',
    time: 1.5,
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:8080/base/plants',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headersSize: -1,
      bodySize: 24,
      postData: { mimeType: 'application/json', text: '{"id":17,"name":"Basil"}' },
    },
    response: {
      status: 200,
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content: { size: 16, mimeType: 'application/json', text: '{"name":"Basil"}' },
      redirectURL: '',
    },
    cache: {},
    timings: { send: 0, wait: 1.5, receive: 0 },
    _cloche: { suite: 'valid-bodies', property: 'create.plain', findings: [] },
  });
});

test('the timings of an entry add up to its time', () => {
  for (const { time, timings } of report().entries) {
    expect(Object.values(timings).reduce((sum, part) => sum + part, 0)).toBe(time);
  }
});

test('names what was found in an exchange', () => {
  expect(report().entries[1]?.['_cloche'].findings).toEqual([
    { id: expect.stringMatching(/^server-error-/u), check: 'server-error', level: 'violation' },
  ]);
});

test('an exchange without a response has the status 0, and says why', () => {
  const [hung, dropped] = report().entries.slice(-2);
  expect([hung?.response.status, hung?.response['_error']]).toEqual([
    0,
    'no whole answer within 500 ms (nothing came)',
  ]);
  expect(dropped?.response.status).toBe(0);
  expect(dropped?.response.content.text).toBe('HTTP/1.1 200 OK\r\nX-Key: [secret]');
});

test('holds content that is no UTF-8 in base64', () => {
  const { request, response } = report().entries[5] ?? {};
  expect([request?.postData?.['_encoding'], response?.content.encoding]).toEqual(['base64', 'base64']);
  const decode = (text = ''): string => Buffer.from(text, 'base64').toString('latin1');
  expect(decode(request?.postData?.text)).toBe('{\u00FF\u00FE}[secret]');
  expect(decode(response?.content.text)).toBe('\u00FF[secret]!');
});

test('hides every secret, and keeps the fields that hold them', () => {
  const { text, entries } = report();
  expect(findSecrets(text)).toEqual([]);
  expect(entries[2]?.request).toMatchObject({
    url: 'http://127.0.0.1:8080/base/plants?key=[secret]',
    queryString: [{ name: 'key', value: '[secret]' }],
  });
  expect(entries[0]?.request.headers).toContainEqual({ name: 'Authorization', value: 'Bearer [secret]' });
  expect(entries[0]?.request.headers).toContainEqual({ name: 'X-Api-Key', value: '[secret]' });
});

test('is written as the run goes, and is whole JSON however it ends', () => {
  const events = createRunEvents();
  const upTo = events.findIndex(({ kind }) => kind === 'exchange') + 2;
  const text = writeReport(createHarReport, { events: events.slice(0, upTo), why: 'it went down' });
  expect(JSON.parse(text).log.entries).toHaveLength(2);
  const pieces: string[] = [];
  const running = createHarReport(createReportOptions((piece) => pieces.push(piece)));
  events.slice(0, upTo).forEach(running.read);
  expect(pieces.join('')).toContain('"text":"{\\"id\\":17,');
});

test('writes nothing of a run that never began', () => {
  expect(writeReport(createHarReport, { events: [] })).toBe('');
});
