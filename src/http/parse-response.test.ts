import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readHttpResponse, type ResponseReading } from './parse-response.ts';

function read(text: string, { method = 'GET', ended = false } = {}): ResponseReading {
  return readHttpResponse({ bytes: Buffer.from(text, 'latin1'), method, ended });
}

function summary(reading: ResponseReading): unknown {
  if (reading.kind !== 'response') return reading;
  const { response, trailing } = reading;
  return [response.status, Buffer.from(response.body).toString(), Buffer.from(trailing).toString()];
}

test.each([
  ['content of its length', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi', {}, [200, 'hi', '']],
  ['content longer than it says', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhiho', {}, [200, 'hi', 'ho']],
  ['content after 204', 'HTTP/1.1 204 No Content\r\n\r\nhi', {}, [204, '', 'hi']],
  ['content after 304', 'HTTP/1.0 304 \r\nContent-Length: 2\r\n\r\nhi', {}, [304, '', 'hi']],
  [
    'content after HEAD',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi',
    { method: 'HEAD' },
    [200, '', 'hi'],
  ],
  ['bytes of a tunnel', 'HTTP/1.1 200 OK\r\n\r\nhi', { method: 'CONNECT' }, [200, '', 'hi']],
  ['a length given twice alike', 'HTTP/1.1 200\r\nContent-Length: 1, 1\r\n\r\na', {}, [200, 'a', '']],
  ['content up to the end', 'HTTP/1.1 200 OK\r\n\r\nhi', { ended: true }, [200, 'hi', '']],
  ['a status past 599', 'HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n', {}, [999, '', '']],
  ['a status below 100', 'HTTP/1.1 000 Odd\r\nContent-Length: 2\r\n\r\nhi', {}, [0, 'hi', '']],
  [
    'interim answers',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 E\r\nA: b\r\n\r\nHTTP/1.1 204 N\r\n\r\n',
    {},
    [204, '', ''],
  ],
  ['a switch of protocols', 'HTTP/1.1 101 S\r\nUpgrade: x\r\n\r\nxx', {}, [101, '', 'xx']],
  [
    'chunks, with extensions and trailers',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, Chunked\r\nContent-Length: 3\r\n\r\n2;a="b"\r\nhi\r\nA\r\n0123456789\r\n0\r\nT: x\r\n\r\n!',
    {},
    [200, 'hi0123456789', '!'],
  ],
])('reads %s', (_what, text, options, expected) => {
  expect(summary(read(text, options))).toEqual(expected);
});

test.each([
  ['', 'all of it', 'head'],
  ['HTT', 'its status line', 'head'],
  ['HTTP/1.1 200 O', 'its status line', 'head'],
  ['HTTP/1.1 200 OK\r\nContent-', 'the rest of its header section', 'head'],
  ['HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhi', '7 of the 9 bytes of its content', 'content-length'],
  ['HTTP/1.1 200 OK\r\n\r\nhi', 'the end of its content, which the end of the connection marks', 'rest'],
  [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n',
    'the last chunk of its content',
    'chunks',
  ],
  ['HTTP/1.1 102 Processing\r\n\r\n', 'the answer after an interim one', 'head'],
])('says what is missing from %j', (text, missing, part) => {
  expect(read(text)).toMatchObject({ kind: 'incomplete', missing, part });
});

test.each([
  ['garbage', 'the answer begins with "garbage" and not with a status line of HTTP/1.1', 'head'],
  ['HTTP/1.1 20 OK\r\n\r\n', '"HTTP/1.1 20 OK" is no status line', 'head'],
  ['HTTP/1.1 1000 OK\r\n\r\n', '"HTTP/1.1 1000 OK" is no status line', 'head'],
  ['HTTP/1.1 200 OK\nA: b\n\n', 'its lines end with a bare line feed', 'head'],
  ['HTTP/1.1 200 OK\r\nno field\r\n\r\n', '"no field" is no header field', 'head'],
  ['HTTP/1.1 200 OK\r\nA b: c\r\n\r\n', '"A b: c" is no header field', 'head'],
  ['HTTP/1.1 200 OK\r\nA: b\nC: d\r\n\r\n', 'the value of A holds a line break or NUL', 'head'],
  ['HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n', 'the value of A holds a line break or NUL', 'head'],
  ['HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n', '"-1" is no Content-Length', 'content-length'],
  [
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    '"1, 2" is no Content-Length',
    'content-length',
  ],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhi\r\n', '"hi" is no size of a chunk', 'chunks'],
  [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nhi\r\n',
    'a chunk is longer than its size',
    'chunks',
  ],
])('says why %j is no HTTP', (text, reason, part) => {
  expect(read(text)).toEqual({ kind: 'not-http', reason, part });
});

test('keeps fields in order and spelling, and unfolds them', () => {
  const reading = read('HTTP/1.1 204 N\r\nX-A:  1 \r\nx-a: 2\r\nB:\r\nC: one\r\n\ttwo\r\nD: \xe9\r\n\r\n');
  expect(reading).toMatchObject({
    response: {
      headers: [
        ['X-A', '1'],
        ['x-a', '2'],
        ['B', ''],
        ['C', 'one two'],
        ['D', 'é'],
      ],
    },
  });
});

test('asks for more at every cut of a whole answer, and never takes the cut for a fault', () => {
  const whole =
    'HTTP/1.1 100 C\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n';
  for (let length = 0; length < whole.length; length += 1) {
    expect(read(whole.slice(0, length)).kind).toBe('incomplete');
  }
  expect(summary(read(whole))).toEqual([200, 'hi', '']);
});

test('bears any bytes', () => {
  const starts = fc.constantFrom(
    '',
    'HTTP/1.1 200 OK\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  fc.assert(
    fc.property(starts, fc.uint8Array(), fc.boolean(), (start, bytes, ended) => {
      const reading = readHttpResponse({
        bytes: Buffer.concat([Buffer.from(start), bytes]),
        method: 'GET',
        ended,
      });
      expect(['response', 'incomplete', 'not-http']).toContain(reading.kind);
    }),
  );
});
