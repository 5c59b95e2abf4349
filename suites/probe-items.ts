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
import { type JsonPointer, memberAt, nestMember, resolvePointer } from '../src/json/pointer.ts';
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

/** The items of a probe in a session of a run, which records their exchanges. */
export class SessionProbeItems implements ProbeItems {
  readonly hasOtherUser = true;
  readonly #session: Session;
  readonly #operations: readonly Operation[];
  readonly #trace: CheckedExchange[] = [];
  readonly #collections = new Map<string, Named>();
  readonly #named = new WeakMap<object, Named>();

  /**
   * @param session - the session that sends the requests
   * @param contract - the contract of the service
   */
  constructor(session: Session, { operations }: Contract) {
    this.#session = session;
    this.#operations = operations;
  }

  /** The exchanges so far. */
  get trace(): readonly CheckedExchange[] {
    return this.#trace;
  }

  operation(resource: Resource, role: Parameters<ProbeItems['operation']>[1]): Operation | undefined {
    return findRole(this.#operations, resource, role);
  }

  async collection(resource: Resource): Promise<string> {
    return findParent(this.#operations, resource) === undefined
      ? resource.collection
      : this.#below(resource, await this.#makeParent(resource));
  }

  async missingCollection(resource: Resource): Promise<string> {
    return this.#below(resource, await this.unknown(await this.#makeParent(resource)));
  }

  async makeBelow(resource: Resource): Promise<{ readonly parent: ProbeItem; readonly child: ProbeItem }> {
    const parent = await this.#makeParent(resource);
    return { parent, child: await this.make(resource, this.#below(resource, parent)) };
  }

  async make(resource: Resource, collection?: string): Promise<ProbeItem> {
    const below = collection ?? (await this.collection(resource));
    const { item, exchange } = await this.tryMake(resource, { below });
    if (item !== undefined) return item;
    throw new Unanswered(`a plain item of ${resource.collection} is answered ${exchange.status}`);
  }

  async tryMake(
    resource: Resource,
    { below: collection, change = (item) => item }: Parameters<ProbeItems['tryMake']>[1],
  ): ReturnType<ProbeItems['tryMake']> {
    const maker = this.operation(resource, 'create');
    const role = maker && keptRole(maker);
    const plain = maker && plainRequest(maker).body;
    if (maker === undefined || role?.kind !== 'create' || plain?.kind !== 'body') {
      throw new Unanswered(`no operation creates what it would take in ${resource.collection}`);
    }
    const { body } = plain;
    const value = nestMember(body.fullest, role.request, change(itemAt(body.fullest, role.request)));
    const isPlain = ({ pointer }: { readonly pointer: JsonPointer }): boolean =>
      jsonEqual(resolvePointer(value, pointer) ?? null, resolvePointer(body.fullest, pointer) ?? null);
    // A changed property does not refer to an existing item, and a changed id is not drawn.
    const items = body.items.filter(isPlain);
    const key = body.key && isPlain(body.key) ? body.key : undefined;
    const { keys, ...above } = this.#collections.get(collection) ?? noIds;
    const own: Named = { keys: this.#session.openIdContext(...(keys ? [keys] : [])), ...above };
    const judged = await this.#transmit(maker, own, {
      body: plainContent({ ...body, items, key }, value),
    });
    const exchange = toProbeExchange(judged.exchange);
    const id = exchange.isAccepted ? readCreatedId(role, exchange) : undefined;
    if (id === undefined) return { exchange, item: undefined };
    const item: ProbeItem = { resource, collection, id, body: sentItem(judged) ?? {} };
    this.#named.set(item, own);
    return { exchange, item };
  }

  async send(
    to: Operation,
    place: Parameters<ProbeItems['send']>[1],
    { body: item, query, user }: Parameters<ProbeItems['send']>[2] = {},
  ): ReturnType<ProbeItems['send']> {
    const { body: plain } = plainRequest(to);
    const role = keptRole(to);
    const path = role !== undefined && 'request' in role ? role.request : [];
    const body =
      item !== undefined && plain.kind === 'body'
        ? plainContent({ ...plain.body, items: [] }, nestMember(plain.body.smallest, path, item))
        : undefined;
    const own = this.#named.get(place) ?? this.#collections.get(place.collection) ?? noIds;
    const ifMatch = findIfMatch(to) && role?.kind !== 'read' ? await readTag(this, place) : undefined;
    const judged = await this.#transmit(to, own, { body, query, ifMatch, user });
    return toProbeExchange(judged.exchange);
  }

  show(item: ProbeItem): ReturnType<ProbeItems['show']> {
    return showItem(this, item);
  }

  async unknown(item: ProbeItem): Promise<ProbeItem> {
    const { keys } = this.#named.get(item) ?? noIds;
    const unknown = { ...item, id: otherId(item.id, this.#session.openIdContext().serial(0)) };
    this.#named.set(unknown, { keys, instead: unknown });
    const isShown = (['read', 'list'] as const).some((role) => this.operation(item.resource, role));
    if (isShown && (await this.show(unknown)) !== undefined) {
      throw new Unanswered('an id that was never given out is known');
    }
    return unknown;
  }

  /** Does nothing: the run deletes every item that it created. */
  note(): void {}

  async #transmit(
    to: Operation,
    { keys = this.#session.openIdContext(), instead }: Named,
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
    const judged = await this.#session.send({ ...request, target: withQuery(request.target, query) }, keys);
    this.#trace.push(judged);
    return judged;
  }

  #below(resource: Resource, item: ProbeItem): string {
    const depth = item.resource.collection.split('/').length + 1;
    const own = resource.collection.split('/').slice(depth);
    const name = [item.collection, encodeSegment(idText(item.id)), ...own].join('/');
    this.#collections.set(name, this.#named.get(item) ?? noIds);
    return name;
  }

  async #makeParent(resource: Resource): Promise<ProbeItem> {
    const parent = findParent(this.#operations, resource);
    if (parent === undefined) throw new Unanswered(`nothing lies above ${resource.collection}`);
    return this.make(parent);
  }
}

const noIds: Named = { keys: undefined };

function itemAt(value: JsonValue, path: readonly string[]): JsonObject {
  const item = memberAt(value, path);
  return isJsonObject(item) ? item : {};
}
