import { describe, expect, test } from 'vitest';
import {
  answer,
  body,
  inPath,
  integer,
  judgeOwnMock,
  object,
  refusal,
  text,
  widget,
} from '../../fixtures/own-judge.ts';
import type { JsonObject } from '../json/value.ts';

const notice = {
  ...object({
    id: text,
    side: { type: ['string', 'null'], enum: ['credit', 'debit'] },
    day: { type: 'string', format: 'date' },
    address: object({ line1: text, line2: { type: ['string', 'null'] } }),
  }),
  example: { id: 'a', side: null, day: '2026-01-01T00:00:00Z', address: { line1: 'one', line2: null } },
};

/** Lists whose pages lead on by tokens of a schema. */
const pagesNamedBy = (token: JsonObject): JsonObject => ({
  '/sites': {
    get: {
      operationId: 'listSites',
      parameters: [
        { name: 'maxResults', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1000 } },
        { name: 'nextToken', in: 'query', schema: token },
      ],
      responses: {
        200: answer(object({ sites: { type: 'array', items: widget }, nextToken: token }, ['sites'])),
        400: answer(refusal),
      },
    },
    post: {
      operationId: 'addSite',
      requestBody: body(object({ name: text })),
      responses: { 200: answer(widget), 400: answer(refusal) },
    },
  },
});

const terms = object({ id: text, kind: text, status: text, words: text });

