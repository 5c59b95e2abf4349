import { expect, test } from 'vitest';
import { judgeRecording, recordedContract } from '../../../fixtures/judge-recording.ts';
import { readHar } from './read-har.ts';
import { toTraffic } from './traffic.ts';

const header = (name: string, value: string): unknown => ({ name, value });

interface Changes {
  readonly request?: Readonly<Record<string, unknown>>;
  readonly response?: Readonly<Record<string, unknown>>;
}

function makeEntry({ request, response }: Changes = {}): unknown {
  return {
    startedDateTime: '2026-11-20T09:30:00.000Z',
    time: 5,
    request: {
      method: 'POST',
      url: 'https://garden.example/plants#top',
      headers: [header('content-type', 'application/json'), header('authorization', 'Bearer t')],
      bodySize: -1,
      postData: { mimeType: 'application/json', text: '{"id":9007199254740993,"name":"Mint"}' },
      ...request,
    },
    response: {
      status: 200,
      headers: [header('content-type', 'application/json')],
      content: { size: 15, mimeType: 'application/json', text: '{"name":"Mint"}' },
      bodySize: -1,
      ...response,
    },
  };
}

function encode(entries: readonly unknown[]): Uint8Array {
  return new TextEncoder().encode(JSON.stringify({ log: { version: '1.2', entries } }));
}

function readOne(changes: Changes): ReturnType<typeof readHar>[number] | undefined {
  return readHar(encode([makeEntry(changes)]), 'a.har')[0];
}

const text = (bytes: Uint8Array | undefined): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);

test('reads a request and its answer, every digit kept, and what is never sent left out', () => {
  const read = readOne({});
  expect(read?.origin).toBe('https://garden.example');
  expect(read?.exchange.request.target).toBe('/plants');
  expect(text(read?.exchange.request.body)).toBe('{"id":9007199254740993,"name":"Mint"}');
  expect(read?.unjudged).toBeUndefined();
});

test('takes the usual port for none, and keeps the target as it was written', () => {
  const read = readOne({ request: { url: 'HTTPS://Garden.Example:443/a/../plants?a=%7e' } });
  expect([read?.origin, read?.exchange.request.target]).toEqual([
    'https://garden.example',
    '/a/../plants?a=%7e',
  ]);
});

test('leaves out the pseudo fields of HTTP/2, and takes fields apart that a browser joined by lines', () => {
  const headers = [header(':status', '200'), header('set-cookie', 'a=1\nb=2')];
  const read = readOne({ response: { headers } });
  const { answer } = read?.exchange ?? {};
  expect(answer?.kind === 'response' && answer.response.headers).toEqual([
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ]);
});

test('keeps a byte order mark in a body, and takes that of the file off', () => {
  const body = readOne({ response: { content: { text: '\uFEFF{}' } } })?.exchange.answer;
  expect(body?.kind === 'response' && text(body.response.body)).toBe('\uFEFF{}');
  const marked = new Uint8Array([0xef, 0xbb, 0xbf, ...encode([makeEntry()])]);
  expect(readHar(marked, 'a.har')).toHaveLength(1);
  const utf16 = Buffer.from(`\uFEFF${text(encode([makeEntry()]))}`, 'utf16le');
  expect(readHar(utf16, 'a.har')).toHaveLength(1);
});

test.each<[string, Changes, string | undefined]>([
  [
    'no content, and a length',
    { response: { content: {}, headers: [header('Content-Length', '12')] } },
    'the content of its answer is not in the file',
  ],
  [
    'no content, of which nothing is said',
    { response: { content: { size: -1 } } },
    'the content of its answer is not in the file',
  ],
  [
    'no content, and a length of 0',
    { response: { content: {}, headers: [header('content-length', '0')] } },
    undefined,
  ],
  ['no content with 204', { response: { status: 204, content: {} } }, undefined],
  [
    'an empty text where there was content',
    { response: { content: { text: '' }, headers: [header('content-length', '7')] } },
    'the content of its answer is not in the file',
  ],
  [
    'no header fields of the answer',
    { response: { headers: [] } },
    'the header fields of its answer are not in the file',
  ],
  [
    'bytes that were replaced',
    { response: { content: { text: '{"name":"\uFFFD"}' } } },
    'its content was not kept byte for byte',
  ],
  [
    'half of a pair of surrogates',
    { request: { postData: { text: '{"name":"\uD83D"}' } } },
    'its content was not kept byte for byte',
  ],
  [
    'what is no base64',
    { response: { content: { text: '*', encoding: 'base64' } } },
    'its content is not in base64, though the file says so',
  ],
  [
    'no content of a POST',
    { request: { postData: undefined } },
    'the content of its request is not in the file',
  ],
  ['no content of a POST that had none', { request: { postData: undefined, bodySize: 0 } }, undefined],
  ['no content of a GET', { request: { method: 'GET', postData: undefined } }, undefined],
  [
    'parts of a form with files',
    { request: { postData: { mimeType: 'multipart/form-data', params: [{ name: 'a' }] } } },
    'the content of its request is in the file only part by part',
  ],
  ['a status of 0', { response: { status: 0 } }, 'no answer was recorded'],
])('says of %s why it cannot be judged', (_, changes, reason) => {
  expect(readOne(changes)?.unjudged).toBe(reason);
});

