import type { CheckId } from '../check-id.ts';
import type { CheckDoc } from './check-doc.ts';

const refused = 'HTTP/1.1 400 Bad Request';

/** The checks that conclude from several exchanges together. */
export const sequenceDocs: Readonly<Partial<Record<CheckId, CheckDoc>>> = {
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