/** Documents as others write them, each with what the mock once did in its lists that its own judge held against it. */
const documents: Readonly<Record<string, JsonObject>> = {
  'a client may send an id that the path of the item does not take': {
    '/members': {
      post: {
        operationId: 'addMember',
        requestBody: body(object({ memberId: text, name: text }, ['name'])),
        responses: { 200: answer(object({ memberId: text, name: text })) },
      },
    },
    '/members/{memberId}': {
      get: {
        operationId: 'getMember',
        parameters: [inPath('memberId', { type: 'string', format: 'uuid' })],
        responses: { 200: answer(object({ memberId: text, name: text })), 404: answer(refusal) },
      },
    },
  },
  'a create answers with something else, which has an id deep inside': {
    '/terms': {
      get: { operationId: 'getTerms', responses: { 200: answer({ type: 'array', items: terms }) } },
      post: {
        operationId: 'addTerms',
        requestBody: body(object({ status: text, words: text })),
        responses: {
          200: answer(
            object(
              { item: object({ code: text, version: object({ id: text, kind: text }, []) }, ['code']) },
              [],
            ),
          ),
        },
      },
    },
    '/terms/{termsId}': {
      get: {
        operationId: 'getTermsById',
        parameters: [inPath('termsId')],
        responses: { 200: answer(terms), 404: answer(refusal) },
      },
    },
  },
  'the id that a create answers with is required, and not described': {
    '/tickets': {
      get: {
        operationId: 'getTickets',
        responses: { 200: answer(object({ ticketIds: { type: 'array', items: text } })) },
      },
      post: {
        operationId: 'createTicket',
        requestBody: body(object({ info: text }, [])),
        responses: { 201: answer(object({ number: text }, ['ticketId'])) },
      },
    },
    '/tickets/{ticketId}': {
      get: {
        operationId: 'getTicket',
        parameters: [inPath('ticketId')],
        responses: {
          200: answer(object({ ticketId: text, info: text }, ['ticketId'])),
          404: answer(refusal),
        },
      },
    },
  },
  'places of new items lack what stands before them, stand elsewhere or are several': {
    '/api/pois/': {
      post: {
        operationId: 'addPoi',
        requestBody: body(object({ name: text })),
        responses: {
          201: {
            ...answer(),
            headers: { Location: { schema: { type: 'string', pattern: '^/pois/[0-9]+$' } } },
          },
          400: answer(refusal),
        },
      },
    },
    '/api/pois/{ID}': {
      get: {
        operationId: 'getPoi',
        parameters: [inPath('ID', integer)],
        responses: { 200: answer(object({ ID: integer, name: text })), 404: answer(refusal) },
      },
    },
    '/templates': {
      post: {
        operationId: 'addTemplate',
        responses: { 201: answer(object({ href: text }, [])), 400: answer(refusal) },
      },
    },
    '/template/{TemplateId}': {
      get: {
        operationId: 'getTemplate',
        parameters: [inPath('TemplateId')],
        responses: { 200: answer(object({ title: text }, [])), 404: answer(refusal) },
      },
    },
    '/indexes': {
      post: {
        operationId: 'addIndex',
        requestBody: body(object({ name: text })),
        responses: { 201: answer(object({ name: text })), 400: answer(refusal) },
      },
    },
    "/indexes('{name}')": {
      get: {
        operationId: 'getIndex',
        parameters: [inPath('name')],
        responses: { 200: answer(object({ name: text })), 404: answer(refusal) },
      },
    },
    '/env': {
      post: {
        operationId: 'addVariables',
        requestBody: body({ type: 'array', items: object({ key: text }) }),
        responses: { 201: answer({ type: 'array', items: object({ key: text }) }), 400: answer(refusal) },
      },
    },
    '/env/{key}': {
      get: {
        operationId: 'getVariable',
        parameters: [inPath('key')],
        responses: { 200: answer(object({ key: text })), 404: answer(refusal) },
      },
    },
  },
  'a list is of names, and the path below it takes UUIDs': {
    '/artists': {
      get: {
        operationId: 'listArtists',
        responses: { 200: answer({ type: 'array', items: object({ id: text, name: text }) }) },
      },
    },
    '/artists/{id}/similar': {
      get: {
        operationId: 'getSimilar',
        parameters: [inPath('id', { type: 'string', format: 'uuid' })],
        responses: { 200: answer(object({ count: integer })), 403: answer(refusal) },
      },
    },
    '/artists/{name}': {
      get: {
        operationId: 'getArtist',
        parameters: [inPath('name')],
        responses: { 200: answer(object({ id: text, name: text })), 404: answer(refusal) },
      },
    },
  },
  'a list is of ids that the path below it does not take': {
    '/markets': {
      get: { operationId: 'listMarkets', responses: { 200: answer({ type: 'array', items: widget }) } },
    },
    '/markets/{market}': {
      get: {
        operationId: 'getMarket',
        parameters: [inPath('market', { type: 'string', pattern: '^[a-z]{2}_[A-Z]{2}$' })],
        responses: { 200: answer(widget), 400: answer(refusal), 404: answer(refusal) },
      },
    },
    '/markets/{market}/codes': {
      post: {
        operationId: 'addCode',
        parameters: [inPath('market', { type: 'string', pattern: '^[a-z]{2}_[A-Z]{2}$' })],
        requestBody: body(object({ name: text })),
        responses: { 200: answer(widget), 400: answer(refusal), 404: answer(refusal) },
      },
    },
  },
  'a list starts at a time': {
    '/spins': {
      get: {
        operationId: 'listSpins',
        parameters: [{ name: 'start', in: 'query', schema: { type: 'string', format: 'date-time' } }],
        responses: { 200: answer({ type: 'array', items: widget }) },
      },
      post: {
        operationId: 'addSpin',
        requestBody: body(object({ name: text })),
        responses: { 201: answer(widget), 400: answer(refusal) },
      },
    },
  },
  'the example of what stands around a list breaks its schema': {
    '/hooks': {
      get: {
        operationId: 'listHooks',
        responses: {
          200: answer(
            object({
              data: { type: 'array', items: widget },
              pagination: {
                ...object({ links: { type: 'array', items: text } }),
                example: { links: { first: '/hooks' } },
              },
            }),
          ),
        },
      },
      post: {
        operationId: 'addHook',
        requestBody: body(object({ name: text })),
        responses: { 201: answer(widget), 400: answer(refusal) },
      },
    },
  },
  'a list takes a cursor, and declares no refusal': {
    '/events': {
      get: {
        operationId: 'listEvents',
        parameters: [{ name: 'pageToken', in: 'query', schema: text }],
        responses: {
          200: answer(object({ items: { type: 'array', items: widget }, nextPageToken: text }, ['items'])),
        },
      },
      post: {
        operationId: 'addEvent',
        requestBody: body(object({ name: text })),
        responses: { 201: answer(widget) },
      },
    },
  },
  'a list alone shows the ids of what is created, and they have a pattern': {
    '/rules': {
      get: {
        operationId: 'listRules',
        responses: {
          200: answer({
            type: 'array',
            items: object({ id: { type: 'string', pattern: '^[0-9]{1,19}$' }, name: text }),
          }),
        },
      },
      post: {
        operationId: 'addRule',
        requestBody: body(object({ name: text }, [])),
        responses: { 201: answer(), 400: answer(refusal) },
      },
    },
  },
  'a PUT creates under any text, and answers show a number': {
    '/offices': {
      get: { operationId: 'listOffices', responses: { 200: answer({ type: 'array', items: widget }) } },
    },
    '/offices/{id}': {
      put: {
        operationId: 'putOffice',
        parameters: [inPath('id')],
        requestBody: body(object({ name: text })),
        responses: { 204: answer(), 400: answer(refusal), 404: answer(refusal) },
      },
      get: {
        operationId: 'getOffice',
        parameters: [inPath('id')],
        responses: { 200: answer(widget), 404: answer(refusal) },
      },
    },
  },
  'an example of an item has what the schema does not take, and objects in it lack what answers must have': {
    '/notices': {
      get: {
        operationId: 'listNotices',
        responses: { 200: answer({ type: 'array', items: notice }) },
      },
      post: {
        operationId: 'addNotice',
        requestBody: body(object({ address: object({ line1: text, line2: text }, ['line1']) })),
        responses: { 200: answer(notice), 400: answer(refusal) },
      },
    },
  },
  'the next page is named by a text of a pattern': pagesNamedBy({ type: 'string', pattern: '^\\d+##\\S+$' }),
  'the next page is named by base64': pagesNamedBy({
    type: 'string',
    pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
  }),
  'the next page is named by a text too short for any place in a list': pagesNamedBy({
    type: 'string',
    maxLength: 5,
  }),
  'a PUT creates under a number, and answers show a text': {
    '/accounts': {
      get: {
        operationId: 'listAccounts',
        responses: { 200: answer({ type: 'array', items: object({ id: text, name: text }) }) },
      },
    },
    '/accounts/{id}': {
      put: {
        operationId: 'putAccount',
        parameters: [inPath('id', { type: 'number' })],
        requestBody: body(object({ name: text })),
        responses: { 200: answer(), 400: answer(refusal), 404: answer(refusal) },
      },
    },
  },
  'a create shows as a text the number that lists show': {
    '/talks': {
      post: {
        operationId: 'addTalk',
        requestBody: body(object({ name: text })),
        responses: { 201: answer(object({ talkKey: text })), 400: answer(refusal) },
      },
      get: {
        operationId: 'listTalks',
        responses: { 200: answer({ type: 'array', items: object({ talkKey: integer, name: text }) }) },
      },
    },
    '/talks/{talkKey}': {
      get: {
        operationId: 'getTalk',
        parameters: [inPath('talkKey', { type: 'integer', format: 'int64' })],
        responses: { 200: answer(object({ talkKey: integer, name: text })), 404: answer(refusal) },
      },
    },
  },
};

describe('the mock passes its own judge where', () => {
  test.each(Object.entries(documents))('%s', async (_, paths) => {
    expect(await judgeOwnMock(paths)).toEqual([]);
  });
});
