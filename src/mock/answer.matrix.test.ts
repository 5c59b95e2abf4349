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
import { describeFindings } from '../../fixtures/describe-findings.ts';
import { mockToken, runOnMock } from '../../fixtures/run-on-mock.ts';
import type { Level } from '../check/finding.ts';
import { contractOf } from '../../fixtures/contract-of.ts';
import { createMock } from './create-mock.ts';
import type { Policy } from '../policy/policy.ts';

const reason = object({ error: text, message: text }, []);

/** Documents as others write them, each with what the mock once refused that its own judge held against it. */
const documents: Readonly<Record<string, JsonObject>> = {
  'no value tells the errors of a 401 apart, and 403 is declared too': {
    '/pages': {
      get: {
        operationId: 'getPages',
        security: [{ key: [] }],
        responses: {
          200: answer(object({ count: integer })),
          401: answer({ oneOf: [reason, reason] }),
          403: answer(reason),
        },
      },
      put: {
        operationId: 'putPages',
        security: [{ key: [] }],
        requestBody: body(object({ count: integer })),
        responses: { 200: answer(object({ count: integer })) },
      },
    },
  },
  'a create takes any property, by one of two that it names': {
    '/docs': {
      post: {
        operationId: 'addDoc',
        requestBody: body({
          ...object({ title: text, slug: text }, []),
          oneOf: [{ required: ['title'] }, { required: ['title', 'slug'] }],
          additionalProperties: true,
        }),
        responses: {
          201: answer({ ...object({ title: text, slug: text }, []), additionalProperties: true }),
          400: answer(refusal),
        },
      },
    },
  },
  'an update takes what a create does not, and does not answer with the item': {
    '/windows': {
      post: {
        operationId: 'addWindow',
        requestBody: body(object({ hours: { type: 'string', pattern: '^\\S{1,50}$' } }, ['hours'])),
        responses: { 201: answer(object({ id: integer }, ['id'])), 480: answer(refusal) },
      },
    },
    '/windows/{id}': {
      get: {
        operationId: 'getWindow',
        parameters: [inPath('id', integer)],
        responses: { 200: answer(object({ id: integer, hours: text }, ['id'])), 404: answer(refusal) },
      },
      patch: {
        operationId: 'updateWindow',
        parameters: [inPath('id', integer)],
        requestBody: body(object({ hours: text }, [])),
        responses: { 200: answer(object({ id: integer }, ['id'])), 480: answer(refusal) },
      },
    },
  },
  'operations of a patch cannot be applied, and no refusal is declared': {
    '/vaults': {
      post: {
        operationId: 'addVault',
        requestBody: body(object({ name: text })),
        responses: { 201: answer(widget) },
      },
    },
    '/vaults/{id}': {
      patch: {
        operationId: 'patchVault',
        parameters: [inPath('id', integer)],
        requestBody: body({
          type: 'array',
          items: object({ op: { enum: ['add', 'remove', 'replace'] }, path: text, value: text }, [
            'op',
            'path',
          ]),
        }),
        responses: { 200: answer(widget), 404: answer(refusal) },
      },
    },
  },
  'a status of its own stands for whatever is wrong with a request': {
    '/groups': {
      post: {
        operationId: 'createGroup',
        requestBody: body(object({ name: text })),
        responses: { 200: answer(object({ name: text })), 480: answer(refusal), 481: answer(refusal) },
      },
    },
  },
  'no refusal is declared': {
    '/areas/{format}': {
      get: {
        operationId: 'listAreas',
        parameters: [inPath('format', { enum: ['xml', 'json'] })],
        responses: { 200: answer({ type: 'array', items: text }) },
      },
    },
    '/notes': {
      post: {
        operationId: 'addNote',
        requestBody: body(object({ note: text })),
        responses: { 200: answer(object({ note: text })) },
      },
    },
  },
  'a file of any kind must be there, and no refusal is declared': {
    '/files/search': {
      post: {
        operationId: 'searchByFile',
        requestBody: { required: true, content: { '*/*': { schema: { type: 'string', format: 'binary' } } } },
        responses: { 200: answer(object({ count: integer })) },
      },
    },
  },
  'the document lists the codes of its errors': {
    '/checks': {
      post: {
        operationId: 'check',
        requestBody: body(object({ name: text })),
        responses: {
          200: answer(object({ ok: { type: 'boolean' } })),
          400: answer(object({ code: { type: 'integer', enum: [1001, 1002] }, message: text })),
        },
      },
    },
  },
  'the document lists the statuses that are codes of its errors': {
    '/account': {
      get: {
        operationId: 'getAccount',
        security: [{ key: [] }],
        responses: {
          200: answer(object({ name: text })),
          401: answer(object({ error: text, code: { type: 'integer', enum: [400, 401, 404] } })),
        },
      },
    },
  },
  'the bodies of an update may be of any type': {
    '/connections/{name}': {
      put: {
        operationId: 'putConnection',
        parameters: [inPath('name')],
        requestBody: body(object({ title: text })),
        responses: { 201: answer(object({ title: text })), 400: answer(refusal) },
      },
      patch: {
        operationId: 'updateConnection',
        parameters: [inPath('name')],
        requestBody: body({ anyOf: [text, object({ title: text })] }),
        responses: { 200: answer(object({ title: text })), 400: answer(refusal), 404: answer(refusal) },
      },
    },
  },
  'the only number of an error is no code': {
    '/apps': {
      post: {
        operationId: 'addApps',
        requestBody: body(object({ name: text })),
        responses: { default: answer(object({ count: integer, name: text })) },
      },
    },
  },
  'errors are XML': {
    '/jobs': {
      post: {
        operationId: 'startJob',
        security: [{ key: [] }],
        responses: {
          200: answer(object({ id: text })),
          480: { description: '', content: { 'text/xml': { schema: object({ message: text }) } } },
        },
      },
    },
  },
  'the branches of an error are all alike': {
    '/codes': {
      post: {
        operationId: 'makeCode',
        requestBody: body(object({ client: text })),
        responses: {
          200: answer(object({ code: text })),
          400: answer({ oneOf: [object({ error: text }, []), object({ error: text }, [])] }),
        },
      },
    },
  },
  '422 is declared, with an error that no value fits': {
    '/redactions': {
      post: {
        operationId: 'redact',
        requestBody: body(object({ client: text })),
        responses: {
          204: answer(),
          404: answer(refusal),
          422: answer({ oneOf: [object({ error: text }, []), object({ error: text }, [])] }),
        },
      },
    },
  },
  'the example of an error breaks its schema, and names what it does not describe': {
    '/flows': {
      post: {
        operationId: 'startFlow',
        security: [{ key: [] }],
        requestBody: body(object({ name: text })),
        responses: {
          202: answer(object({ id: text })),
          400: answer({
            type: 'object',
            required: ['title', 'instance'],
            properties: { instance: { type: 'string', example: null }, detail: text },
          }),
        },
      },
    },
  },
  'errors alone are declared': {
    '/anything': {
      post: { operationId: 'doAnything', security: [{ key: [] }], responses: { 401: answer() } },
    },
    '/carts/{id}': {
      put: {
        operationId: 'putCart',
        parameters: [inPath('id')],
        requestBody: body(object({ name: text })),
        responses: { 400: answer(refusal) },
      },
      delete: {
        operationId: 'removeCart',
        parameters: [inPath('id')],
        responses: { 404: answer(refusal) },
      },
    },
  },
  'ETag is declared, and 412 is not': {
    '/functions/{name}': {
      put: {
        operationId: 'putFunction',
        parameters: [inPath('name'), { name: 'If-Match', in: 'header', schema: text }],
        requestBody: body(object({ title: text })),
        responses: {
          200: {
            ...answer(object({ name: text, title: text })),
            headers: { ETag: { schema: text } },
          },
          400: answer(refusal),
          404: answer(refusal),
        },
      },
    },
  },
  'the key in the query is declared as a parameter too': {
    '/lists': {
      get: {
        operationId: 'getLists',
        security: [{ query: [] }],
        parameters: [
          { name: 'api-key', in: 'query', required: true, schema: { type: 'string', maxLength: 4 } },
        ],
        responses: { 200: answer(object({ count: integer })), 401: answer(refusal) },
      },
    },
  },
  'what is required is nowhere described, so that no name is undeclared': {
    '/labels': {
      post: {
        operationId: 'addLabel',
        requestBody: body({ type: 'object', required: ['name'] }),
        responses: { 201: answer({ type: 'object', required: ['name'] }), 400: answer(refusal) },
      },
    },
  },
  'a property is described by one alternative alone, beside what is required': {
    '/shapes': {
      post: {
        operationId: 'addShape',
        requestBody: body(object({ name: text, radius: integer })),
        responses: {
          201: answer({
            required: ['name'],
            oneOf: [object({ radius: integer }), object({ side: integer })],
          }),
          400: answer(refusal),
        },
      },
    },
  },
};

