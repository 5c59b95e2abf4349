import type { Resource } from '../../contract/contract.ts';
import type { JsonObject } from '../../json/value.ts';
import { type ControlOperations, jsonContent, listOf, ok, record, ref } from './operation.ts';

/** What the mock says of itself. */
export const serviceOperations: Pick<ControlOperations, 'getService'> = {
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
      return ok({ ...about, operations, resources: kept, notices });
    },
  },
};

function keyOf({ key }: Pick<Resource, 'key'>): string | undefined {
  return key.kind === 'none' ? undefined : key.property;
}

/** The schemas of what the mock says of itself, and of errors. */
export const serviceSchemas: Readonly<Record<string, JsonObject>> = {
  Error: record(
    {
      code: { type: 'integer', description: 'The HTTP status.' },
      message: { type: 'string', description: 'What was wrong, and what can be done about it.' },
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
      index: { type: 'integer', minimum: 0, description: 'Its place in its collection, from 0.' },
      place: { type: 'string', description: 'Where it stands in the file that it came from.' },
      reason: { type: 'string' },
    },
    ['place'],
  ),
  Service: record({
    title: { type: 'string' },
    version: { type: 'string', description: 'The version of the interface that is mocked.' },
    source: { type: 'string', description: 'Where the document was read from.' },
    cloche: { type: 'string', description: 'The version of Cloche.' },
    startedAt: { type: 'string', format: 'date-time' },
    store: {
      enum: ['memory', 'file', 'redis', 'own'],
      description: 'Where resources are kept; `own` is a store that the mock was given.',
    },
    operations: listOf('ServiceOperation'),
    resources: listOf('ServiceResource'),
    notices: {
      type: 'array',
      description: 'What watching the files had to say last, such as why a document cannot be used.',
      items: { type: 'string' },
    },
  }),
  ServiceOperation: record(
    {
      id: { type: 'string' },
      method: { type: 'string' },
      path: { type: 'string', description: 'As the document has it, with its parameters.' },
      kind: {
        type: 'string',
        description: 'What it does with a resource, `create` or `read`; `sample` answers with an example.',
      },
      collection: { type: 'string', description: 'The path that the resources it is about are kept under.' },
      key: { type: 'string', description: 'The property that tells resources apart.' },
    },
    ['collection', 'key'],
  ),
  ServiceResource: record(
    {
      kind: { enum: ['collection', 'singleton'] },
      collection: { type: 'string', description: 'Its path as the document has it, with its parameters.' },
      parent: { type: 'string', description: 'The collection whose items hold it.' },
      key: { type: 'string', description: 'The property that tells resources apart.' },
    },
    ['parent', 'key'],
  ),
};
