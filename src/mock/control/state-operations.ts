import type { JsonObject } from '../../json/value.ts';
import { resetParts } from '../message.ts';
import type { GivenRows } from '../state/rows.ts';
import { snapshotNameForm } from '../store/store.ts';
import type { ParametersOf } from './calls.ts';
import {
  type ControlContext,
  type ControlResult,
  count,
  jsonBody,
  jsonContent,
  listOf,
  ok,
  type OperationsAt,
  pathParameter,
  queryParameter,
  record,
  ref,
  refuse,
  text,
  whole,
} from './operation.ts';

const collectionParameter: JsonObject = {
  name: 'collection',
  in: 'query',
  description: 'The path of the collection with its parameters filled in, `/shops/7/orders`.',
  required: true,
  schema: { type: 'string', pattern: '^/' },
};

const keyParameter: JsonObject = queryParameter(
  'key',
  'The id of the resource as JSON; quotes of a string may be left out unless that is ambiguous. A singleton has none.',
  { type: 'string', minLength: 1 },
);

const nameParameter = pathParameter('name', 'The name of the snapshot.', {
  type: 'string',
  pattern: snapshotNameForm.source,
});

/** The operations on the state. */
export const stateOperations: OperationsAt<'/state' | '/snapshots' | '/reset'> = {
  getState: {
    summary: 'The collections and singletons, and their sizes',
    responses: {
      '200': jsonContent('The collections.', record({ collections: listOf('StateCollection') })),
    },
    handle: async (_request, { mock }) => ok({ collections: await mock.state.collections() }),
  },
  listResources: {
    summary: 'List resources of a collection',
    parameters: [
      collectionParameter,
      queryParameter('search', 'Resources whose JSON contains this text, ignoring case.', { type: 'string' }),
      queryParameter('offset', 'How many to skip.', { ...whole(0), default: 0 }),
      // An export returns more.
      queryParameter('limit', 'The maximum number to return.', { ...whole(0), maximum: 1000, default: 100 }),
    ],
    responses: { '200': jsonContent('The resources, in the order in which they came.', ref('StatePage')) },
    refuses: [422],
    handle: async ({ parameters }, { mock }) => {
      const { collection, search = '', offset = 0, limit = 100 } = parameters;
      return ok(await mock.state.list(collection, { search, offset, limit }));
    },
  },
  putResource: {
    summary: 'Store a resource, replacing one with the same id',
    parameters: [collectionParameter],
    requestBody: jsonBody(
      'The resource as a create would send it, and what the service says of it besides.',
      {
        type: 'object',
      },
    ),
    responses: { '200': jsonContent('The resource as it is kept.', ref('StateResource')) },
    refuses: [422],
    handle: async ({ body, parameters: { collection } }, { mock }) =>
      // `as`: the document accepts only objects.
      ok(await mock.state.put(collection, body as JsonObject)),
  },
  getResource: {
    summary: 'One resource',
    parameters: [collectionParameter, keyParameter],
    responses: { '200': jsonContent('The resource.', ref('StateResource')) },
    refuses: [404, 422],
    handle: async ({ parameters }, { mock }) => {
      const found = await mock.state.get(parameters.collection, parameters.key);
      return found === undefined ? noResource(parameters, mock, 'get') : ok(found);
    },
  },
  deleteResource: {
    summary: 'Delete one resource, and what lies below it',
    parameters: [collectionParameter, keyParameter],
    responses: { '204': { description: 'It is forgotten.' } },
    refuses: [404, 422],
    handle: async ({ parameters }, { mock }) => {
      const isDeleted = await mock.state.delete(parameters.collection, parameters.key);
      return isDeleted ? undefined : noResource(parameters, mock, 'delete');
    },
  },
  exportState: {
    summary: 'Export everything, for an import',
    responses: { '200': jsonContent('All resources.', ref('StateRows')) },
    handle: async (_request, { mock }) => ok(await mock.state.export()),
  },
  importState: {
    summary: 'Import resources: all of them, or none if one is invalid',
    parameters: [
      queryParameter('mode', '`replace` empties the state first, `merge` keeps what is there.', {
        enum: ['replace', 'merge'],
        default: 'replace',
      }),
    ],
    requestBody: jsonBody('What an export gives; a singleton may be one object.', ref('GivenRows')),
    responses: { '200': jsonContent('How many were brought in.', ref('Imported')) },
    refuses: [422],
    handle: async ({ body, parameters: { mode } }, { mock }) => {
      // `as`: the document accepts nothing else.
      const rows = Object.entries(body as GivenRows);
      // A collection without rows may belong to another contract: it has nothing that could not fit.
      const filled = Object.fromEntries(rows.filter(([, each]) => !Array.isArray(each) || each.length > 0));
      return ok(await mock.state.import(filled, mode));
    },
  },
  listSnapshots: {
    summary: 'The saved snapshots',
    responses: {
      '200': jsonContent('The snapshots, by name.', record({ snapshots: listOf('CollectionCount') })),
    },
    handle: async (_request, { mock }) => ok({ snapshots: await mock.state.snapshots() }),
  },
  putSnapshot: {
    summary: 'Save the current state under a name',
    parameters: [nameParameter],
    responses: { '204': { description: 'It is kept.' } },
    refuses: [422],
    handle: ({ parameters: { name } }, { mock }) => mock.state.save(name),
  },
  deleteSnapshot: {
    summary: 'Delete a snapshot',
    parameters: [nameParameter],
    responses: { '204': { description: 'It is forgotten.' } },
    refuses: [404],
    handle: async ({ parameters: { name } }, { mock }) =>
      (await mock.state.forget(name)) ? undefined : noSnapshot(name),
  },
  restoreSnapshot: {
    summary: 'Restore a snapshot; resources that no longer fit the document are set aside',
    parameters: [nameParameter],
    responses: { '204': { description: 'The state is as it was then.' } },
    refuses: [404, 422],
    handle: async ({ parameters: { name } }, { mock }) =>
      (await mock.state.restore(name)) ? undefined : noSnapshot(name),
  },
  reset: {
    summary: 'Restore the initial state of everything, or of some parts; snapshots stay',
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
    handle: ({ body }, { mock }) => mock.reset(body?.parts),
  },
};

