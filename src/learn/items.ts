import { plainKey } from '../arbitrary/request-case.ts';
import {
  buildRequest,
  encodePathTemplate,
  fillItems,
  knownItem,
  plainRequest,
} from '../arbitrary/request.ts';
import type { Contract, Operation, Resource } from '../contract/contract.ts';
import { readCreatedId } from '../contract/created-key.ts';
import { idText } from '../contract/list-pages.ts';
import { withoutNames } from '../contract/operation-reading.ts';
import { findBodyRelations } from '../contract/relations.ts';
import { findIfMatch } from '../contract/request-facts.ts';
import { keptRole } from '../contract/resources.ts';
import type { Exchange } from '../http/message.ts';
import { parseJsonValue } from '../json/parse.ts';
import { appendPointer, memberAt, nestMember } from '../json/pointer.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { findParent, findRole, otherId, readTag, showItem } from '../policy/probe-items.ts';
import { writeBody } from '../policy/probing.ts';
import {
  type ProbeExchange,
  type ProbeItem,
  type ProbeItems,
  type ProbeSession,
  type BehaviourId,
  Unanswered,
} from '../policy/behaviour.ts';
import { holdsKnownValue } from '../schema/known-place.ts';
import { schemaTypes } from '../schema/walk.ts';
import type { SessionCredentials } from '../session/credentials.ts';
import { type KeyAllocator, keyStyle, keyText } from '../session/keys.ts';
import { type SampleForm, sampleForms } from './sample.ts';
import type { KeyTrust, Sender } from './sender.ts';

/** The input of a trial of a probe. */
export interface ProbeSessionInput {
  readonly contract: Contract;
  readonly operation: Operation;
  readonly sender: Sender;
  readonly allocator: KeyAllocator;
  readonly credentials: SessionCredentials;
  /** The credentials of the second user. @defaultValue there is none */
  readonly otherUser?: SessionCredentials | undefined;
  /** Undefined if the operation accepts no JSON object. */
  readonly form: SampleForm | undefined;
  readonly settled: ReadonlyMap<BehaviourId, JsonValue>;
  readonly keyTrust: KeyTrust;
  /** The forms of bodies that the service has accepted. */
  readonly forms: Map<Operation, SampleForm>;
  /** The results of `once` in earlier trials. */
  readonly known: Map<string, unknown>;
  readonly onExchange: (exchange: Exchange) => void;
}

/** Items that the probe can delete again. */
interface OwnItems extends ProbeItems {
  /** Deletes created items that still exist, if DELETE is declared, the last one first. */
  readonly cleanUp: () => Promise<void>;
}

/** The maximum depth of references, which ends cycles. */
const deepest = 4;

