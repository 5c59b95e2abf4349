import { propertyStyle } from '../arbitrary/key-style.ts';
import { plainContent, variedContent } from '../arbitrary/plain-body.ts';
import { type KeyPlaceholder, namedItems, plainKey, type RequestCase } from '../arbitrary/request-case.ts';
import { buildRequest, knownItem, plainRequest } from '../arbitrary/request.ts';
import { isAccepted, jsonContent, statusOf } from '../check/classify/answer.ts';
import type { CheckedExchange } from '../check/classify/subject.ts';
import { findInvalidParameters } from '../contract/check-parameters.ts';
import type { Contract, Operation, PathItem } from '../contract/contract.ts';
import { withoutNames } from '../contract/operation-reading.ts';
import type { TakenValue } from '../events/events.ts';
import { isAbsentStatus } from '../http/status.ts';
import { memberAt } from '../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import { keyText, serialOf } from './keys.ts';
import { type MadeItem, readLinked, readMade, toValue } from './made-items.ts';
import type { Session, IdContext } from './session.ts';

/** The methods that change nothing (RFC 9110 §9.2.1) and are allowed in every run. */
export const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The reason why a read-only run does not send other methods. */
export const readOnlyReason = 'not sent, as --read-only says';

/** Ends a case that needs an item of the run to change or delete, if none could be created. */
export class NoItem extends Error {
  override readonly name: string = 'NoItem';
}

/** Ends a case that needs a request which might create more items than the run may create. */
export class CreatesSpent extends NoItem {
  override readonly name = 'CreatesSpent';
}

/** The session that creates items. */
type ItemSession = Pick<Session, 'openIdContext' | 'send'>;

/** An item that a request must name. */
interface Wanted {
  readonly item: PathItem;
  readonly session: ItemSession;
  /** The values of its parent items, by their paths without parameter names. */
  readonly above: ReadonlyMap<string, string>;
  /** The items that it is created for, by path without parameter names. */
  readonly within: ReadonlySet<string>;
}

interface Found {
  readonly value: string;
  /** Whether the run created it. */
  readonly isOwn: boolean;
}

const unsafeMethods = new Set(['PUT', 'PATCH', 'DELETE']);

/** The maximum number of failed attempts to create an item of one resource. */
const mostFailures = 2;

/** The rights of a run to create and to change items. */
interface ItemRights {
  /** Whether PUT, PATCH and DELETE may change items that the run did not create. */
  readonly mayChangeOthers: boolean;
  /** Whether items may be created; otherwise they are only searched in lists. */
  readonly mayMake: boolean;
  /** Returns why no more items may be created now; undefined if they may be. */
  readonly whyNoMore: () => string | undefined;
  /** Returns whether the service ever responded. Until then, further tries to create an item only cost time-outs. */
  readonly wasThere: () => boolean;
}

/** The items that the requests of some cases name. */
export class ItemPool {
  readonly #contract: Contract;
  readonly #may: ItemRights;
  readonly #kept = new Map<string, Promise<Found | undefined>>();
  /** The ids of the created items, by the same names. */
  readonly #keptValues = new Map<string, string>();
  readonly #failures = new Map<string, number>();
  /** By the path of the item, without the names of its parameters. */
  readonly #bound = new WeakMap<IdContext, Map<string, string>>();
  /** The items that are being created for each id context. */
  readonly #underWay = new WeakMap<IdContext, ReadonlySet<string>>();
  readonly #madeBy = new WeakMap<IdContext, MadeItem>();
  readonly #byId: ReturnType<typeof operationsById>;

  constructor(contract: Contract, may: ItemRights) {
    this.#contract = contract;
    this.#may = may;
    this.#byId = operationsById(contract);
  }

