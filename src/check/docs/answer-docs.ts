import type { CheckId } from '../check-id.ts';
import type { CheckDoc } from './check-doc.ts';

const create = 'POST /orders\nContent-Type: application/json\n\n{"id": 7, "note": "two"}';

/** The checks that look at an answer alone: that there is one, that it is HTTP, and that it is declared. */
export const answerDocs: Readonly<Partial<Record<CheckId, CheckDoc>>> = {
  'server-error': {
    levels: ['violation'],
    place: 'RFC 9110 §15.6',
    finds:
      'A 5xx, whatever was sent, unless the document declares that very status. 501 is an honest answer to a method that the document does not name.',
    example: {
      request: 'POST /orders\nContent-Type: application/json\n\n{"id": 7, "note": "déjà vu"}',
      answer: 'HTTP/1.1 500 Internal Server Error\nContent-Type: text/html',
    },
  },
  'timed-out': {
    levels: ['violation'],
    place: 'RFC 9110 §3.4',
    finds: 'A request that is not answered within `--timeout`.',
    example: { request: 'POST /orders\nContent-Type: application/json\n\n{"id": 7', answer: '(nothing)' },
  },
  'connection-dropped': {
    levels: ['violation'],
    place: 'RFC 9110 §3.4',
    finds:
      'A connection that breaks off before an answer. It may close while a body longer than any plain one is still being sent.',
    example: {
      request: 'POST /orders\nContent-Type: application/json\n\n{"id": 7',
      answer: '(the connection is closed)',
    },
  },
  'not-http': {
    levels: ['violation'],
    place: 'RFC 9110 §3.4',
    finds: 'Bytes in the place of an answer that are no HTTP message.',
    example: { request: create, answer: 'Error: cannot read properties of undefined' },
  },
  'response-size': {
    levels: ['advice'],
    place: 'RFC 9110 §2.3',
    finds:
      'Content longer than `--response-limit` (16 MiB). The rest is not read, and nothing is concluded from the content; status and fields are judged. The property that met it ends there.',
    example: {
      request: 'GET /orders',
      answer: 'HTTP/1.1 200 OK\nContent-Type: application/json\n\n[{"id": 7}, …',
    },
  },
  'content-length': {
    levels: ['violation'],
    place: 'RFC 9110 §8.6, RFC 9112 §6.3 and §8',
    finds:
      'A Content-Length that is shorter or longer than the content, or no length at all. Shorter ones are seen over a raw socket only, so not in process.',
    example: { request: create, answer: 'HTTP/1.1 200 OK\nContent-Length: 2\n\n{"id": 7, "note": "two"}' },
  },
  'chunked-content': {
    levels: ['violation'],
    place: 'RFC 9112 §7.1 and §8',
    finds: 'Content in chunks whose sizes are wrong, or whose last chunk never comes.',
    example: { request: create, answer: 'HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n{"id": 7}' },
  },
  'transfer-encoding': {
    levels: ['advice'],
    place: 'RFC 9112 §6.2',
    finds: 'Content-Length beside Transfer-Encoding: two readers may cut the answer at different places.',
    example: {
      request: create,
      answer: 'HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nContent-Length: 24',
    },
  },
  'bytes-after-answer': {
    levels: ['violation'],
    place: 'RFC 9110 §15, RFC 9112 §9.2',
    finds:
      'A second answer to one request, or bytes after the last chunk: the next request on the connection gets them. Seen over a raw socket only.',
    example: {
      request: create,
      answer: 'HTTP/1.1 400 Bad Request\nContent-Length: 0\n\nHTTP/1.1 200 OK\nContent-Length: 0',
    },
  },
  'bodiless-status': {
    levels: ['violation'],
    place: 'RFC 9110 §9.3.2, §15.3.5 and §15.4.5',
    finds: 'Content in an answer to HEAD, or with 204 or 304.',
    example: { request: 'HEAD /orders', answer: 'HTTP/1.1 200 OK\nContent-Length: 2\n\n[]' },
  },
  'status-range': {
    levels: ['violation'],
    place: 'RFC 9110 §15',
    finds: 'A status below 100 or above 599.',
    example: { request: create, answer: 'HTTP/1.1 999 No' },
  },
  'undeclared-status': {
    levels: ['violation', 'advice', 'observation'],
    place: 'the `responses` of the operation',
    finds:
      'A status that the document does not declare and that nothing in the request explains. Where credentials, media type, size, Accept or a repeated key explain it, it is an observation. It is advice for a refusal of a broken request where the document declares no 4xx at all.',
    example: { request: create, answer: 'HTTP/1.1 201 Created\n\n(the document declares 200 and 400)' },
  },
  'response-media-type': {
    levels: ['violation'],
    place: 'the `content` of the declared response',
    finds: 'Content of a media type that is not declared for the status, or none where some is declared.',
    example: {
      request: 'POST /orders\nContent-Type: application/json\n\n{"id": 7',
      answer: 'HTTP/1.1 400 Bad Request\nContent-Type: text/html\n\n<h1>Bad Request</h1>',
    },
  },
  'response-json': {
    levels: ['violation'],
    place: 'RFC 8259 §2 and §8.1, RFC 9110 §8.4',
    finds: 'Content sent as JSON that is not one JSON text in UTF-8, or not in its Content-Encoding.',
    example: {
      request: create,
      answer: 'HTTP/1.1 200 OK\nContent-Type: application/json\n\n{"id": 7, "price": NaN}',
    },
  },
  'response-schema': {
    levels: ['violation', 'advice'],
    place: 'the keyword of the schema that the content breaks',
    finds:
      'Content that its schema does not accept. A value that only leaves its `format` is advice, as formats assert by convention alone.',
    example: {
      request: create,
      answer:
        'HTTP/1.1 200 OK\nContent-Type: application/json\n\n{"id": 7, "note": null}\n\n(the schema says that a note is a string)',
    },
  },
  'response-header': {
    levels: ['violation'],
    place: 'the `headers` of the declared response',
    finds: 'A header field that the document requires and that is missing, or whose value breaks its schema.',
    example: { request: create, answer: 'HTTP/1.1 201 Created\n\n(the document requires Location)' },
  },
  'www-authenticate': {
    levels: ['advice'],
    place: 'RFC 9110 §11.6.1',
    finds: '401 without WWW-Authenticate.',
    example: { request: 'POST /orders\n\n(no Authorization)', answer: 'HTTP/1.1 401 Unauthorized' },
  },
  allow: {
    levels: ['advice'],
    place: 'RFC 9110 §15.5.6',
    finds: '405 without Allow.',
    example: { request: 'DELETE /orders', answer: 'HTTP/1.1 405 Method Not Allowed' },
  },
};
