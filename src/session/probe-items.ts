import { itemTag } from '../arbitrary/item-tag.ts';
import { plainContent } from '../arbitrary/plain-body.ts';
import type { Body } from '../arbitrary/request-case.ts';
import { buildRequest, knownItem, plainRequest } from '../arbitrary/request.ts';
import type { CheckedExchange } from '../check/classify/subject.ts';
import { toProbeExchange } from '../check/probe-exchange.ts';
import { sentItem } from '../check/drift/resources.ts';
import type { Contract, Operation, Resource } from '../contract/contract.ts';
import { readCreatedId } from '../contract/created-key.ts';
import { idText, listItems } from '../contract/list-pages.ts';
import { findIfMatch } from '../contract/request-facts.ts';
import { findRole } from '../contract/find-role.ts';
import { keptRole } from '../contract/resources.ts';
import { encodeSegment, pathOf } from '../http/path.ts';
import { decodePathText } from '../http/query.ts';
import { isAbsentStatus } from '../http/status.ts';
import { type JsonPointer, memberAt, nestMember, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../json/value.ts';
import { type ProbeItem, type ProbeItems, Unanswered } from '../policy/behaviour.ts';
import type { IdContext, Session } from './session.ts';

/** The ids by which requests name an item, or the parents of a collection. */
interface Named {
  readonly keys: IdContext | undefined;
  /** The missing item that a request names instead. */
  readonly instead?: Pick<ProbeItem, 'resource' | 'id'>;
}

/** Options of the items of a probe. */
export interface ProbeItemsOptions {
  /** Whether there is a second user. @defaultValue true, as a run plans no probe that needs a missing one */
  readonly hasOtherUser?: boolean;
  /** Whether it also uses items that only a PUT creates, and parents that the user named. @defaultValue false */
  readonly isThorough?: boolean;
  /** Returns a body that the service accepts from an operation. @defaultValue the fullest plain body */
  readonly bodyOf?: (maker: Operation) => JsonValue | undefined;
}

interface Sent {
  readonly body?: Body | undefined;
  readonly query?: readonly string[] | undefined;
  /** Whether a declared If-Match names the ETag of the item, also if it is optional. @defaultValue false */
  readonly namesTag?: boolean;
  readonly user?: 'other' | undefined;
}

/** The items of a probe in a session, which records their exchanges. */
export class SessionProbeItems implements ProbeItems {
  readonly hasOtherUser: boolean;
  readonly #session: Pick<Session, 'openIdContext' | 'send'>;
  readonly #operations: readonly Operation[];
  readonly #isThorough: boolean;
  readonly #bodyOf: NonNullable<ProbeItemsOptions['bodyOf']>;
  readonly #trace: CheckedExchange[] = [];
  readonly #noted: ProbeItem[] = [];
  readonly #collections = new Map<string, Named>();
  readonly #named = new WeakMap<object, Named>();

  /**
   * @param session - the session that sends the requests
   * @param contract - the contract of the service
   */
  constructor(
    session: Pick<Session, 'openIdContext' | 'send'>,
    { operations }: Pick<Contract, 'operations'>,
    { hasOtherUser = true, isThorough = false, bodyOf = () => undefined }: ProbeItemsOptions = {},
  ) {
    this.#session = session;
    this.#operations = operations;
    this.hasOtherUser = hasOtherUser;
    this.#isThorough = isThorough;
    this.#bodyOf = bodyOf;
  }

  /** The exchanges so far. */
  get trace(): readonly CheckedExchange[] {
    return this.#trace;
  }

  operation(resource: Resource, role: Parameters<ProbeItems['operation']>[1]): Operation | undefined {
    return findRole(this.#operations, resource, role);
  }

  async collection(resource: Resource): Promise<string> {
    const parent = findParent(this.#operations, resource);
    if (parent === undefined) return resource.collection;
    const known = this.#operations
      .flatMap((each) =>
        each.items
          .filter((item) => item.resource.collection === parent.collection)
          .map((item) => knownItem(each, item)),
      )
      .find((id) => id !== undefined);
    // Requests name a known item by themselves.
    return known === undefined || !this.#isThorough
      ? this.#below(resource, await this.#makeParent(resource))
      : pathBelow(resource, parent.collection, known);
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
    const maker = this.#findMaker(resource);
    const role = maker && keptRole(maker);
    const plain = maker && plainRequest(maker).body;
    if (maker === undefined || role === undefined || !('request' in role) || plain?.kind !== 'body') {
      throw new Unanswered(`no operation creates what it would take in ${resource.collection}`);
    }
    const { body } = plain;
    const whole = this.#bodyOf(maker) ?? body.fullest;
    const value = nestMember(whole, role.request, change(itemAt(whole, role.request)));
    const isPlain = ({ pointer }: { readonly pointer: JsonPointer }): boolean =>
      jsonEqual(resolvePointer(value, pointer) ?? null, resolvePointer(whole, pointer) ?? null);
    // A changed property does not refer to an existing item, and a changed id is not drawn.
    const items = body.items.filter(isPlain);
    const key = body.key && isPlain(body.key) ? body.key : undefined;
    const { keys, ...above } = this.#collections.get(collection) ?? noIds;
    const own: Named = { keys: this.#session.openIdContext(...(keys ? [keys] : [])), ...above };
    const judged = await this.#transmit(maker, own, {
      body: plainContent({ ...body, items, key }, value),
    });
    const exchange = toProbeExchange(judged.exchange);
    const sent = sentItem(judged) ?? {};
    const id = role.kind === 'create' ? readCreatedId(role, exchange) : putId(judged, resource, sent);
    if (!exchange.isAccepted || id === undefined) return { exchange, item: undefined };
    const item: ProbeItem = { resource, collection, id, body: sent };
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
    const judged = await this.#transmit(to, own, { body, query, namesTag: role?.kind !== 'read', user });
    return toProbeExchange(judged.exchange);
  }

  async show(item: ProbeItem): ReturnType<ProbeItems['show']> {
    const reader = this.operation(item.resource, 'read');
    const shower = reader ?? this.operation(item.resource, 'list');
    if (shower === undefined) throw new Unanswered('no operation shows what was created');
    const exchange = await this.send(shower, item);
    if (isAbsentStatus(exchange.status)) return undefined;
    if (!exchange.isAccepted) {
      throw new Unanswered(`${reader ? 'reading an item' : 'a list'} is answered ${exchange.status}`);
    }
    const role = keptRole(shower);
    if (reader !== undefined) {
      return itemAt(exchange.received, role !== undefined && 'response' in role ? role.response : undefined);
    }
    const found = listItems(shower, exchange.received).find(({ id }) => idText(id) === idText(item.id));
    return found && (found.value ?? {});
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

  note(item: ProbeItem): void {
    this.#noted.push(item);
  }

  /** Deletes the items that only the probe knows to exist: a PUT created them that is not declared to create any. */
  async deleteNoted(): Promise<void> {
    for (const item of this.#noted.splice(0)) {
      const remover = this.operation(item.resource, 'delete');
      if (remover !== undefined) await this.send(remover, item);
    }
  }

  async #transmit(
    to: Operation,
    { keys = this.#session.openIdContext(), instead }: Named,
    { body, query = [], namesTag = false, user }: Sent,
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
        ...(match && namesTag ? [[match, itemTag] as const] : []),
      ]),
    });
    const judged = await this.#session.send({ ...request, target: withQuery(request.target, query) }, keys);
    this.#trace.push(judged);
    return judged;
  }

  #below(resource: Resource, item: ProbeItem): string {
    const name = pathBelow(resource, item.collection, encodeSegment(idText(item.id)));
    this.#collections.set(name, this.#named.get(item) ?? noIds);
    return name;
  }

  /** Returns the operation that creates items: a create, or a PUT that creates them. */
  #findMaker(resource: Resource): Operation | undefined {
    const creates = ({ kind }: Operation): boolean =>
      this.#isThorough && kind.kind === 'replace' && kind.creates;
    return (
      this.operation(resource, 'create') ?? findRole(this.#operations.filter(creates), resource, 'replace')
    );
  }

  async #makeParent(resource: Resource): Promise<ProbeItem> {
    const parent = findParent(this.#operations, resource);
    if (parent === undefined) throw new Unanswered(`nothing lies above ${resource.collection}`);
    return this.make(parent);
  }
}

