import type { CheckId } from '../check-id.ts';
import type { CheckDoc } from './check-doc.ts';

const json = 'POST /orders\nContent-Type: application/json\n\n';
const taken = 'HTTP/1.1 200 OK';
const refused = 'HTTP/1.1 400 Bad Request';

/** The checks that hold an answer against its request: what was taken that should not, and the other way round. */
export const requestDocs: Readonly<Partial<Record<CheckId, CheckDoc>>> = {
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
