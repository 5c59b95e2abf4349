import { plainContent } from '../src/arbitrary/plain-body.ts';
import type { Body } from '../src/arbitrary/request-case.ts';
import { buildRequest, plainRequest } from '../src/arbitrary/request.ts';
import type { CheckedExchange } from '../src/check/classify/subject.ts';
import { toProbeExchange } from '../src/check/probe-exchange.ts';
import { sentItem } from '../src/check/drift/resources.ts';
import type { Contract, Operation, Resource } from '../src/contract/contract.ts';
import { readCreatedId } from '../src/contract/created-key.ts';
import { idText } from '../src/contract/list-pages.ts';
import { findIfMatch } from '../src/contract/request-facts.ts';
import { keptRole } from '../src/contract/resources.ts';
import { encodeSegment } from '../src/http/path.ts';
import { memberAt, nestMember, resolvePointer } from '../src/json/pointer.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../src/json/value.ts';
import { type ProbeItem, type ProbeItems, Unanswered } from '../src/policy/behaviour.ts';
import { findParent, findRole, otherId, readTag, showItem, withQuery } from '../src/policy/probe-items.ts';
import type { IdContext, Session } from '../src/session/session.ts';

/** The ids by which requests name an item, or the parents of a collection. */
interface Named {
  readonly keys: IdContext | undefined;
  /** The missing item that a request names instead. */
  readonly instead?: Pick<ProbeItem, 'resource' | 'id'>;
}

interface Sent {
  readonly body?: Body | undefined;
  readonly query?: readonly string[] | undefined;
  readonly ifMatch?: string | undefined;
  readonly user?: 'other' | undefined;
}

/** Opens the items of a probe in a session of a run, and records their exchanges. */
export function openProbeItems(
  session: Session,
  { operations }: Contract,
): { readonly items: ProbeItems; readonly trace: readonly CheckedExchange[] } {
  const trace: CheckedExchange[] = [];
  const collections = new Map<string, Named>();
  const named = new WeakMap<object, Named>();

  async function transmit(
    to: Operation,
    { keys = session.openIdContext(), instead }: Named,
    { body, query = [], ifMatch, user }: Sent,
  ): Promise<CheckedExchange> {
    const item = to.items.find(({ resource }) => resource.collection === instead?.resource.collection);
    const parameter = to.parameters.find(
      ({ name, in: place }) => place === 'path' && name === item?.parameter,
    );
    const match = findIfMatch(to);
    const request = buildRequest(to, {
      ...(body && { body }),
      ...(user && { credentials: { kind: 'good', user } }),
      parameters: new Map([
        ...(parameter && instead ? [[parameter, encodeSegment(idText(instead.id))] as const] : []),
        ...(match && ifMatch !== undefined ? [[match, ifMatch] as const] : []),
      ]),
    });
    const judged = await session.send({ ...request, target: withQuery(request.target, query) }, keys);
    trace.push(judged);
    return judged;
  }

  function below(resource: Resource, item: ProbeItem): string {
    const depth = item.resource.collection.split('/').length + 1;
    const own = resource.collection.split('/').slice(depth);
    const name = [item.collection, encodeSegment(idText(item.id)), ...own].join('/');
    collections.set(name, named.get(item) ?? noIds);
    return name;
  }

  async function makeParent(resource: Resource): Promise<ProbeItem> {
    const parent = findParent(operations, resource);
    if (parent === undefined) throw new Unanswered(`nothing lies above ${resource.collection}`);
    return items.make(parent);
  }

  const items: ProbeItems = {
    hasOtherUser: true,
    operation: (resource, role) => findRole(operations, resource, role),
    collection: async (resource) =>
      findParent(operations, resource) === undefined
        ? resource.collection
        : below(resource, await makeParent(resource)),
    missingCollection: async (resource) => below(resource, await items.unknown(await makeParent(resource))),
    async makeBelow(resource) {
      const parent = await makeParent(resource);
      return { parent, child: await items.make(resource, below(resource, parent)) };
    },
    async make(resource, collection) {
      const { item, exchange } = await items.tryMake(resource, {
        below: collection ?? (await items.collection(resource)),
      });
      if (item !== undefined) return item;
      throw new Unanswered(`a plain item of ${resource.collection} is answered ${exchange.status}`);
    },
    async tryMake(resource, { below: collection, change = (item) => item }) {
      const maker = items.operation(resource, 'create');
      const role = maker && keptRole(maker);
      const plain = maker && plainRequest(maker).body;
      if (maker === undefined || role?.kind !== 'create' || plain?.kind !== 'body') {
        throw new Unanswered(`no operation creates what it would take in ${resource.collection}`);
      }
      const { body } = plain;
      const value = nestMember(body.fullest, role.request, change(itemAt(body.fullest, role.request)));
      // A changed property does not refer to an existing item.
      const references = body.items.filter(({ pointer }) =>
        jsonEqual(resolvePointer(value, pointer) ?? null, resolvePointer(body.fullest, pointer) ?? null),
      );
      const { keys, ...above } = collections.get(collection) ?? noIds;
      const own: Named = { keys: session.openIdContext(...(keys ? [keys] : [])), ...above };
      const judged = await transmit(maker, own, {
        body: plainContent({ ...body, items: references }, value),
      });
      const exchange = toProbeExchange(judged.exchange);
      const id = exchange.isAccepted ? readCreatedId(role, exchange) : undefined;
      if (id === undefined) return { exchange, item: undefined };
      const item: ProbeItem = { resource, collection, id, body: sentItem(judged) ?? {} };
      named.set(item, own);
      return { exchange, item };
    },
    async send(to, place, { body: item, query, user } = {}) {
      const { body: plain } = plainRequest(to);
      const role = keptRole(to);
      const path = role !== undefined && 'request' in role ? role.request : [];
      const body =
        item !== undefined && plain.kind === 'body'
          ? plainContent({ ...plain.body, items: [] }, nestMember(plain.body.smallest, path, item))
          : undefined;
      const own = named.get(place) ?? collections.get(place.collection) ?? noIds;
      const ifMatch = findIfMatch(to) && role?.kind !== 'read' ? await readTag(items, place) : undefined;
      const judged = await transmit(to, own, { body, query, ifMatch, user });
      return toProbeExchange(judged.exchange);
    },
    show: (item) => showItem(items, item),
    async unknown(item) {
      const { keys } = named.get(item) ?? noIds;
      const unknown = { ...item, id: otherId(item.id, session.openIdContext().serial(0)) };
      named.set(unknown, { keys, instead: unknown });
      const isShown = (['read', 'list'] as const).some((role) => items.operation(item.resource, role));
      if (isShown && (await items.show(unknown)) !== undefined) {
        throw new Unanswered('an id that was never given out is known');
      }
      return unknown;
    },
    // The run deletes every item that it created.
    note: () => undefined,
  };
  return { items, trace };
}

const noIds: Named = { keys: undefined };

function itemAt(value: JsonValue, path: readonly string[]): JsonObject {
  const item = memberAt(value, path);
  return isJsonObject(item) ? item : {};
}
