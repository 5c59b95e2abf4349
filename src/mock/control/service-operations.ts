import type { Resource } from '../../contract/contract.ts';
import type { JsonObject } from '../../json/value.ts';
import { count, jsonContent, listOf, ok, type OperationsAt, record, ref, text } from './operation.ts';

/** The operation that describes the mock. */
export const serviceOperations: OperationsAt<'/service'> = {
  getService: {
    summary: 'What is mocked, and with which options',
    responses: { '200': jsonContent('The service.', ref('Service')) },
    handle: (_request, { mock: { contract, notices }, facts }) => {
      const { title, version, source } = contract;
      const roles = contract.operations.flatMap(({ kind }) => ('resource' in kind ? [kind.resource] : []));
      const resources = new Map(roles.map((resource) => [resource.collection, resource]));
      const operations = contract.operations.map(({ id, method, path, kind }) => ({
        id,
        method,
        path: path.template,
        kind: kind.kind,
        ...('resource' in kind ? { collection: kind.resource.collection, key: keyOf(kind.resource) } : {}),
      }));
      const startedAt = new Date(facts.startedAt).toISOString();
      const about = { title, version, source, cloche: facts.version, startedAt, store: facts.store };
      const kept = [...resources.values()].map(({ kind, collection, parent, key }) => {
        return { kind, collection, parent, key: keyOf({ key }) };
      });
      const areOff =
        !facts.sendsCallbacks && contract.operations.some(({ callbacks }) => callbacks !== undefined);
      const ofCallbacks = areOff
        ? ['Callbacks are not sent, because the mock runs with --callbacks off.']
        : [];
      return ok({ ...about, operations, resources: kept, notices: [...notices, ...ofCallbacks] });
    },
  },
};

function keyOf({ key }: Pick<Resource, 'key'>): string | undefined {
  return key.kind === 'none' ? undefined : key.property;
}

/** The schemas of the description of the mock, and of errors. */
export const serviceSchemas: Readonly<Record<string, JsonObject>> = {
  Error: record(
    {
      code: { type: 'integer', description: 'The HTTP status.' },
      message: text('What was wrong, and what can be done about it.'),
      rows: {
        type: 'array',
        description: 'Each row of data that is invalid; nothing was imported then.',
        items: ref('BadRow'),
      },
    },
    ['rows'],
  ),
  BadRow: record(
    {
      collection: { type: 'string' },
      index: count('Its place in its collection, from 0.'),
      place: text('Where it stands in the file that it came from.'),
      reason: { type: 'string' },
    },
    ['place'],
  ),
  Service: record({
    title: { type: 'string' },
    version: text('The version of the interface that is mocked.'),
    source: text('Where the document was read from.'),
    cloche: text('The version of Cloche.'),
    startedAt: { type: 'string', format: 'date-time' },
    store: {
      enum: ['memory', 'file', 'redis', 'own'],
      description: 'Where resources are kept; `own` is a store that the mock was given.',
    },
    operations: listOf('ServiceOperation'),
    resources: listOf('ServiceResource'),
    notices: {
      type: 'array',
      description:
        'The last messages about watched files, such as why a document cannot be used, and whether callbacks are off.',
      items: { type: 'string' },
    },
  }),
  ServiceOperation: record(
    {
      id: { type: 'string' },
      method: { type: 'string' },
      path: text('As the document has it, with its parameters.'),
      kind: text('What it does with a resource, `create` or `read`; `sample` answers with an example.'),
      collection: text('The path that the resources it is about are kept under.'),
      key: text('The property that tells resources apart.'),
    },
    ['collection', 'key'],
  ),
  ServiceResource: record(
    {
      kind: { enum: ['collection', 'singleton'] },
      collection: text('Its path as the document has it, with its parameters.'),
      parent: text('The collection whose items hold it.'),
      key: text('The property that tells resources apart.'),
    },
    ['parent', 'key'],
  ),
};
