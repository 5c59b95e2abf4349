import { expect, test } from 'vitest';
import { contractOf } from '../../fixtures/contract-of.ts';
import { body, item, json, kindsOf, shape, success } from '../../fixtures/kinds-of.ts';
import type { JsonObject } from '../json/value.ts';

const text = { type: 'string' };

test.each([
  ['ScheduleSeriesID', '/series/{scheduleSeriesId}', shape('ScheduleSeriesID', 'Name')],
  ['itemDraftId', '/item_draft/{item_draft_id}', shape('name', 'itemDraftId')],
  ['itemId', '/deal_item/{number}', shape('itemGroupId', 'itemId', 'price')],
  ['sha', '/blobs/{file_sha}', shape('node_id', 'sha', 'content')],
  ['disputeId', '/disputes/{paymentDisputeId}', shape('orderId', 'disputeId', 'reason')],
  ['jobSid', '/jobs/{sid}', shape('jobSid', 'accountSid', 'status')],
  ['code', '/countries/{countryCode}', shape('name', 'code')],
])('the key %s is found by what %s calls it', (property, path, schema) => {
  expect(kindsOf(item(path, schema))[`GET ${path}`]).toMatchObject({ resource: { key: { property } } });
});

test('what a person is called is no key where the path wants an id', () => {
  const credit = shape('name', 'role');
  const kinds = kindsOf({
    '/credits': {
      post: { ...body({ ...credit, required: ['name'] }), responses: success(json(credit), '201') },
    },
    ...item('/credits/{credit_id}', credit),
  });
  expect(kinds['POST /credits']).toMatchObject({ kind: 'create', key: { kind: 'none' } });
});

test('an id that is a whole address is no key where the service names things as well', () => {
  const server = {
    type: 'object',
    properties: {
      id: { type: 'string', readOnly: true, description: 'Fully qualified resource id.' },
      name: { type: 'string', readOnly: true },
      location: text,
    },
  };
  const kinds = kindsOf({
    '/servers/{alias}': { put: { ...body(server), responses: success(json(server)) } },
  });
  expect(kinds['PUT /servers/{alias}']).toMatchObject({
    resource: { key: { kind: 'client', property: 'name' } },
  });
});

test('an id that the service makes is no key where PUT creates under a name that is shown', () => {
  const image = {
    type: 'object',
    properties: {
      id: { type: 'string', readOnly: true },
      name: { type: 'string', readOnly: true },
      size: { type: 'integer' },
    },
  };
  const put = { ...body(image), responses: success(json(image)) };
  const kinds = kindsOf({ '/images/{version}': { put }, '/stores/{storeId}': { put } });
  const key = (property: string): object => ({ resource: { key: { kind: 'client', property } } });
  expect(kinds['PUT /images/{version}']).toMatchObject(key('name'));
  expect(kinds['PUT /stores/{storeId}']).toMatchObject(key('id'));
});

test('the id of what an item is below is no key of it', () => {
  const statistics = { type: 'array', items: shape('queryId', 'duration') };
  const kinds = kindsOf({
    '/queries/{queryId}/statistics': { get: { responses: success(json(statistics)) } },
    '/teams/{id}/members': { get: { responses: success(json({ type: 'array', items: shape('id') })) } },
  });
  expect(kinds['GET /queries/{queryId}/statistics']).toMatchObject({ resource: { key: { kind: 'none' } } });
  expect(kinds['GET /teams/{id}/members']).toMatchObject({ resource: { key: { property: 'id' } } });
});

test('the key of a resource in an envelope is its own: {"user": {"id": …}}', () => {
  const envelope = (user: JsonObject): JsonObject => ({ type: 'object', properties: { user } });
  const kinds = kindsOf({
    '/user/register': {
      post: {
        operationId: 'registerUser',
        ...body(envelope(shape('login', 'email', 'address'))),
        responses: success(json(envelope(shape('id', 'login', 'session')))),
      },
    },
  });
  expect(kinds['POST /user/register']).toMatchObject({
    kind: 'create',
    request: ['user'],
    response: ['user'],
    key: { kind: 'server', property: 'id' },
  });
});

