import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { contractOf } from '../../../fixtures/contract-of.ts';
import { findInvalidHeader } from '../../check/checks/response.ts';
import type { HeaderList } from '../../http/message.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock.ts';

const opened: Mock[] = [];
afterEach(() => Promise.all(opened.splice(0).map((mock) => mock.close())));

/** What a mock answers with on a port whose document requires fields of both answers: with content, and without. */
async function answerWith(headers: JsonObject): Promise<readonly { status: string; fields: HeaderList }[]> {
  const content = { 'application/json': { schema: { type: 'object' } } };
  const contract = contractOf({
    paths: {
      '/with': { get: { responses: { 200: { description: 'OK', headers, content } } } },
      '/without': { get: { responses: { 204: { description: 'OK', headers } } } },
    },
  });
  const mock = await createMock(contract);
  opened.push(mock);
  const { port } = new URL((await mock.listen()).url);
  const answers = [];
  for (const path of ['/with', '/without']) {
    const socket = connect(Number(port), '127.0.0.1').setEncoding('latin1');
    let text = '';
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    await once(socket, 'close');
    const [first = '', ...lines] = (text.split('\r\n\r\n')[0] ?? '').split('\r\n');
    const fields = lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at), line.slice(at + 2)] as const;
    });
    const responses =
      contract.operations.find((operation) => operation.path.template === path)?.responses ?? [];
    for (const header of responses.flatMap((response) => response.headers)) {
      expect(findInvalidHeader(header, fields)).toBe(undefined);
    }
    answers.push({ status: first.slice(9, 12), fields });
  }
  return answers;
}

const requiring = (schema: JsonValue): JsonObject => ({ required: true, schema });

test.each([
  ['Content-Length', { const: 7 }],
  ['content-length', { type: 'integer', example: 700 }],
  ['Transfer-Encoding', { const: 'chunked' }],
  ['Connection', { const: 'upgrade' }],
  ['Keep-Alive', { type: 'string' }],
  ['Upgrade', { const: 'websocket' }],
  ['Trailer', { const: 'X-A' }],
  ['TE', { const: 'trailers' }],
  ['Proxy-Connection', { type: 'string' }],
  ['Content-Encoding', { type: 'string', example: 'gzip' }],
])('frames an answer itself, whatever the document says of %s', async (name, schema) => {
  const [, without] = await answerWith({ [name]: requiring(schema) });
  for (const { status, fields } of await answerWith({ [name]: requiring(schema) })) {
    const own = fields.filter(([field]) => field.toLowerCase() === name.toLowerCase());
    const expected = { connection: ['close'], 'content-length': ['2'] }[name.toLowerCase()] ?? [];
    expect([status, own.map(([, value]) => value)]).toEqual(
      status === '200' ? ['200', expected] : ['204', expected.filter((value) => value !== '2')],
    );
  }
  expect(without?.status).toBe('204');
});

test.each([
  ['Łódź', '%C5%81%C3%B3d%C5%BA'],
  ['Köln 100%', 'K%C3%B6ln 100%25'],
  ['a\r\nSet-Cookie: b=c', 'a%0D%0ASet-Cookie: b=c'],
  ['a\0b', 'a%00b'],
  ['\u001B[31m', '%1B[31m'],
  ['a b%20c', 'a b%20c'],
  ['', ''],
])('sends the value %j of a field as %j, which the checks take for it', async (value, sent) => {
  for (const { fields } of await answerWith({ 'X-City': requiring({ enum: [value] }) })) {
    expect(fields.filter(([name]) => /city|cookie/iu.test(name))).toEqual([['X-City', sent]]);
  }
});

test.each(['bad name', 'X-A\r\nX-B', 'Łódź', '', 'a:b'])(
  'leaves out %j, which is no name of a field',
  async (name) => {
    const answers = await answerWith({ [name]: requiring({ const: 'was sent' }) });
    expect(answers.map(({ status }) => status)).toEqual(['200', '204']);
    expect(JSON.stringify(answers)).not.toContain('was sent');
  },
);

test('dates an answer once', async () => {
  for (const { fields } of await answerWith({ Date: requiring({ type: 'string' }) })) {
    const dates = fields.filter(([name]) => name === 'Date').map(([, value]) => value);
    expect(dates).toEqual([new Date(dates[0] ?? '').toUTCString()]);
  }
});
