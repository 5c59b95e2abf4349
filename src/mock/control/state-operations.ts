import type { JsonObject } from '../../json/value.ts';
import { type ResetPart, resetParts } from '../message.ts';
import type { StateRows } from '../state/rows.ts';
import {
  collectionParameter,
  type ControlOperation,
  jsonContent,
  keyParameter,
  notFound,
  queryParameter,
  ref,
  snapshotNameParameter,
} from './operation.ts';

/** `DELETE /state/resource`: forgets one resource. */
export const deleteResource: ControlOperation = {
  path: '/state/resource',
  method: 'delete',
  declares: {
    operationId: 'deleteResource',
    summary: 'Forget one resource',
    parameters: [collectionParameter, keyParameter],
    responses: { '204': { description: 'It is forgotten.' } },
  },
  refuses: [404, 422],
  act: async (request, { mock }) => {
    const [collection, key] = [request.text('collection') ?? '', request.text('key') ?? ''];
    return (await mock.state.delete(collection, key))
      ? { status: 204 }
      : notFound(`There is no resource ${key} in ${collection}.`);
  },
};

/** `DELETE /snapshots/{name}`: forgets a snapshot. */
export const deleteSnapshot: ControlOperation = {
  path: '/snapshots/{name}',
  method: 'delete',
  declares: {
    operationId: 'deleteSnapshot',
    summary: 'Forget a snapshot',
    parameters: [snapshotNameParameter],
    responses: { '204': { description: 'It is forgotten.' } },
  },
  refuses: [404],
  act: async (request, { mock }) => {
    const name = request.text('name') ?? '';
    return (await mock.state.forget(name))
      ? { status: 204 }
      : notFound(`There is no snapshot ${JSON.stringify(name)}.`);
  },
};

/** `GET /state/export`: everything, so that an import takes it. */
export const exportState: ControlOperation = {
  path: '/state/export',
  method: 'get',
  declares: {
    operationId: 'exportState',
    summary: 'Everything, so that an import takes it',
    responses: { '200': jsonContent('All resources.', ref('StateRows')) },
  },
  act: async (_request, { mock }) => ({ status: 200, body: await mock.state.export() }),
};

/** `GET /state/resource`: one resource. */
export const getResource: ControlOperation = {
  path: '/state/resource',
  method: 'get',
  declares: {
    operationId: 'getResource',
    summary: 'One resource',
    parameters: [collectionParameter, keyParameter],
    responses: { '200': jsonContent('The resource.', ref('StateResource')) },
  },
  refuses: [404, 422],
  act: async (request, { mock }) => {
    const [collection, key] = [request.text('collection') ?? '', request.text('key') ?? ''];
    const resource = await mock.state.get(collection, key);
    return resource === undefined
      ? notFound(`There is no resource ${key} in ${collection}.`)
      : { status: 200, body: resource };
  },
};

/** `GET /state`: the collections, and how much each holds. */
export const getState: ControlOperation = {
  path: '/state',
  method: 'get',
  declares: {
    operationId: 'getState',
    summary: 'The collections, and how much each holds',
    responses: {
      '200': jsonContent('The collections.', {
        type: 'object',
        required: ['collections'],
        properties: { collections: { type: 'array', items: ref('CollectionCount') } },
      }),
    },
  },
  act: async (_request, { mock }) => ({
    status: 200,
    body: { collections: await mock.state.collections() },
  }),
};

/** `POST /state/import`: brings resources in, all or none. */
export const importState: ControlOperation = {
  path: '/state/import',
  method: 'post',
  declares: {
    operationId: 'importState',
    summary: 'Bring resources in: all of them, or where one cannot be taken, none',
    parameters: [
      queryParameter({
        name: 'mode',
        description: '`replace` empties the state first, `merge` keeps what is there.',
        schema: { enum: ['replace', 'merge'], default: 'replace' },
      }),
    ],
    requestBody: { required: true, ...jsonContent('What an export gives.', ref('StateRows')) },
    responses: { '200': jsonContent('How many were brought in.', ref('Imported')) },
  },
  refuses: [422],
  act: async (request, { mock }) => {
    // `as`: the document lets nothing else pass.
    const rows = Object.entries(request.body as StateRows);
    // A collection without rows may be of another contract: there is nothing that would not fit.
    const filled = Object.fromEntries(rows.filter(([, each]) => each.length > 0));
    const mode = request.text('mode') === 'merge' ? 'merge' : 'replace';
    return { status: 200, body: await mock.state.import(filled, mode) };
  },
};

/** More at once are the matter of an export. */
const mostListed = 1000;

/** `GET /state/resources`: a part of a collection. */
export const listResources: ControlOperation = {
  path: '/state/resources',
  method: 'get',
  declares: {
    operationId: 'listResources',
    summary: 'A part of a collection',
    parameters: [
      collectionParameter,
      queryParameter({
        name: 'search',
        description: 'Resources whose JSON text holds this, upper and lower case alike.',
        schema: { type: 'string' },
      }),
      queryParameter({
        name: 'offset',
        description: 'How many to pass over.',
        schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
      }),
      queryParameter({
        name: 'limit',
        description: 'How many to give at most.',
        schema: { type: 'integer', minimum: 0, maximum: mostListed, default: 100 },
      }),
    ],
    responses: { '200': jsonContent('The resources, in the order in which they came.', ref('StatePage')) },
  },
  refuses: [422],
  act: async (request, { mock }) => ({
    status: 200,
    body: await mock.state.list(request.text('collection') ?? '', {
      search: request.text('search') ?? '',
      offset: request.number('offset') ?? 0,
      limit: request.number('limit') ?? 100,
    }),
  }),
};