test('the key is found in an envelope that has a neighbour: {"Data": {…}, "Risk": {…}}', () => {
  const consent = (...names: string[]): JsonObject => ({
    type: 'object',
    properties: { Data: shape(...names), Risk: shape('code') },
  });
  const kinds = kindsOf({
    '/consents': {
      post: {
        ...body(consent('permission')),
        responses: success(json(consent('ConsentId', 'permission')), '201'),
      },
    },
    ...item('/consents/{ConsentId}', consent('ConsentId', 'permission')),
  });
  expect(kinds['POST /consents']).toMatchObject({
    request: ['Data'],
    response: ['Data'],
    key: { kind: 'server', property: 'ConsentId' },
  });
});

test('a gid is the id where no path names one, and not the name', () => {
  const option = {
    type: 'object',
    properties: { name: { type: 'string' }, gid: { type: 'string', readOnly: true } },
  };
  const kinds = kindsOf({
    '/fields/{gid}/options': { post: { ...body(option), responses: success(json(option), '201') } },
  });
  expect(kinds['POST /fields/{gid}/options']).toMatchObject({ key: { kind: 'server', property: 'gid' } });
});

test('what stands behind # in a path says nothing of the key', () => {
  const loops = { type: 'array', items: shape('LoopName', 'FlowArn') };
  const kinds = kindsOf({ '/loops#FlowArn': { get: { responses: success(json(loops)) } } });
  expect(kinds['GET /loops#FlowArn']).toMatchObject({
    resource: { name: 'loops', key: { property: 'LoopName' } },
  });
});

test.each([
  ['/v1/{name}', 'backup.projects.restores.get', 'restores'],
  ['/v3p1beta1/{name}', 'jobs.projects.jobs.patch', 'jobs'],
  ['/registries/name/{registryName}', 'getRegistry', 'registries'],
  ['/names/{name}', 'getName', 'names'],
])('the items at %s of %s are called %s', (path, operationId, name) => {
  const get = { operationId, responses: success(json(shape('name', 'state'))) };
  expect(kindsOf({ [path]: { get } })[`GET ${path}`]).toMatchObject({ kind: 'read', resource: { name } });
});

test('what is only listed has no key where it shows the ids of several other things', () => {
  const lists = (schema: JsonObject): JsonObject => ({
    get: { responses: success(json({ type: 'array', items: schema })) },
  });
  const kinds = kindsOf({
    '/trades': lists(shape('contractId', 'orderId', 'price')),
    '/quotes': lists(shape('contractId', 'price')),
    '/fills': lists(shape('contractId', 'orderId', 'fillId')),
  });
  const keyOf = (path: string): unknown => kinds[`GET ${path}`];
  expect(keyOf('/trades')).toMatchObject({ resource: { key: { kind: 'none' } } });
  expect(keyOf('/quotes')).toMatchObject({ resource: { key: { property: 'contractId' } } });
  expect(keyOf('/fills')).toMatchObject({ resource: { key: { property: 'fillId' } } });
});

const string = { type: 'string' };

/** The id of the items of `/tokens`, which a create makes of a name. */
function keyOf(parameter: string, shown: JsonObject, conflict: JsonObject = {}): unknown {
  const content = (properties: JsonObject) => ({
    'application/json': { schema: { type: 'object', required: Object.keys(properties), properties } },
  });
  const ok = { description: 'ok', content: content({ name: string, ...shown }) };
  const { operations } = contractOf({
    paths: {
      '/tokens': {
        post: { requestBody: { content: content({ name: string }) }, responses: { '201': ok, ...conflict } },
      },
      [`/tokens/{${parameter}}`]: {
        get: {
          parameters: [{ name: parameter, in: 'path', required: true, schema: string }],
          responses: { '200': ok },
        },
      },
    },
  });
  const [kind] = operations.flatMap((each) => (each.kind.kind === 'create' ? [each.kind] : []));
  return kind?.key.kind === 'none' ? undefined : kind?.key.property;
}

test.each<[string, unknown, unknown]>([
  ['no name beside a text that the service makes', keyOf('token', { secret: string }), undefined],
  ['the name if the path says so', keyOf('tokenName', { secret: string }), 'name'],
  [
    'the name if it must not repeat',
    keyOf('token', { secret: string }, { '409': { description: 'taken' } }),
    'name',
  ],
  ['the name beside a date', keyOf('token', { made: { ...string, format: 'date-time' } }), 'name'],
])('takes for an id %s', (_what, found, expected) => {
  expect(found).toBe(expected);
});