test('writes the fields of a form as they travel', () => {
  const postData = {
    mimeType: 'application/x-www-form-urlencoded',
    text: '',
    params: [{ name: 'name', value: 'Lemon Balm' }],
  };
  expect(text(readOne({ request: { postData } })?.exchange.request.body)).toBe('name=Lemon+Balm');
});

test('says where a file is no JSON, and that it is no HAR', () => {
  const bytes = (content: string): Uint8Array => new TextEncoder().encode(content);
  expect(() => readHar(bytes('{"log":\n  {"entries":[}}'), 'a.har')).toThrow(
    'Failed to read the traffic "a.har:2:15": "}" stands where none may. Save the recording again, as HAR 1.2, which is JSON.',
  );
  expect(() => readHar(bytes('{"entries":[]}'), 'a.har')).toThrow(
    'Failed to read the traffic "a.har": it has no list log.entries, so that it is no HAR file. Name a HAR 1.2 file.',
  );
  for (const odd of [
    'null',
    '[]',
    '{"log":null}',
    '{"log":{"entries":null}}',
    '{"log":{"entries":{"0":{}}}}',
    '""',
  ]) {
    expect(() => readHar(bytes(odd), 'a.har')).toThrow('"a.har": it has no list log.entries');
  }
  expect(readHar(bytes('{"log":{"entries":[null,1,{}]}}'), 'a.har')).toHaveLength(3);
});

test('refuses a file that is cut off anywhere, in words', () => {
  const bytes = encode([makeEntry()]);
  for (let length = 0; length < bytes.length; length += 1) {
    expect(() => readHar(bytes.subarray(0, length), 'a.har')).toThrow('Failed to read the traffic "a.har');
  }
});

/** Copies of a value with another one in the place of each that it holds. */
function replaceEach(value: unknown, other: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [other];
  const inside = Object.entries(value).flatMap(([name, member]) =>
    replaceEach(member, other).map((replaced) =>
      Array.isArray(value)
        ? value.map((item, index) => (String(index) === name ? replaced : item))
        : { ...value, [name]: replaced },
    ),
  );
  return [other, ...inside];
}

test.each([null, -1, 1e300, '', 'a\0\r\nb', [], {}, [null], true])(
  'reads an entry in which any value is %j instead',
  (other) => {
    for (const entry of replaceEach(makeEntry(), other)) {
      expect(readHar(encode([entry, makeEntry()]), 'a.har')).toHaveLength(2);
    }
  },
);

test('takes one key for repeated where two creates of it were under way together', () => {
  // 409 to a key that another request may have created meanwhile.
  const together = [makeEntry(), makeEntry({ response: { status: 409 } })];
  const result = judgeRecording(encode(together));
  expect(result.findings).toEqual([]);
  expect(result.notes.map(({ finding }) => finding.received)).toContain('409 application/json');
});

test.each([
  ['one after the other', ['GET 0 5', 'POST 10 5', 'GET 20 5'], [false, false, false]],
  ['reads that overlap', ['GET 0 15', 'GET 10 5'], [false, false]],
  ['a read beside a change', ['GET 0 15', 'POST 10 5', 'GET 30 5'], [true, true, false]],
  ['a long change with a read within it', ['POST 0 100', 'GET 10 5', 'GET 90 50'], [true, true, true]],
  ['times in whole milliseconds', ['POST 0 5', 'GET 5 5'], [true, true]],
  ['no time that anybody wrote down', ['POST 0 0', 'GET 10 5'], [true, false]],
])('knows of which requests the order is not known: %s', (_what, rows, expected) => {
  const entries = rows.map((row) => {
    const [method, from, time] = row.split(' ');
    const startedDateTime = new Date(Date.UTC(2026, 10, 20) + Number(from)).toISOString();
    return { ...Object(makeEntry({ request: { method } })), startedDateTime, time: Number(time) };
  });
  const traffic = toTraffic({
    entries: readHar(encode(entries), 'a.har'),
    baseUrl: 'https://garden.example',
    contract: recordedContract,
  });
  expect(traffic.map(({ isBesideChange }) => isBesideChange)).toEqual(expected);
});