describe('the mock passes its own judge where', () => {
  test.each(Object.entries(documents))('%s', async (_, paths) => {
    expect(await judgeOwnMock(paths)).toEqual([]);
  });
});

const item: JsonObject = {
  type: 'object',
  required: ['id', 'label'],
  properties: { id: { type: 'integer', format: 'int64' }, label: { type: 'string' } },
};
const content: JsonObject = { 'application/json': { schema: item } };
const ok: JsonObject = { description: 'It is there.', content };
const error: JsonObject = {
  description: 'It went wrong.',
  content: { 'application/json': { schema: { type: 'object', properties: { code: { type: 'integer' } } } } },
};
const requestBody: JsonObject = { required: true, content };

/** Returns the findings of these levels of a run on the mock of a document. */
async function findingsOf(input: {
  readonly paths: JsonObject;
  readonly policy?: Partial<Policy>;
  readonly levels: readonly Level[];
}): Promise<readonly string[]> {
  const mock = await createMock(contractOf({ paths: input.paths }), {
    tokens: [mockToken],
    policy: input.policy ?? {},
  });
  const result = await runOnMock({ mock, runs: 40 });
  return describeFindings(result, input.levels);
}

test.each<[string, JsonObject]>([
  [
    'declares no refusal at all',
    { '/items': { post: { operationId: 'add', requestBody, responses: { '201': ok } } } },
  ],
  [
    'declares 422 alone for what is refused',
    { '/items': { post: { operationId: 'add', requestBody, responses: { '201': ok, '422': error } } } },
  ],
  [
    'declares 404 alone, and has a parameter that may be invalid',
    {
      '/items/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        get: { operationId: 'read', responses: { '200': ok, '404': error } },
      },
    },
  ],
  [
    'has paths that must be percent-encoded',
    {
      '/entrées/"new"': {
        post: { operationId: 'add', requestBody, responses: { '201': ok, '400': error } },
      },
    },
  ],
])('the mock of a document that %s has no violation', async (_, paths) => {
  expect(await findingsOf({ paths, levels: ['violation'] })).toEqual([]);
});

test('a run reports no undeclared constraint for a property that the policy declares unique', async () => {
  const paths: JsonObject = {
    '/items': { post: { operationId: 'add', requestBody, responses: { '201': ok, '400': error } } },
  };
  const policy = { 'unique-properties': ['label'] };
  expect(await findingsOf({ paths, policy, levels: ['violation', 'warning'] })).toEqual([]);
});
