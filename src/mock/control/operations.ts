import type { Contract, Resource } from '../../contract/contract.ts';
import { findBodyRelations } from '../../contract/relations.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { toPlainNumbers } from '../../json/exact-number.ts';
import type { JsonObject } from '../../json/value.ts';
import type { MockClock } from '../clock.ts';
import type { RequestFilter } from '../log/filter.ts';
import type { LoggedRequest } from '../message.ts';
import type { GivenRows } from '../state/rows.ts';
import type { ParametersOf, ServiceResource, ShownClock } from './calls.ts';
import { createControlDocument } from './document.ts';
import {
  type ControlContext,
  type ControlOperations,
  type ControlResult,
  ok,
  type OperationsAt,
  refuse,
} from './operation.ts';
import { policyOperations } from './policy-operations.ts';

type ServiceOperations = OperationsAt<'/service'> &
  OperationsAt<'/document'> &
  OperationsAt<'/operations'> &
  OperationsAt<'/tokens'>;

/** The operations that describe the mock. */
const serviceOperations: ServiceOperations = {
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

/** The operations on the state. */
const stateOperations: OperationsAt<'/state' | '/snapshots' | '/reset'> = {
  getState: async (_request, { mock }) => ok({ collections: await mock.state.collections() }),
  listResources: async ({ parameters }, { mock }) => {
    const { collection, search = '', offset = 0, limit = 100 } = parameters;
    return ok(await mock.state.list(collection, { search, offset, limit }));
  },
  putResource: async ({ body, parameters: { collection } }, { mock }) =>
    // `as`: the document accepts only objects.
    ok(await mock.state.put(collection, body as JsonObject)),
  getResource: async ({ parameters }, { mock }) => {
    const found = await mock.state.get(parameters.collection, parameters.key);
    return found === undefined ? noResource(parameters, mock, 'get') : ok(found);
  },
  deleteResource: async ({ parameters }, { mock }) => {
    const isDeleted = await mock.state.delete(parameters.collection, parameters.key);
    return isDeleted ? undefined : noResource(parameters, mock, 'delete');
  },
  exportState: async (_request, { mock }) => ok(await mock.state.export()),
  importState: async ({ body, parameters: { mode } }, { mock }) => {
    // `as`: the document accepts nothing else.
    const rows = Object.entries(body as GivenRows);
    // A collection without rows may belong to another contract: it has nothing that could not fit.
    const filled = Object.fromEntries(rows.filter(([, each]) => !Array.isArray(each) || each.length > 0));
    return ok(await mock.state.import(filled, mode));
  },
  listSnapshots: async (_request, { mock }) => ok({ snapshots: await mock.state.snapshots() }),
  putSnapshot: ({ parameters: { name } }, { mock }) => mock.state.save(name),
  deleteSnapshot: async ({ parameters: { name } }, { mock }) =>
    (await mock.state.forget(name)) ? undefined : noSnapshot(name),
  restoreSnapshot: async ({ parameters: { name } }, { mock }) =>
    (await mock.state.restore(name)) ? undefined : noSnapshot(name),
  reset: ({ body }, { mock }) => mock.reset(body?.parts),
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

const faultOperations: OperationsAt<'/faults'> = {
  listFaults: (_request, { mock }) => ok({ faults: mock.faults.list() }),
  createFault({ body }, { mock }) {
    const rule = mock.faults.put(body);
    return { status: 201, body: rule, location: `/faults/${encodeURIComponent(rule.id)}` };
  },
  clearFaults: (_request, { mock }) => mock.faults.clear(),
  putFault: ({ body, parameters: { id } }, { mock }) => ok(mock.faults.put({ ...body, id })),
  deleteFault: ({ parameters: { id } }, { mock }) =>
    mock.faults.delete(id) ? undefined : refuse(404, `There is no rule ${JSON.stringify(id)}.`),
};

const requestOperations: OperationsAt<'/requests'> = {
  async listRequests({ parameters }, { mock }) {
    const { limit, wait: timeoutMs = 0, times = 1, ...sent } = parameters;
    // `as`: none of them is undefined.
    const filter = sent as RequestFilter;
    const list = (): readonly LoggedRequest[] => mock.requests.list(filter, limit);
    let requests = list();
    if (timeoutMs > 0 && requests.length < times) {
      await mock.requests.waitFor(filter, { times, timeoutMs });
      requests = list();
    }
    const { dropped, first, last } = mock.requests;
    return ok({ requests, dropped, first, last });
  },
  clearRequests: (_request, { mock }) => mock.requests.clear(),
  verifyRequests({ body }, { mock }) {
    const { filter, times } = toPlainNumbers(body);
    const sought = body.filter.body;
    // The body to compare with keeps its digits.
    const exact = sought === undefined ? filter : { ...filter, body: sought };
    return ok(mock.requests.verify(exact, times));
  },
  getRequest({ parameters: { id } }, { mock }) {
    const found = mock.requests.get(Number(id));
    const reason = 'it gave way to newer ones, or there never was one';
    return found ? ok(found) : refuse(404, `There is no request ${id} in the log: ${reason}.`);
  },
};

const callbackOperations: OperationsAt<'/callbacks'> & OperationsAt<'/webhooks'> = {
  listCallbacks: (_request, { mock }) => ok({ callbacks: mock.callbacks.list() }),
  sendWebhook: async ({ parameters: { name }, body }, { mock }) => ok(await mock.callbacks.send(name, body)),
};

/** The range of RFC 3339 §5.6, whose years have four digits, in milliseconds since 1970. */
const earliestTime = Date.parse('0000-01-01T00:00:00.000Z');
const latestTime = Date.parse('9999-12-31T23:59:59.999Z');

/** The operations on the clock. */
const clockOperations: OperationsAt<'/clock'> = {
  getClock: (_request, { mock }) => ok(describeClock(mock.clock)),
  putClock: ({ body: { now, frozen } }, { mock: { clock } }) => {
    const time = now === undefined ? undefined : readTime(now);
    if (frozen !== undefined) clock.freeze(frozen);
    if (time !== undefined) clock.set(time);
    return ok(describeClock(clock));
  },
  advanceClock: ({ body }, { mock: { clock } }) => {
    const { ms } = toPlainNumbers(body);
    const time = clock.now() + ms;
    if (time < earliestTime || time > latestTime) {
      const reason = 'it is no time of the years 0 to 9999, which a date-time can name';
      throw cannotSet(String(time), reason, 'Advance it by less');
    }
    clock.advance(ms);
    return ok(describeClock(clock));
  },
};

/** Describes the clock. A time outside the range of a date-time is shown as the nearest inside. */
function describeClock(clock: MockClock): ShownClock {
  const now = Math.min(Math.max(clock.now(), earliestTime), latestTime);
  return { now: new Date(now).toISOString(), frozen: clock.isFrozen };
}

/** Parses a time; a leap second, which a Date cannot hold, becomes the second after it. */
function readTime(text: string): number {
  const time = Date.parse(text.replace(/:60(\.\d+)?/u, ':59$1'));
  if (Number.isNaN(time)) {
    const reason = 'it is no date and time that a calendar has';
    throw cannotSet(text, reason, 'Give one such as 2026-03-01T08:00:00Z');
  }
  return time;
}

function cannotSet(subject: string, reason: string, remedy: string): ClocheError {
  return new ClocheError('OPTION_INVALID', { attempt: 'set the clock to', subject, reason, remedy });
}

/** The operations of the control interface. Its document, `spec/control.openapi.json`, describes each of them. */
export const controlOperations: ControlOperations = {
  getDocument: (_request, { mock, facts: { hasTokens } }) =>
    ok(createControlDocument({ operations: mock.contract.operations.map(({ id }) => id), hasTokens })),
  ...serviceOperations,
  ...stateOperations,
  ...policyOperations,
  ...faultOperations,
  ...requestOperations,
  ...callbackOperations,
  ...clockOperations,
};