  /** Returns whether an item is kept for further cases, and must not be deleted after a case. */
  isKept(value: string): boolean {
    return [...this.#keptValues.values()].includes(value);
  }

  /**
   * Returns the percent-encoded values of path parameters that name items: an item that was created earlier with the
   * ids of the request, else a shared item, which is created or found on first use.
   * @throws NoItem if the request changes the item, and the run could create none
   */
  async resolve(
    request: RequestCase,
    operation: Operation | undefined,
    { keys, session }: { readonly keys: IdContext; readonly session: ItemSession },
  ): Promise<ReadonlyMap<string, string>> {
    const values = new Map<string, string>();
    const above = new Map<string, string>();
    const isUnsafe = unsafeMethods.has(request.method) && !this.#may.mayChangeOthers;
    const find = async (item: PathItem): Promise<Found | undefined> => {
      const id = withoutNames(item.path);
      const known = this.#findBound(id, keys);
      if (known !== undefined) return { value: known, isOwn: true };
      // A circular dependency is not resolved.
      return this.#underWay.get(keys)?.has(id) === true
        ? undefined
        : this.#keep({ item, session, above: new Map(above), within: this.#underWay.get(keys) ?? new Set() });
    };
    for (const item of operation?.items ?? []) {
      if (!request.target.includes(`{${item.parameter}}`)) continue;
      const isTarget = item === operation?.items.at(-1);
      const id = withoutNames(item.path);
      // Items that the run creates are below a known one, which it does not change itself.
      const isChanged = isTarget && unsafeMethods.has(request.method);
      const given = operation && !isChanged ? knownItem(operation, item) : undefined;
      if (given !== undefined && this.#findBound(id, keys) === undefined) {
        above.set(id, given);
        continue;
      }
      // A PUT that creates an item sets its id.
      const creates = isTarget && operation !== undefined && item.maker === operation.id;
      // One that is made of another id must not have that one.
      const bound = request.ownKey === undefined ? this.#findBound(id, keys) : undefined;
      const found = creates
        ? { value: bound ?? freshValue(operation, item, { keys, slot: request.ownKey }), isOwn: true }
        : await find(item);
      if (isUnsafe && isTarget && found?.isOwn !== true) throw this.#toNoItem(item);
      // A path parameter might reject an id from a list.
      if (found === undefined || (!found.isOwn && operation && !takesInPath(operation, item, found.value)))
        continue;
      values.set(item.parameter, found.value);
      above.set(id, found.value);
    }
    const named = new Set(namedItems(request));
    for (const { item, isOwn } of operation?.bodyItems() ?? []) {
      const id = withoutNames(item.path);
      // Without an item in the path, a change may affect an item of another client, or all items.
      if (isUnsafe && isOwn && !named.has(id) && operation?.items.length === 0) throw new NoItem(unnamed);
      if (!named.has(id)) continue;
      const found = above.has(id) ? { value: above.get(id) ?? '', isOwn: true } : await find(item);
      if (isUnsafe && isOwn && found?.isOwn !== true) throw this.#toNoItem(item);
      if (found !== undefined) values.set(id, found.value);
    }
    return values;
  }

  /** Records the items that an exchange created or made unusable; returns the created one. */
  note(judged: CheckedExchange, items: ReadonlyMap<string, string>, keys: IdContext): MadeItem | undefined {
    const { operation, exchange } = judged;
    const status = statusOf(judged);
    // After a service accepted an invalid body, the item may show it to all later requests.
    const isSoiled =
      isAccepted(judged.answer) && ['invalid', 'malformed', 'other-media'].includes(judged.request.body.kind);
    const isUsedUp =
      isAbsentStatus(status) ||
      isSoiled ||
      (isAccepted(judged.answer) && operation !== undefined && usesUp(operation));
    if (isUsedUp) {
      // The parents of a deleted item stay.
      const target = operation?.items.at(-1)?.parameter ?? '';
      const own = items.get(target);
      this.#forget(new Set(isAccepted(judged.answer) && own !== undefined ? [own] : items.values()));
    }
    const linked = readLinked(judged, this.#contract);
    const made = readMade(judged, this.#contract) ?? linked[0];
    for (const each of [...linked, ...(made === undefined ? [] : [made])]) {
      this.#bind(keys, withoutNames(each.item.path), each.value);
    }
    if (made !== undefined) this.#madeBy.set(keys, made);
    return exchange.request.method === 'DELETE' ? undefined : made;
  }

  #findBound(id: string, keys: IdContext): string | undefined {
    const own = this.#bound.get(keys)?.get(id);
    if (own !== undefined) return own;
    for (const other of keys.above ?? []) {
      const value = this.#findBound(id, other);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  #bind(keys: IdContext, id: string, value: string): void {
    const own = this.#bound.get(keys) ?? new Map<string, string>();
    this.#bound.set(keys, own.set(id, value));
  }

  #toNoItem(item: PathItem): NoItem {
    const reason = this.#may.whyNoMore();
    return reason === undefined ? new NoItem(whyNoItem(item, this.#byId)) : new CreatesSpent(reason);
  }

  async #make(wanted: Wanted): Promise<Found | undefined> {
    const { item } = wanted;
    const mayMake = this.#may.mayMake && this.#may.whyNoMore() === undefined;
    const maker = item.maker === undefined || !mayMake ? undefined : this.#byId.get(item.maker);
    const made = maker && (await this.#makeWith(maker, wanted));
    if (made !== undefined) return { value: made, isOwn: true };
    const lister = item.lister === undefined ? undefined : this.#byId.get(item.lister);
    const found = lister && (await this.#findIn(lister, wanted));
    return found === undefined ? undefined : { value: found, isOwn: false };
  }

  #openKeys({ item, above, session, within }: Wanted): IdContext {
    const keys = session.openIdContext();
    this.#underWay.set(keys, new Set([...within, withoutNames(item.path)]));
    for (const [id, value] of above) this.#bind(keys, id, value);
    return keys;
  }

  async #makeWith(maker: Operation, wanted: Wanted): Promise<string | undefined> {
    const { item, session } = wanted;
    const { body } = plainRequest(maker);
    const plain = body.kind === 'body' ? body.body : undefined;
    const contents = [
      () => plain && plainContent(plain, plain.smallest),
      // An item with the same texts may exist already.
      (keys: IdContext) => plain && variedContent(plain, keys.serial(0)),
      () => plain && plainContent(plain, plain.fullest),
    ];
    for (const contentOf of plain === undefined ? contents.slice(0, 1) : contents) {
      const keys = this.#openKeys(wanted);
      if (maker.kind.kind === 'replace')
        this.#bind(keys, withoutNames(item.path), freshValue(maker, item, { keys }));
      const content = contentOf(keys);
      await session.send(buildRequest(maker, content === undefined ? {} : { body: content }), keys);
      const made = this.#madeBy.get(keys);
      if (made !== undefined) return this.#findBound(withoutNames(item.path), keys) ?? made.value;
      if (!this.#may.wasThere()) break;
    }
    return undefined;
  }

  async #findIn(lister: Operation, wanted: Wanted): Promise<string | undefined> {
    const judged = await wanted.session.send(buildRequest(lister), this.#openKeys(wanted));
    return isAccepted(judged.answer) ? firstKey(lister, jsonContent(judged.answer)) : undefined;
  }

  #forget(values: ReadonlySet<string>): void {
    for (const [place, value] of this.#keptValues) {
      if (!values.has(value)) continue;
      this.#kept.delete(place);
      this.#keptValues.delete(place);
    }
  }

  #keep(wanted: Wanted): Promise<Found | undefined> {
    const id = withoutNames(wanted.item.path);
    const place = `${id} ${[...wanted.above.values()].join(' ')}`;
    const known = this.#kept.get(place);
    if (known !== undefined) return known;
    if ((this.#failures.get(id) ?? 0) >= mostFailures) return Promise.resolve(undefined);
    const making = this.#make(wanted).then(
      (found) => {
        if (found === undefined) {
          this.#failures.set(id, (this.#failures.get(id) ?? 0) + 1);
          this.#kept.delete(place);
        } else {
          this.#keptValues.set(place, found.value);
        }
        return found;
      },
      (error: unknown) => {
        this.#kept.delete(place);
        throw error;
      },
    );
    this.#kept.set(place, making);
    return making;
  }
}

/** Returns whether a path parameter accepts a value, percent-encoded. */
function takesInPath({ parameters }: Operation, { parameter }: PathItem, value: string): boolean {
  const declared = parameters.filter(({ in: place, name }) => place === 'path' && name === parameter);
  const source = { path: { [parameter]: value }, query: [], header: () => undefined };
  return findInvalidParameters(declared, source, { formats: 'assert', integers: 'by-value' }).length === 0;
}

/** The facts that show which request created the item of another request. */
interface ItemRecord {
  readonly items: ReadonlyMap<string, string>;
  readonly made?: MadeItem | undefined;
}

/** Returns whether a request refers to the item that another one created. */
export function namesItem({ items }: ItemRecord, { item, value }: MadeItem): boolean {
  return [item.parameter, withoutNames(item.path)].some((name) => items.get(name) === value);
}

/** Adds the earlier records that created the items of some records. */
export function withMakers<Record extends ItemRecord>(
  records: readonly Record[],
  some: readonly Record[],
): readonly Record[] {
  const needed = new Set(some);
  for (const record of records.toReversed()) {
    const { made } = record;
    if (made !== undefined && [...needed].some((other) => other !== record && namesItem(other, made))) {
      needed.add(record);
    }
  }
  return records.filter((record) => needed.has(record));
}

/**
 * Returns the values of items for requests that are repeated in order: a placeholder for a value from a response, or,
 * if the client sets the id, the result of `freshKey` for the request that creates the item.
 */
export function renewItems<Record extends ItemRecord & { readonly request: RequestCase }>(
  records: readonly Record[],
  freshKey: (record: Record) => string | undefined,
): { readonly items: readonly ReadonlyMap<string, string>[]; readonly taken: readonly TakenValue[] } {
  const taken: TakenValue[] = [];
  const known: { readonly made: MadeItem; readonly value: string }[] = [];
  const items = records.map((record, index) => {
    const { made } = record;
    const renewed = new Map(
      [...record.items].map(([name, value]) => {
        const maker = known.findLast(({ made: before }) =>
          namesItem({ items: new Map([[name, value]]) }, before),
        );
        return [name, maker?.value ?? value] as const;
      }),
    );
    if (made === undefined) return renewed;
    const fresh = freshKey(record);
    const isNamed = records.slice(index + 1).some((later) => namesItem(later, made));
    if (fresh !== undefined) {
      known.push({ made, value: fresh });
      // A PUT that creates an item contains its id.
      if (renewed.has(made.item.parameter)) renewed.set(made.item.parameter, fresh);
    } else if (isNamed) {
      const number = taken.filter(({ placeholder }) =>
        placeholder.startsWith(`{${made.item.parameter}`),
      ).length;
      const placeholder = `{${made.item.parameter}${number === 0 ? '' : `_${number + 1}`}}`;
      taken.push({ from: index, pointer: made.pointer, placeholder });
      known.push({ made, value: placeholder });
    }
    return renewed;
  });
  return { items, taken };
}

/** Returns the item with its current path, if a client could change its id. */
export function readMoved({ operation, answer }: CheckedExchange, made: MadeItem): MadeItem | undefined {
  const kind = operation?.kind;
  if ((kind?.kind !== 'replace' && kind?.kind !== 'update') || !isAccepted(answer)) return undefined;
  const { key } = kind.resource;
  if (kind.response === undefined || key.kind === 'none') return undefined;
  const value = toValue(memberAt(jsonContent(answer), [...kind.response, key.property]));
  if (value === undefined || value === made.value) return undefined;
  const segments = made.path.split('/');
  const path = segments.with(segments.lastIndexOf(made.value), value).join('/');
  return { ...made, value, path };
}

/** Returns whether the operation changes or deletes an item, and a repetition may be rejected. */
function usesUp({ kind, method }: Operation): boolean {
  return (
    kind.kind === 'delete' || ((kind.kind === 'action' || kind.kind === 'sample') && !safeMethods.has(method))
  );
}

function whyNoItem({ maker, resource }: PathItem, byId: ReadonlyMap<string, Operation>): string {
  const made = maker === undefined ? undefined : byId.get(maker);
  return made === undefined
    ? `no operation creates an item of ${resource.collection}, and others' are not changed; allow it with --unsafe-methods`
    : `${made.method} ${made.path.template} created no item of ${resource.collection}, and others' are not changed`;
}

const unnamed =
  "it names no item of the run's own, and others' are not changed; allow it with --unsafe-methods";

/** Returns an id that a client sets, in the form of responses and of the path parameter. */
export function freshValue(
  maker: Operation,
  item: PathItem,
  { keys, slot = plainKey }: { readonly keys: IdContext; readonly slot?: KeyPlaceholder | undefined },
): string {
  const parameter = maker.parameters.find(
    ({ name, in: place }) => place === 'path' && name === item.parameter,
  );
  const schema = { type: 'object', properties: { key: parameter?.schema?.schema ?? true } };
  const { key } = item.resource;
  const isNumber = key.kind !== 'none' && key.isNumber === true;
  const text = keyText(serialOf(keys, slot), slot, isNumber ? 'number' : propertyStyle(schema, 'key'));
  // A number may have more digits than a double.
  return encodeURIComponent(text.startsWith('"') ? String(JSON.parse(text)) : text);
}

/** Returns the id of the first item in a list. */
function firstKey({ kind }: Operation, content: JsonValue | undefined): string | undefined {
  if (kind.kind !== 'list') return undefined;
  const list = memberAt(content, kind.list.path);
  const { key } = kind.resource;
  if (kind.list.kind === 'map') return toValue(isJsonObject(list) ? Object.keys(list)[0] : undefined);
  const [first] = Array.isArray(list) ? list : [];
  if (kind.list.kind === 'ids') return toValue(first);
  return key.kind === 'none' ? undefined : toValue(memberAt(first, [...kind.list.element, key.property]));
}

const knownOperations = new WeakMap<Contract, ReadonlyMap<string, Operation>>();

/** Returns the operations of a contract by id. Cached, because each property needs them. */
export function operationsById(contract: Contract): ReadonlyMap<string, Operation> {
  const known =
    knownOperations.get(contract) ??
    new Map(contract.operations.map((operation) => [operation.id, operation]));
  knownOperations.set(contract, known);
  return known;
}
