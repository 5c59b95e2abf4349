import type { CheckId, Level } from '../finding.ts';

/** What a check is, for who reads of one of its findings. */
export interface CheckDoc {
  /** The levels that its findings can have. */
  readonly levels: readonly [Level, ...Level[]];
  /** The sentence that it holds an answer against: a place in the document, or an RFC and its section. */
  readonly place: string;
  /** When it finds something, and when not. */
  readonly finds: string;
  /** A request and an answer that it finds something in; lines are separated as in HTTP. */
  readonly example: { readonly request: string; readonly answer: string };
}

const create = 'POST /orders\nContent-Type: application/json\n\n{"id": 7, "note": "two"}';

/** The checks that look at an answer alone: that there is one, that it is HTTP, and that it is declared. */
const answerDocs: Readonly<Partial<Record<CheckId, CheckDoc>>> = {
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

const json = 'POST /orders\nContent-Type: application/json\n\n';
const taken = 'HTTP/1.1 200 OK';
const refused = 'HTTP/1.1 400 Bad Request';

/** The checks that hold an answer against its request: what was taken that should not, and the other way round. */
const requestDocs: Readonly<Partial<Record<CheckId, CheckDoc>>> = {
  'invalid-body-accepted': {
    levels: ['violation'],
    place: 'the keyword of the schema that the body breaks',
    finds: 'A body that breaks its schema and is taken all the same.',
    example: { request: `${json}{"note": "without the id that the schema requires"}`, answer: taken },
  },
  'malformed-body-accepted': {
    levels: ['violation', 'advice'],
    place: 'RFC 8259 §2 and §9',
    finds:
      'A body that is sent as JSON, is none, and is taken. Where it reads as a valid body under a known extension of JSON, such as comments, it is advice: a parser may accept extensions.',
    example: { request: `${json}{"id": 7, "note": "two"`, answer: taken },
  },
  'media-type-accepted': {
    levels: ['violation'],
    place: 'the `content` of the request body',
    finds: 'Content of an undeclared media type that holds no valid body in any notation, and is taken.',
    example: { request: 'POST /orders\nContent-Type: text/plain\n\nhello', answer: taken },
  },
  'invalid-parameter-accepted': {
    levels: ['violation'],
    place: 'the parameter of the operation',
    finds: 'A parameter that breaks its schema, or is required and missing, and is taken all the same.',
    example: { request: 'GET /orders?limit=many', answer: taken },
  },
  'credentials-ignored': {
    levels: ['violation'],
    place: 'the `security` of the operation',
    finds:
      'A request that is let in without the credentials that its operation asks for. An unknown token may be let in where the policy says `accepted-tokens: any`.',
    example: { request: `${json}{"id": 7}\n\n(no Authorization)`, answer: taken },
  },
  'credential-spelling': {
    levels: ['advice'],
    place: 'RFC 9110 §11.1',
    finds: 'A good token that is turned away for the case of its scheme, or for a second space.',
    example: {
      request: 'POST /orders\nAuthorization: bearer the-good-token',
      answer: 'HTTP/1.1 401 Unauthorized',
    },
  },
  'media-type-spelling': {
    levels: ['advice'],
    place: 'RFC 9110 §8.3.1',
    finds: 'The declared media type refused for its case, or for a charset of UTF-8.',
    example: {
      request: 'POST /orders\nContent-Type: application/json; charset=utf-8\n\n{"id": 7}',
      answer: 'HTTP/1.1 415 Unsupported Media Type',
    },
  },
  'undeclared-constraint': {
    levels: ['advice'],
    place: 'the schema of the request body, or the operation',
    finds:
      'A request that the document allows and that is refused with a declared error, as long as some plain one is taken: the service holds to a constraint that the document does not name. The limit is narrowed down to the largest value that is taken and the smallest that is refused.',
    example: { request: `${json}{"id": 7, "note": "(256 letters)"}`, answer: refused },
  },
  'int64-range': {
    levels: ['advice'],
    place: 'policy `int64-range`; JSON Schema 2020-12 validation §7.2.1',
    finds: 'A number outside its `format` that is taken. Formats assert by convention alone.',
    example: { request: `${json}{"id": 9223372036854775808}`, answer: taken },
  },
  echo: {
    levels: ['violation', 'advice'],
    place: 'policy `echo`',
    finds:
      'A create whose answer is not what was sent, property by property, as far as the schema of the answer declares them. It is a violation where the policy says `echo: exact`, and advice for a document without a policy.',
    example: { request: `${json}{"id": 7, "note": " two "}`, answer: `${taken}\n\n{"id": 7, "note": "two"}` },
  },
  'never-succeeds': {
    levels: ['violation'],
    place: 'the schema of the request body',
    finds: 'A service that takes none of the plain bodies that its document allows.',
    example: { request: `${json}{"id": 7, "note": "two"}`, answer: `${refused}\n\n(for every body)` },
  },
  'left-open': {
    levels: ['observation'],
    place: 'the question of the policy',
    finds: 'How the service answers a question that the document leaves open. It is never held against it.',
    example: {
      request: 'POST /orders\nContent-Type: application/xml\n\n<order/>',
      answer: 'HTTP/1.1 415 Unsupported Media Type',
    },
  },
  parity: {
    levels: ['violation', 'advice'],
    place: 'the question of the policy, the `responses` of the operation, or what another check goes by',
    finds:
      'With `--against`, a request that two services answer differently: with another status, another kind of content, another code in a refusal, or another value for a member that was sent. Where the answer of the other one contradicts the document it is wrong, which is a violation, or advice where the check says so. Where neither does, the document is silent, which is advice, with the answer of a policy by which a mock would do the same. What is wrong with the service itself is a finding of its own.',
    example: {
      request: 'POST /orders\n\n(its key was sent before)',
      answer: 'HTTP/1.1 409 Conflict\n\n(the mock answers 400 Bad Request)',
    },
  },
  drift: {
    levels: ['violation'],
    place: 'the question of the policy',
    finds:
      'An answer other than the one that the policy gives, to a question that the run was told to hold the service to. Where the document answers the question itself, the policy is not asked; where a request holds more than one thing that might explain the answer, nothing is concluded.',
    example: {
      request: 'POST /orders\n\n(no Authorization; the policy says 401)',
      answer: 'HTTP/1.1 403 Forbidden',
    },
  },
};

/** The checks that conclude from several exchanges together. */
const sequenceDocs: Readonly<Partial<Record<CheckId, CheckDoc>>> = {
  'refused-leaves-trace': {
    levels: ['violation'],
    place: 'the operation: a request that is refused creates nothing',
    finds:
      'The key of a refused or unauthenticated request that is taken for one that exists, though the same body with another key is taken.',
    example: {
      request: 'POST /orders {"id": 7}\n\n(after the same without credentials, answered 401)',
      answer: 'HTTP/1.1 409 Conflict',
    },
  },
  'twin-keys': {
    levels: ['violation'],
    place: 'the schema of the key, which tells the two apart',
    finds:
      'Two keys that differ only past 2^53, or past 32 bits, and are one to the service, in both orders.',
    example: {
      request: 'POST /orders {"id": 9007199254740993}\n\n(after {"id": 9007199254740992})',
      answer: 'HTTP/1.1 409 Conflict',
    },
  },
  'duplicate-key': {
    levels: ['observation'],
    place: 'policy `duplicate-key`',
    finds: 'What becomes of a key that is sent again. Told another answer, the run calls it `drift`.',
    example: { request: 'POST /orders {"id": 7}\n\n(for the second time)', answer: 'HTTP/1.1 409 Conflict' },
  },
  'cross-talk': {
    levels: ['violation'],
    place: 'the operation: an answer belongs to its request',
    finds: 'The answer to a create that holds what another request sent, at the same time or earlier.',
    example: {
      request: 'POST /orders {"id": 8}',
      answer: 'HTTP/1.1 200 OK\n\n{"id": 8, "note": "(that of order 7)"}',
    },
  },
  'equal-requests': {
    levels: ['violation'],
    place: 'the schema of the request body, which accepts it the first time too',
    finds:
      'A plain request that is refused and, sent again byte for byte, taken, with nothing in between to explain it.',
    example: {
      request: 'POST /orders {"id": 7}\n\n(and the same again)',
      answer: `${refused}\n\n(and then 200 OK)`,
    },
  },
  'forgotten-key': {
    levels: ['advice'],
    place: 'policy `duplicate-key`',
    finds: 'A key that is refused as existing and is later taken, though nothing removed what was there.',
    example: {
      request: 'POST /orders {"id": 7}\n\n(refused before, for the second time)',
      answer: 'HTTP/1.1 200 OK',
    },
  },
  race: {
    levels: ['advice'],
    place: 'policy `duplicate-key`',
    finds:
      'A service that refuses a repeated key, and takes it more than once where the requests come side by side.',
    example: {
      request: 'POST /orders {"id": 7}\nPOST /orders {"id": 7}\n\n(at once)',
      answer: 'HTTP/1.1 200 OK\nHTTP/1.1 200 OK',
    },
  },
};

/**
 * What each check is. `docs/checks.md` is made of it, by the test beside `report/render-check-docs`; a check that
 * is missing here belongs into one of the three lists.
 */
export const checkDocs: Readonly<Partial<Record<CheckId, CheckDoc>>> = {
  ...answerDocs,
  ...requestDocs,
  ...sequenceDocs,
};
