import type { Contract, Resource } from '../../contract/contract.ts';
import { findBodyRelations } from '../../contract/relations.ts';
import type { JsonObject } from '../../json/value.ts';
import type { ServiceResource } from './calls.ts';
import {
  count,
  jsonContent,
  listOf,
  ok,
  type OperationsAt,
  pathParameter,
  record,
  ref,
  refuse,
  text,
} from './operation.ts';

type ServiceOperations = OperationsAt<'/service'> &
  OperationsAt<'/document'> &
  OperationsAt<'/operations'> &
  OperationsAt<'/tokens'>;

/** The operations that describe the mock. */
export const serviceOperations: ServiceOperations = {
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
        const relations = listRelations(contract, collection);
        return { kind, collection, parent, key: keyOf({ key }), relations };
      });
      const hasCallbacks = contract.operations.some(({ callbacks }) => callbacks !== undefined);
      const ofCallbacks =
        hasCallbacks && !facts.sendsCallbacks
          ? ['Callbacks are not sent, because the mock runs with --callbacks off.']
          : [];
      const webhooks = contract.webhooks?.().map(({ name }) => name) ?? [];
      const of = { operations, resources: kept, webhooks, hasCallbacks };
      return ok({ ...about, ...of, notices: [...notices, ...ofCallbacks] });
    },
  },
  getMockedDocument: {
    summary: 'The document of the mock, in one piece; `/__cloche/docs` shows it as a reference',
    responses: { '200': jsonContent('The document.', { type: 'object' }) },
    handle: (_request, { mock: { contract } }) => ok(contract.root),
  },
  getOperation: {
    summary: 'The parts of a request to an operation, to fill in',
    parameters: [pathParameter('id', 'The id of the operation.', { type: 'string' })],
    responses: { '200': jsonContent('The parts.', ref('RequestForm')) },
    refuses: [404],
    handle: async ({ parameters: { id } }, { mock: { contract } }) => {
      const operation = contract.operations.find((each) => each.id === id);
      if (operation === undefined) return refuse(404, `There is no operation ${id} in the document.`);
      const { createRequestForm } = await import('./request-form.ts');
      return ok(createRequestForm(operation));
    },
  },
  listTokens: {
    summary: 'The tokens that the mock issued, without the tokens themselves',
    responses: { '200': jsonContent('Oldest first.', record({ tokens: listOf('IssuedToken') })) },
    handle: (_request, { facts: { issued } }) =>
      ok({
        tokens: issued.list().map((token) => {
          const { subject, clientId, scopes, expiresAt } = token;
          const isExpired = issued.hasExpired(token);
          const ends = expiresAt !== undefined && Number.isFinite(expiresAt);
          const about = { subject, clientId, scopes, isExpired };
          return { ...about, expiresAt: ends ? new Date(expiresAt).toISOString() : undefined };
        }),
      }),
  },
};

/** Lists the properties of a resource that hold ids of others, as its writes declare them. */
function listRelations({ operations }: Contract, collection: string): ServiceResource['relations'] {
  const own = operations.filter(({ kind }) => 'resource' in kind && kind.resource.collection === collection);
  const found = own.flatMap((operation) => findBodyRelations(operation, operations));
  const byProperty = new Map(found.map(({ property, resource }) => [property, resource.collection]));
  return [...byProperty].map(([property, target]) => ({ property, collection: target }));
}

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
    webhooks: {
      type: 'array',
      description: 'The names of the declared webhooks.',
      items: { type: 'string' },
    },
    hasCallbacks: { type: 'boolean', description: 'Whether an operation declares callbacks.' },
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
      relations: {
        type: 'array',
        description: 'The properties that hold ids of other resources.',
        items: record({ property: { type: 'string' }, collection: text('The path of the other resources.') }),
      },
    },
    ['parent', 'key'],
  ),
  RequestForm: record(
    {
      method: { type: 'string' },
      path: text('As the document has it, with its parameters.'),
      parameters: {
        type: 'array',
        description: 'The parameters, and the fields with credentials. Cookies are missing.',
        items: record({
          name: { type: 'string' },
          in: { enum: ['path', 'query', 'header'] },
          required: { type: 'boolean' },
          value: text('An example; empty if there is none.'),
        }),
      },
      body: record({ mediaType: { type: 'string' }, text: text('An example; empty if there is none.') }),
    },
    ['body'],
  ),
  IssuedToken: record(
    {
      subject: text('The user, or the client if there is no user.'),
      clientId: text('The client that got it.'),
      scopes: { type: 'array', items: { type: 'string' } },
      expiresAt: { type: 'string', format: 'date-time' },
      isExpired: { type: 'boolean', description: 'Whether it has expired or was revoked.' },
    },
    ['subject', 'clientId', 'scopes', 'expiresAt'],
  ),
};