async function noResource(
  { collection, key }: ParametersOf<'getResource'>,
  { state }: ControlContext['mock'],
  verb: 'get' | 'delete',
): Promise<ControlResult<never>> {
  if (key !== undefined) return refuse(404, `There is no resource ${key} in ${collection}.`);
  const found = (await state.collections()).find(({ name }) => name === collection);
  if (found?.kind !== 'collection') return refuse(404, `There is nothing in ${collection}.`);
  const property = found.key === null ? '' : `, its ${JSON.stringify(found.key)}`;
  const need = `A key is needed to tell which resource of ${collection} is meant${property}`;
  return refuse(404, `${need}: cloche state ${verb} ${collection} KEY.`);
}

function noSnapshot(name: string): ControlResult<never> {
  return refuse(404, `There is no snapshot ${JSON.stringify(name)}.`);
}

/** The schemas of the state. */
export const stateSchemas: Readonly<Record<string, JsonObject>> = {
  CollectionCount: record({
    name: { type: 'string' },
    count: count('How many resources it holds.'),
  }),
  StateCollection: record({
    name: text('Its concrete path.'),
    count: count('How many resources it holds.'),
    kind: { enum: ['collection', 'singleton'] },
    key: {
      type: ['string', 'null'],
      description: 'The property that identifies its resources; null if none does.',
    },
    isKept: {
      type: 'boolean',
      description: 'False where requests get samples, as nothing can fill it but data, which is not there.',
    },
  }),
  StateResource: record({
    key: text('Its id, as a JSON text.'),
    value: { type: 'object', description: 'The resource, its numbers digit for digit.' },
  }),
  StatePage: record({
    total: count('How many there are; of a search, how many match.'),
    resources: listOf('StateResource'),
  }),
  StateRows: {
    type: 'object',
    description: 'Resources by the path of their collection.',
    propertyNames: { pattern: '^/' },
    additionalProperties: { type: 'array', items: { type: 'object' } },
  },
  GivenRows: {
    type: 'object',
    description: 'Resources by the path of their collection, one object for a singleton.',
    properties: { $schema: text('Where the schema of the file is, for editors.') },
    propertyNames: { pattern: '^(?:/|\\$schema$)' },
    additionalProperties: { oneOf: [{ type: 'array', items: { type: 'object' } }, { type: 'object' }] },
  },
  Imported: record({
    added: { type: 'integer', minimum: 0 },
    replaced: { type: 'integer', minimum: 0 },
  }),
};