/** `GET /snapshots`: the states that were kept under names. */
export const listSnapshots: ControlOperation = {
  path: '/snapshots',
  method: 'get',
  declares: {
    operationId: 'listSnapshots',
    summary: 'The states that were kept under names',
    responses: {
      '200': jsonContent('The snapshots, by name.', {
        type: 'object',
        required: ['snapshots'],
        properties: { snapshots: { type: 'array', items: ref('CollectionCount') } },
      }),
    },
  },
  act: async (_request, { mock }) => ({ status: 200, body: { snapshots: await mock.state.snapshots() } }),
};

/** `PUT /state/resources`: keeps a resource, in place of one that has its key. */
export const putResource: ControlOperation = {
  path: '/state/resources',
  method: 'put',
  declares: {
    operationId: 'putResource',
    summary: 'Keep a resource, in place of one that has its key',
    parameters: [collectionParameter],
    requestBody: {
      required: true,
      ...jsonContent('The resource as a create would send it.', { type: 'object' }),
    },
    responses: { '200': jsonContent('The resource as it is kept.', ref('StateResource')) },
  },
  refuses: [422],
  act: async (request, { mock }) => ({
    status: 200,
    // `as`: the document lets objects alone pass.
    body: await mock.state.put(request.text('collection') ?? '', request.body as JsonObject),
  }),
};

/** `PUT /snapshots/{name}`: keeps the state as it is under a name. */
export const putSnapshot: ControlOperation = {
  path: '/snapshots/{name}',
  method: 'put',
  declares: {
    operationId: 'putSnapshot',
    summary: 'Keep the state as it is under a name, in place of an earlier one',
    parameters: [snapshotNameParameter],
    responses: { '204': { description: 'It is kept.' } },
  },
  refuses: [422],
  act: async (request, { mock }) => {
    await mock.state.save(request.text('name') ?? '');
    return { status: 204 };
  },
};

/** `POST /reset`: brings the mock back to how it was at the start. */
export const reset: ControlOperation = {
  path: '/reset',
  method: 'post',
  declares: {
    operationId: 'reset',
    summary: 'Bring everything, or some parts, back to how it was at the start; snapshots stay',
    requestBody: jsonContent('Which parts; without it, all.', {
      type: 'object',
      additionalProperties: false,
      properties: {
        parts: {
          type: 'array',
          description: 'The state goes back to the data that the mock started from.',
          items: { enum: [...resetParts] },
        },
      },
    }),
    responses: { '204': { description: 'It is as it was.' } },
  },
  act: async (request, { mock }) => {
    // `as`: the document lets nothing else pass.
    const { parts } = (request.body ?? {}) as { readonly parts?: readonly ResetPart[] };
    await mock.reset(parts);
    return { status: 204 };
  },
};

/** `POST /snapshots/{name}/restore`: brings the state back that was kept under a name. */
export const restoreSnapshot: ControlOperation = {
  path: '/snapshots/{name}/restore',
  method: 'post',
  declares: {
    operationId: 'restoreSnapshot',
    summary: 'Bring the state back that was kept under a name; what does not fit any more is set aside',
    parameters: [snapshotNameParameter],
    responses: { '204': { description: 'The state is as it was then.' } },
  },
  refuses: [404, 422],
  act: async (request, { mock }) => {
    const name = request.text('name') ?? '';
    return (await mock.state.restore(name))
      ? { status: 204 }
      : notFound(`There is no snapshot ${JSON.stringify(name)}.`);
  },
};

/** The schemas of what the mock remembers. */
export const stateSchemas: Readonly<Record<string, JsonObject>> = {
  CollectionCount: {
    type: 'object',
    required: ['name', 'count'],
    properties: {
      name: { type: 'string' },
      count: { type: 'integer', minimum: 0, description: 'How many resources it holds.' },
    },
  },
  StateResource: {
    type: 'object',
    required: ['key', 'value'],
    properties: {
      key: { type: 'string', description: 'What it is kept under, as a JSON text.' },
      value: { type: 'object', description: 'The resource, its numbers digit for digit.' },
    },
  },
  StatePage: {
    type: 'object',
    required: ['total', 'resources'],
    properties: {
      total: { type: 'integer', minimum: 0, description: 'How many there are; of a search, how many match.' },
      resources: { type: 'array', items: { $ref: '#/components/schemas/StateResource' } },
    },
  },
  StateRows: {
    type: 'object',
    description: 'Resources by the path of their collection.',
    propertyNames: { pattern: '^/' },
    additionalProperties: { type: 'array', items: { type: 'object' } },
  },
  Imported: {
    type: 'object',
    required: ['added', 'replaced'],
    properties: {
      added: { type: 'integer', minimum: 0 },
      replaced: { type: 'integer', minimum: 0 },
    },
  },
};
