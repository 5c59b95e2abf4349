import type { Contract, Resource } from '../../contract/contract.ts';
import { findBodyRelations } from '../../contract/relations.ts';
import type { ServiceResource } from './calls.ts';
import { ok, type OperationsAt, refuse } from './operation.ts';

type ServiceOperations = OperationsAt<'/service'> &
  OperationsAt<'/document'> &
  OperationsAt<'/operations'> &
  OperationsAt<'/tokens'>;

/** The operations that describe the mock. */
export const serviceOperations: ServiceOperations = {
  getService: (_request, { mock: { contract, notices }, facts }) => {
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
  getMockedDocument: (_request, { mock: { contract } }) => ok(contract.root),
  getOperation: async ({ parameters: { id } }, { mock: { contract } }) => {
    const operation = contract.operations.find((each) => each.id === id);
    if (operation === undefined) return refuse(404, `There is no operation ${id} in the document.`);
    const { createRequestForm } = await import('./request-form.ts');
    return ok(createRequestForm(operation));
  },
  listTokens: (_request, { facts: { issued } }) =>
    ok({
      tokens: issued.list().map((token) => {
        const { subject, clientId, scopes, expiresAt } = token;
        const isExpired = issued.hasExpired(token);
        const ends = expiresAt !== undefined && Number.isFinite(expiresAt);
        const about = { subject, clientId, scopes, isExpired };
        return { ...about, expiresAt: ends ? new Date(expiresAt).toISOString() : undefined };
      }),
    }),
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