/** Creates the item functions for one trial of a probe; `open` creates a session of another operation. */
export function createProbeItems(
  input: ProbeSessionInput,
  open: (input: ProbeSessionInput & { readonly items: ProbeItems }) => ProbeSession,
): OwnItems {
  const { contract, forms } = input;
  const { operations } = contract;
  const made: ProbeItem[] = [];
  const sessions = new Map<Operation, ProbeSession>();

  function sessionOf(operation: Operation, form: SampleForm | undefined): ProbeSession {
    const known = form === undefined ? sessions.get(operation) : undefined;
    const session = known ?? open({ ...input, operation, form: form ?? forms.get(operation), items });
    if (form === undefined) sessions.set(operation, session);
    return session;
  }

  const operation: ProbeItems['operation'] = (resource, role) => findRole(operations, resource, role);
  const parentOf = (resource: Resource): Resource | undefined => findParent(operations, resource);

  /** Returns the operation that creates items: a create, or a PUT that creates them. */
  function makerOf(resource: Resource): Operation {
    const put = operations.find(
      (each) => each.kind.kind === 'replace' && each.kind.creates && isOf(each, resource),
    );
    const maker = operation(resource, 'create') ?? put;
    if (maker === undefined || resource.kind === 'singleton') {
      throw new Unanswered(`no operation creates what it would take in ${resource.collection}`);
    }
    return maker;
  }

  /** Returns the known id of an item above others, decoded. */
  function knownOf({ collection }: Resource): string | undefined {
    const known = operations.flatMap((each) =>
      each.items.flatMap((item) =>
        item.resource.collection === collection ? (knownItem(each, item) ?? []) : [],
      ),
    );
    return known[0] && decodeURIComponent(known[0]);
  }

  async function makeParent(resource: Resource): Promise<ProbeItem> {
    const parent = parentOf(resource);
    if (parent === undefined) throw new Unanswered(`nothing lies above ${resource.collection}`);
    return makeIn(parent, await collection(parent), 0);
  }

  async function collection(resource: Resource, depth = 0): Promise<string> {
    const parent = parentOf(resource);
    const id = parent && knownOf(parent);
    if (parent !== undefined && id !== undefined) {
      const above = parentOf(parent) === undefined ? parent.collection : await collection(parent, depth);
      return fillPath(resource.collection, { resource: parent, collection: above, id });
    }
    if (parent === undefined) {
      const maker = makerOf(resource);
      const [path = ''] = fillItems(buildRequest(maker).target, maker).split('?');
      return path.split('/').slice(0, resource.collection.split('/').length).join('/');
    }
    return fillPath(resource.collection, await makeIn(parent, await collection(parent, depth), depth));
  }

  async function makeIn(resource: Resource, below: string, depth: number): Promise<ProbeItem> {
    const { item, exchange } = await attempt(resource, { below, depth });
    if (item !== undefined) return item;
    throw new Unanswered(
      exchange.isAccepted
        ? `nothing says which id what was created in ${resource.collection} got`
        : `a plain item of ${resource.collection} is answered ${exchange.status}`,
    );
  }

  async function attempt(
    resource: Resource,
    options: { readonly below: string; readonly depth: number; readonly change?: ChangeBody },
  ): ReturnType<ProbeItems['tryMake']> {
    const maker = makerOf(resource);
    const { body: plain } = plainRequest(maker);
    const known = forms.get(maker);
    const all = plain.kind === 'body' ? sampleForms(plain.body) : [];
    const references = await findReferences(maker, options.depth);
    let first: Awaited<ReturnType<ProbeItems['tryMake']>> | undefined;
    for (const form of known === undefined ? all : [known]) {
      const tried = await send(maker, form, { ...options, resource, references });
      first ??= tried;
      if (tried.exchange.isAccepted) {
        forms.set(maker, form);
        return tried;
      }
      // Another body would not change the result.
      if (![400, 409, 422].includes(tried.exchange.status) || options.change !== undefined) break;
    }
    if (first === undefined)
      throw new Unanswered(`no body can be made for ${maker.method} ${maker.path.template}`);
    return first;
  }

  function readBody(maker: Operation, form: SampleForm): JsonValue {
    const key = keyText(input.allocator.next(), plainKey, keyStyle(maker));
    const pieces = writeBody(form(input.allocator.next(), 0));
    return parseJsonValue(pieces.map((piece) => (typeof piece === 'string' ? piece : key)).join('')) ?? {};
  }

  async function send(
    maker: Operation,
    form: SampleForm,
    options: {
      readonly resource: Resource;
      readonly below: string;
      readonly references: JsonObject;
      readonly change?: ChangeBody;
    },
  ): ReturnType<ProbeItems['tryMake']> {
    const { resource, below, references, change = (body) => body } = options;
    const role = keptRole(maker);
    const path = role !== undefined && 'request' in role ? role.request : [];
    const session = sessionOf(maker, form);
    const fresh = readBody(maker, form);
    const own = memberAt(fresh, path);
    const body = change({ ...(isJsonObject(own) ? own : {}), ...references });
    const putId = role?.kind === 'replace' ? freshId(maker, body, input.allocator.next()) : undefined;
    const target = fillPath(maker.path.template, { resource, collection: below, id: putId });
    const exchange = await session.send({
      path: target,
      body: [stringifyJson(nestMember(fresh, path, body))],
    });
    const id = putId ?? readId(maker, exchange);
    if (!exchange.isAccepted || id === undefined) return { exchange, item: undefined };
    const item = { resource, collection: below, id, body };
    made.push(item);
    return { exchange, item };
  }

  /** Returns the ids of items that a body refers to. References that lead back to the same resource stay unchanged. */
  async function findReferences(maker: Operation, depth: number): Promise<JsonObject> {
    const references: Record<string, JsonValue> = {};
    const role = keptRole(maker);
    const body = plainRequest(maker).body;
    const path = role !== undefined && 'request' in role ? role.request : [];
    for (const { property, resource, isList } of findBodyRelations(maker, operations)) {
      const place = appendPointer('', ...path, property, ...(isList ? ['0'] : []));
      if (body.kind === 'body' && holdsKnownValue(body.body.schema, body.body.fullest, place)) continue;
      if (depth >= deepest || isOf(maker, resource) || operation(resource, 'create') === undefined) continue;
      const { id } = await makeIn(resource, await collection(resource, depth + 1), depth + 1);
      references[property] = isList ? [id] : id;
    }
    return references;
  }

  const sendTo: ProbeItems['send'] = async (to, place, { body, query, user } = {}) => {
    const role = keptRole(to);
    const path = role !== undefined && 'request' in role ? role.request : [];
    const text = body && stringifyJson(nestMember({}, path, body));
    const ifMatch = findIfMatch(to) && role?.kind !== 'read' ? await readTag(items, place) : undefined;
    return sessionOf(to, undefined).send({
      ...(ifMatch === undefined ? {} : { ifMatch }),
      path: fillPath(to.path.template, place),
      body: text === undefined ? undefined : [text],
      ...(query === undefined ? {} : { query }),
      ...(user === undefined ? {} : { user }),
    });
  };

  const items: OwnItems = {
    hasOtherUser: input.otherUser !== undefined,
    operation,
    collection: (resource) => collection(resource),
    missingCollection: async (resource) =>
      fillPath(resource.collection, await items.unknown(await makeParent(resource))),
    async makeBelow(resource) {
      const parent = await makeParent(resource);
      return { parent, child: await makeIn(resource, fillPath(resource.collection, parent), 0) };
    },
    make: async (resource, below) => makeIn(resource, below ?? (await collection(resource)), 0),
    tryMake: (resource, options) => attempt(resource, { ...options, depth: 0 }),
    send: sendTo,
    show: (item) => showItem(items, item),
    async unknown(item) {
      const unknown = { ...item, id: otherId(item.id, input.allocator.next()) };
      const isShown =
        operation(item.resource, 'read') !== undefined || operation(item.resource, 'list') !== undefined;
      if (isShown && (await items.show(unknown)) !== undefined)
        throw new Unanswered('an id that was never given out is known');
      return unknown;
    },
    note: (item) => made.push(item),
    async cleanUp() {
      for (const item of made.splice(0).toReversed()) {
        const remover = operation(item.resource, 'delete');
        if (remover !== undefined) await sendTo(remover, item).catch(ignoreUnanswered);
      }
    },
  };
  return items;
}

