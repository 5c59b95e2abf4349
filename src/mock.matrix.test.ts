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
} from '../fixtures/own-judge.ts';
import type { JsonObject } from './json/value.ts';

const form = (schema: JsonObject): JsonObject => ({ 'application/x-www-form-urlencoded': { schema } });
const sid = { type: 'string', minLength: 34, maxLength: 34, pattern: '^UA[0-9a-fA-F]{32}$' };
const card = object({ number: text, cvc: { type: 'string', writeOnly: true } });

/** Documents as others write them, each with what the mock once did that its own judge held against it. */
const documents: Readonly<Record<string, JsonObject>> = {
  'a change may leave an item without what a create requires, and no refusal is declared': {
    '/accounts/{name}': {
      put: {
        operationId: 'putAccount',
        parameters: [inPath('name')],
        requestBody: body(object({ rules: { type: 'array', minItems: 1, items: widget } })),
        responses: { 201: answer(object({ rules: { type: 'array', items: widget } })) },
      },
      patch: {
        operationId: 'updateAccount',
        parameters: [inPath('name')],
        requestBody: body(object({ rules: { type: 'array', items: object({ name: text }) } }, [])),
        responses: { 200: answer(object({ rules: { type: 'array', items: widget } })) },
      },
    },
  },
  'an id that the service makes has a pattern, in an object that need not be there': {
    '/groups': {
      post: {
        operationId: 'createGroup',
        requestBody: body(object({ name: text })),
        responses: {
          201: answer(
            object(
              {
                group: object({
                  arn: { type: 'string', pattern: '^arn:[a-z]{2}:[0-9]{4}:group/[a-z0-9]+$' },
                  name: text,
                }),
              },
              [],
            ),
          ),
          400: answer(refusal),
        },
      },
    },
    '/groups/{arn}': {
      get: {
        operationId: 'getGroup',
        parameters: [inPath('arn')],
        responses: {
          200: answer(object({ group: object({ arn: text, name: text }) })),
          400: answer(refusal),
          404: answer(refusal),
        },
      },
    },
  },
  'the key that a client sends stands in an envelope': {
    '/reactions': {
      post: {
        operationId: 'react',
        requestBody: body(object({ reaction: object({ name: text, score: integer }, ['name']) })),
        responses: {
          201: answer(object({ reaction: object({ name: text, score: integer }, ['name']) })),
          400: answer(refusal),
        },
      },
    },
    '/reactions/{name}': {
      get: {
        operationId: 'getReaction',
        parameters: [inPath('name')],
        responses: {
          200: answer(object({ reaction: object({ name: text, score: integer }, ['name']) })),
          404: answer(refusal),
        },
      },
    },
  },
  'the path of an item shows a list, and a create answers 201': {
    '/pets': {
      get: { operationId: 'listPets', responses: { 200: answer({ type: 'array', items: widget }) } },
      post: { operationId: 'createPet', responses: { 201: { description: '' } } },
    },
    '/pets/{petId}': {
      get: {
        operationId: 'showPet',
        parameters: [inPath('petId')],
        responses: { 200: answer({ type: 'array', items: widget }) },
      },
    },
  },
  'the client chooses the key, in a body that may be left out': {
    '/maps': {
      post: {
        operationId: 'addEntry',
        requestBody: { content: form(object({ Key: text })) },
        responses: { 201: answer(object({ key: text, revision: text }, [])) },
      },
    },
    '/maps/{Key}': {
      get: {
        operationId: 'getEntry',
        parameters: [inPath('Key')],
        responses: { 200: answer(object({ key: text, revision: text }, [])) },
      },
    },
  },
  'a create takes a text': {
    '/assets': {
      get: { operationId: 'listAssets', responses: { 200: answer({ type: 'array', items: widget }) } },
      post: {
        operationId: 'addAsset',
        requestBody: body(text),
        responses: { 201: answer(widget), 400: answer(refusal) },
      },
    },
    '/assets/{id}': {
      get: {
        operationId: 'getAsset',
        parameters: [inPath('id', integer)],
        responses: { 200: answer(widget), 404: answer(refusal) },
      },
    },
  },
  'an answer is a map with at least one member': {
    '/tags': {
      get: {
        operationId: 'listTags',
        responses: {
          200: answer(object({ tags: { type: 'object', minProperties: 1, additionalProperties: text } })),
        },
      },
    },
  },
  'a PUT takes a list': {
    '/matches/{action}': {
      put: {
        operationId: 'matchAll',
        parameters: [inPath('action')],
        requestBody: body({ items: object({ matcher: text }) }),
        responses: { 200: answer() },
      },
    },
  },
  'a PATCH takes a list of what is no operation of a JSON patch': {
    '/sellers': {
      post: {
        operationId: 'createSeller',
        requestBody: body(widget),
        responses: { 201: answer(widget), 400: answer(refusal) },
      },
    },
    '/sellers/{id}': {
      patch: {
        operationId: 'changeSeller',
        parameters: [inPath('id', integer)],
        requestBody: body({ type: 'array', items: object({ operation: text, path: text }) }),
        responses: { 200: answer(), 404: answer() },
      },
    },
  },
  'a create shows another thing by a name that was sent': {
    '/credentials': {
      post: {
        operationId: 'createCredential',
        requestBody: body(object({ origins: { type: 'array', items: text }, note: text })),
        responses: {
          201: answer(
            object({ id: integer, note: text, origins: { type: 'array', items: object({ domain: text }) } }, [
              'id',
              'note',
            ]),
          ),
          400: answer(refusal),
        },
      },
    },
  },
  'some of an object that a create takes is never shown': {
    '/payments': {
      post: {
        operationId: 'pay',
        requestBody: body(object({ source: card, note: text })),
        responses: { 201: answer(object({ id: integer, source: card, note: text })), 400: answer(refusal) },
      },
    },
  },
  'a read asks more of what a create takes': {
    '/rules': {
      post: {
        operationId: 'createRule',
        requestBody: body(object({ period: object({ value: integer, unit: text }, []) })),
        responses: { 201: answer(object({ id: integer })), 400: answer(refusal) },
      },
    },
    '/rules/{id}': {
      get: {
        operationId: 'getRule',
        parameters: [inPath('id', integer)],
        responses: {
          200: answer(object({ id: integer, period: object({ value: integer, unit: text }) }, ['id'])),
          400: answer(refusal),
          404: answer(refusal),
        },
      },
    },
  },
  '204 has content': {
    '/rules/{id}': {
      delete: {
        operationId: 'deleteRule',
        parameters: [inPath('id', integer)],
        responses: { 204: answer(object({ done: { type: 'boolean' } })), 404: answer(refusal) },
      },
    },
  },
  'an object has to hold itself': {
    '/persons': {
      get: { operationId: 'getPerson', responses: { 200: answer({ $ref: '#/components/schemas/Person' }) } },
    },
  },
  'HEAD is declared beside GET': {
    '/templates/{name}': {
      head: {
        operationId: 'peekTemplate',
        parameters: [inPath('name', { enum: ['welcome', 'goodbye'] })],
        responses: { 200: answer(), default: answer(refusal) },
      },
      get: {
        operationId: 'getTemplate',
        parameters: [inPath('name', { enum: ['welcome', 'goodbye'] })],
        responses: { 200: answer(object({ name: text, title: text })), default: answer(refusal) },
      },
      put: {
        operationId: 'putTemplate',
        parameters: [inPath('name', { enum: ['welcome', 'goodbye'] })],
        requestBody: body(object({ title: text })),
        responses: { 200: answer(object({ name: text, title: text })), default: answer(refusal) },
      },
    },
  },
  'ids have a prefix, and no answer has to have one': {
    '/assistants': {
      get: {
        operationId: 'listAssistants',
        responses: {
          200: answer(object({ items: { type: 'array', items: object({ sid, title: text }, []) } })),
        },
      },
      post: {
        operationId: 'createAssistant',
        requestBody: body(object({ title: text })),
        responses: { 201: answer(object({ sid, title: text }, [])) },
      },
    },
    '/assistants/{sid}': {
      get: {
        operationId: 'getAssistant',
        parameters: [inPath('sid', sid)],
        responses: { 200: answer(object({ sid, title: text }, [])) },
      },
    },
  },
  'a create may be without the body that changes are held to': {
    '/types': {
      post: {
        operationId: 'createType',
        requestBody: { content: form(object({ Name: text })) },
        responses: { 201: answer(object({ sid: text, name: text }, [])) },
      },
    },
    '/types/{sid}': {
      get: {
        operationId: 'getType',
        parameters: [inPath('sid')],
        responses: { 200: answer(object({ sid: text, name: text }, [])) },
      },
      post: {
        operationId: 'updateType',
        parameters: [inPath('sid')],
        requestBody: { content: form(object({ Name: text }, [])) },
        responses: { 200: answer(object({ sid: text, name: text }, [])) },
      },
    },
  },
  'what there is one of is deleted twice, and 404 is not declared': {
    '/role': {
      get: { operationId: 'getRole', responses: { 200: answer(object({ arn: text }, [])) } },
      put: {
        operationId: 'setRole',
        requestBody: body(object({ arn: text })),
        responses: { 200: answer(object({ at: text }, [])), 480: answer(refusal) },
      },
      delete: { operationId: 'removeRole', responses: { 200: answer(), 480: answer(refusal) } },
    },
  },
  'a replace leaves out what answers have to have': {
    '/me': {
      get: { operationId: 'getMe', responses: { 200: answer(object({ displayName: text })) } },
      put: {
        operationId: 'replaceMe',
        requestBody: body(object({ displayName: text }, [])),
        responses: { 200: answer(object({ displayName: text })), 400: answer(refusal) },
      },
    },
  },
  'the example of an object lacks what it requires, and shows another type': {
    '/artifacts': {
      post: {
        operationId: 'addArtifact',
        requestBody: { required: true, content: { '*/*': { schema: text } } },
        responses: {
          200: answer({
            ...object({ id: text, state: { enum: ['on', 'off'] }, version: text }, [
              'id',
              'state',
              'version',
              'group',
            ]),
            example: { id: 'a', version: 18 },
          }),
          400: answer(refusal),
        },
      },
    },
    '/versions/latest': {
      get: {
        operationId: 'getLatest',
        responses: { 200: answer({ ...object({ owner: widget }), example: { owner: { id: 7 } } }) },
      },
    },
  },
  'a body is bytes, or JSON of a narrower media type': {
    '/files': {
      post: {
        operationId: 'addFile',
        requestBody: {
          required: true,
          content: {
            '*/*': { schema: { type: 'string', format: 'binary' } },
            'application/vnd.file+json': { schema: object({ content: text }) },
          },
        },
        responses: { 201: answer(), 404: answer() },
      },
    },
  },
  'a change takes what the item cannot be': {
    '/stones': {
      post: {
        operationId: 'addStone',
        requestBody: body(object({ name: text, state: { enum: ['open', 'closed'] } }, [])),
        responses: {
          201: answer(
            object({ id: integer, name: text, state: { enum: ['open', 'closed'] }, more: object({}) }),
          ),
        },
      },
    },
    '/stones/{id}': {
      parameters: [inPath('id', integer)],
      get: {
        operationId: 'getStone',
        responses: {
          200: answer(
            object({ id: integer, name: text, state: { enum: ['open', 'closed'] }, more: object({}) }),
          ),
        },
      },
      patch: {
        operationId: 'editStone',
        requestBody: body(object({ name: text, state: text, more: {} }, [])),
        responses: {
          200: answer(
            object({ id: integer, name: text, state: { enum: ['open', 'closed'] }, more: object({}) }),
          ),
        },
      },
    },
  },
  'a text is kept that is outside the format which answers have for it': {
    '/days': {
      post: {
        operationId: 'addDay',
        requestBody: body(object({ day: text }, [])),
        responses: { 201: answer(object({ id: integer, day: { type: 'string', format: 'date' } }, ['id'])) },
      },
    },
    '/days/{id}': {
      get: {
        operationId: 'getDay',
        parameters: [inPath('id', integer)],
        responses: { 200: answer(object({ id: integer, day: { type: 'string', format: 'date' } }, ['id'])) },
      },
    },
  },
  'a replace answers with a list, and with an item where it is new': {
    '/anything': {
      get: { operationId: 'getAnything', responses: { 200: answer(object({ name: text })) } },
      put: {
        operationId: 'putAnything',
        responses: {
          200: answer({ type: 'array', items: widget }),
          201: answer(object({ stock: object({ name: text }, []) }, [])),
        },
      },
    },
  },
  'what is sent has another name in the answer, of the same few words': {
    '/subscriptions': {
      post: {
        operationId: 'subscribe',
        requestBody: body(
          object({ url: text, subsctiptionType: { enum: ['PackageOnBoarding', 'PackageDeletion'] } }),
        ),
        responses: {
          201: answer(
            object({
              id: text,
              url: text,
              subscriptionType: { enum: ['PackageOnBoarding', 'PackageDeletion'] },
            }),
          ),
        },
      },
    },
  },
  'what is not declared beside an envelope has the name of what is in it': {
    '/clients/{id}/events': {
      post: {
        operationId: 'addEvent',
        parameters: [inPath('id')],
        requestBody: body(object({ event: object({ createTime: text, name: text }, []) }, [])),
        responses: { 200: answer(object({ createTime: text, name: text }, [])) },
      },
    },
  },
  'no value is of one alternative alone, so that what is kept cannot be shown': {
    '/rules': {
      get: {
        operationId: 'getRules',
        responses: { 200: answer({ type: 'array', items: { oneOf: [widget, widget] } }) },
      },
      post: {
        operationId: 'addRule',
        requestBody: body(object({ name: text })),
        responses: { 201: answer({ oneOf: [widget, widget] }) },
      },
    },
  },
  'what a client sends is shown by a schema that takes further properties': {
    '/documents': {
      post: {
        operationId: 'addDocument',
        requestBody: body(object({ data: { type: 'object' } })),
        responses: { 201: answer({ ...object({ id: text }), additionalProperties: true }) },
      },
    },
  },
  'the example of an envelope has more than its schema declares': {
    '/patients': {
      post: {
        operationId: 'addPatient',
        requestBody: body(object({ data: object({ name: text }) })),
        responses: {
          201: answer({ ...object({ data: widget }), example: { data: { id: 1, name: 'a' }, included: [] } }),
        },
      },
    },
  },
  'the example of an image is empty': {
    '/logo': {
      get: {
        operationId: 'getLogo',
        responses: { 200: { description: '', content: { 'image/png': { example: '' } } } },
      },
    },
  },
};

describe('the mock passes its own judge where', () => {
  test.each(Object.entries(documents))('%s', async (_, paths) => {
    expect(await judgeOwnMock(paths)).toEqual([]);
  });
});