/** Returns the path of a collection below an item, given the path of the item's collection and its encoded id. */
function pathBelow({ collection }: Resource, above: string, id: string): string {
  return [above, id, ...collection.split('/').slice(above.split('/').length + 1)].join('/');
}

/** Returns the id of an item that a PUT created: that of its body, or that in the path. */
function putId({ exchange }: CheckedExchange, { key }: Resource, sent: JsonObject): JsonValue | undefined {
  const own = key.kind === 'none' ? undefined : sent[key.property];
  return own ?? decodePathText(pathOf(exchange.request.target).split('/').at(-1) ?? '');
}

const noIds: Named = { keys: undefined };

function itemAt(value: JsonValue | undefined, path: readonly string[] = []): JsonObject {
  const item = memberAt(value, path);
  return isJsonObject(item) ? item : {};
}

/** Returns the resource whose items a nested collection belongs to. */
function findParent(operations: readonly Operation[], { parent }: Resource): Resource | undefined {
  return operations
    .flatMap((each) => keptRole(each)?.resource ?? [])
    .find((each) => each.collection === parent);
}

/** Returns an id of the same form that is far from those that services issue. */
function otherId(id: JsonValue, serial: number): JsonValue {
  if (typeof id === 'number') return id + 1_000_000 + serial;
  const text = idText(id);
  if (/^\d+$/u.test(text)) return `${text.replace(/^0+(?=.)/u, '')}${serial}`.slice(0, 10);
  const digits = serial.toString(16).padStart(12, '0');
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu.test(text)
    ? `ffffffff-ffff-4fff-8fff-${digits}`
    : `${text}x${serial}`;
}

/** Adds members like `limit=5` to the query of a target. They replace those of the same name. */
export function withQuery(target: string, added: readonly string[]): string {
  const [path = '', query = ''] = target.split('?');
  const nameOf = (member: string): string => member.split('=', 1).join('');
  const names = new Set(added.map(nameOf));
  const members = [...query.split('&').filter((each) => each !== '' && !names.has(nameOf(each))), ...added];
  return members.length === 0 ? path : `${path}?${members.join('&')}`;
}