type ChangeBody = (body: JsonObject) => JsonObject;

function ignoreUnanswered(error: unknown): void {
  if (!(error instanceof Unanswered)) throw error;
}

function isOf(operation: Operation, { collection }: Resource): boolean {
  return keptRole(operation)?.resource.collection === collection;
}

/** Returns the path of a template for an item or its collection: the known segments first, then the id. */
function fillPath(
  template: string,
  {
    resource,
    collection,
    id,
  }: { readonly resource: Resource; readonly collection: string; readonly id?: JsonValue | undefined },
): string {
  const own = resource.collection.split('/');
  const concrete = collection.split('/');
  const segments = template.split('/').map((segment, index) => {
    const isShared = index < own.length && withoutNames(own[index] ?? '') === withoutNames(segment);
    if (isShared) return concrete[index] ?? segment;
    return id === undefined ? segment : segment.replace(/\{[^{}]*\}/u, () => encodeURIComponent(idText(id)));
  });
  return encodePathTemplate(segments.join('/'));
}

/** Returns the id of a created item. */
function readId(maker: Operation, exchange: ProbeExchange): JsonValue | undefined {
  const role = keptRole(maker);
  return role?.kind === 'create' ? readCreatedId(role, exchange) : undefined;
}

/** Returns the id that a client gives an item with PUT: that of its body, or one that matches the path parameter. */
function freshId(maker: Operation, body: JsonObject, serial: number): JsonValue {
  const role = keptRole(maker);
  const { key, parameter } = role?.resource ?? {};
  const own = key !== undefined && key.kind !== 'none' ? body[key.property] : undefined;
  if (own !== undefined) return own;
  const declared = maker.parameters.find(({ name, in: place }) => place === 'path' && name === parameter)
    ?.schema?.schema;
  const isNumber = key !== undefined && key.kind !== 'none' && key.isNumber === true;
  if (isNumber || (declared !== undefined && schemaTypes(declared).has('integer'))) return serial;
  const isUuid = isJsonObject(declared) && declared['format'] === 'uuid';
  return keyText(serial, plainKey, isUuid ? 'uuid' : 'text').slice(1, -1);
}
