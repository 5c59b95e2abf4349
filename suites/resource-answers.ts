import { listReadOnly } from '../src/contract/request-facts.ts';
import { encodeSegment } from '../src/http/path.ts';
import { judgeValue } from '../src/arbitrary/from-schema.ts';
import { plainContent } from '../src/arbitrary/plain-body.ts';
import type { RequestCase } from '../src/arbitrary/request-case.ts';
import { buildRequest, plainRequest } from '../src/arbitrary/request.ts';
import {
  checkResourceAnswers,
  createdId,
  readResourceAnswers,
  type TraceBehaviour,
} from '../src/check/drift/resource-traces.ts';
import { sentItem } from '../src/check/drift/resources.ts';
import { isAccepted, statusOf } from '../src/check/classify/answer.ts';
import type { CheckedExchange } from '../src/check/classify/subject.ts';
import type { Contract, Operation, OperationKind, Resource } from '../src/contract/contract.ts';
import { idText } from '../src/contract/list-pages.ts';
import { findLimitMaximum } from '../src/contract/list-parameters.ts';
import { findBodyRelations, findChildren } from '../src/contract/relations.ts';
import { keptRole } from '../src/contract/resources.ts';
import { isAbsentStatus } from '../src/http/status.ts';
import { memberAt, nestMember } from '../src/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../src/json/value.ts';
import { documentValueOf } from '../src/policy/document-answers.ts';
import type { BehaviourId } from '../src/policy/behaviour.ts';
import type { Property } from '../src/runner/suite.ts';
import type { Session, IdContext } from '../src/session/session.ts';
import { examplesOnly, requestProperty } from './property.ts';

/** An operation, and the behaviours that the run enforces for it. */
interface ResourceTarget {
  readonly operation: Operation;
  readonly contract: Contract;
  readonly isConfigured: (question: BehaviourId) => boolean;
}

/** Plans properties that create items and show whether a service follows the policy for resources. */
export function resourceAnswers(target: ResourceTarget): readonly Property[] {
  const { operation, contract } = target;
  const isAsked = (id: BehaviourId): boolean =>
    target.isConfigured(id) && documentValueOf({ id, operation, contract }).kind !== 'not-asked';
  // `as`: the table has exactly these keys.
  const enforced = (Object.keys(scenarios) as TraceBehaviour[]).filter(isAsked);
  return [
    ...(isAsked('unknown-query-parameter') ? unknownQuery(operation) : []),
    ...(isAsked('limit-above-maximum') ? aboveMaximum(operation) : []),
    ...(isAsked('read-only-sent') ? readOnlySent(operation) : []),
    ...enforced.flatMap((question) => lifeOf(question, target)),
  ];
}

function withQuery(operation: Operation, member: string): RequestCase {
  const request = buildRequest(operation);
  return { ...request, target: `${request.target}${request.target.includes('?') ? '&' : '?'}${member}` };
}

function unknownQuery(operation: Operation): readonly Property[] {
  const title = 'A query parameter that is not declared is ignored or refused, as the policy says';
  const request = withQuery(operation, 'clocheUnknown=1');
  return requestProperty(operation, ['unknown-query', title, examplesOnly([request])]);
}

function aboveMaximum(operation: Operation): readonly Property[] {
  const limit = findLimitMaximum(operation);
  if (limit === undefined) return [];
  const title = 'A limit above its maximum is refused or brought down, as the policy says';
  const request = withQuery(operation, `${encodeURIComponent(limit.name)}=${limit.maximum + 1}`);
  return requestProperty(operation, ['above-maximum', title, examplesOnly([request])]);
}

/** Nearly every simple schema accepts one of these values. */
const simpleValues: readonly JsonValue[] = [
  'x',
  7,
  true,
  '2026-01-02T03:04:05Z',
  '2026-01-02',
  '6f1c0d52-7d3b-4c0e-9c0a-0d4f0a2b1c3d',
];

/** Plans a plain create with a read-only property. Other operations would have to name an item. */
function readOnlySent(operation: Operation): readonly Property[] {
  const { body } = plainRequest(operation);
  const role = keptRole(operation);
  if (body.kind !== 'body' || role?.kind !== 'create') return [];
  const { smallest, schema } = body.body;
  const item = itemAt(smallest, role.request);
  const bodies = listReadOnly(operation).flatMap((name) =>
    simpleValues.map((value) => nestMember(smallest, role.request, { ...item, [name]: value })),
  );
  const valid = bodies.find((each) => judgeValue(schema, each) === 'valid');
  if (valid === undefined) return [];
  const title = 'A read-only property is ignored or refused, as the policy says';
  const request = buildRequest(operation, { body: plainContent(body.body, valid) });
  return requestProperty(operation, ['read-only', title, examplesOnly([buildRequest(operation), request])]);
}

/** The maximum number of requests to show a value. */
const mostRequests = 30;

/** Plans a property that creates items, and sends the requests that show a behaviour. */
function lifeOf(question: TraceBehaviour, { operation, contract }: ResourceTarget): readonly Property[] {
  const [title, tell] = scenarios[question];
  const role = keptRole(operation);
  if (role === undefined || role.resource.kind === 'singleton') return [];
  const property: Property<TraceBehaviour> = {
    id: `${operation.id}.${question}`,
    title,
    examples: [question],
    arbitrary: undefined,
    mostRequests,
    readsAnswers: true,
    async run(_case, session) {
      const life = openLife(session, contract);
      await tell(life, operation, role);
      return life.trace;
    },
    traceChecks: [checkResourceAnswers],
    whyUnchecked: (trace) =>
      readResourceAnswers(trace, contract).some((seen) => seen.question === question)
        ? undefined
        : 'the service took or showed no items that it could be seen by',
  };
  return [property];
}

/** A created item. */
interface Made {
  readonly keys: IdContext;
  readonly parent: Made | undefined;
  readonly id: JsonValue;
  /** The item as it was sent. */
  readonly item: JsonObject;
}

type Role = Exclude<OperationKind, { readonly kind: 'sample' }>;
type Life = ReturnType<typeof openLife>;

/** A stateful scenario. It ends if no item can be created. */
type Scenario = readonly [
  title: string,
  tell: (life: Life, operation: Operation, role: Role) => Promise<unknown>,
];

const scenarios: Readonly<Record<TraceBehaviour, Scenario>> = {
  'unknown-key-replaced': [
    'An item that does not exist is found missing or created by PUT, as the policy says',
    async (life, operation, { resource }) => {
      const made = await life.make(resource);
      if (made === undefined) return;
      const { keys, item } = made;
      await life.send(operation, { keys, item });
      const id = await life.unknown(resource, made);
      if (id === undefined) return;
      await life.send(operation, { keys, item: withId(item, resource, id), instead: { resource, id } });
    },
  ],
  'deleted-again': [
    'The second DELETE of an item is answered as the policy says',
    async (life, operation, { resource }) => {
      const made = await life.make(resource);
      if (made === undefined) return;
      await life.send(operation, { keys: made.keys });
      await life.send(operation, { keys: made.keys });
    },
  ],
  'deleted-parent': [
    'Items below one that is deleted go, stay or hinder it, as the policy says',
    async (life, operation, { resource }) => {
      const child = findChildren(operation, life.operations).find((each) => life.find(each, 'create'));
      const childless = child && (await life.make(resource));
      if (childless === undefined || child === undefined) return;
      await life.send(operation, { keys: childless.keys });
      const parent = await life.make(resource);
      const below = parent && (await life.make(child, parent));
      if (parent === undefined || below === undefined) return;
      await life.send(operation, { keys: parent.keys });
      await life.read(child, below);
    },
  ],
  'patch-notation': [
    'An update in application/json changes as much of an item as the policy says',
    async (life, operation, role) => {
      const made = await life.make(role.resource);
      if (made === undefined || role.kind !== 'update') return;
      await life.read(role.resource, made);
      const patch = patchOf(life, role, { operation, item: made.item });
      if (patch === undefined) return;
      await life.send(operation, { keys: made.keys, item: patch });
      await life.read(role.resource, made);
    },
  ],
  'list-order': [
    'A list is in the order that the policy says',
    (life, operation, { resource }) => listSeveral(life, operation, resource),
  ],
  'list-default-limit': [
    'A list without a limit shows as many items as the policy says',
    async (life, operation, { resource }) => {
      const made = await listSeveral(life, operation, resource);
      const [first] = made;
      const another = first && (await life.make(resource, first.parent));
      if (first === undefined || another === undefined) return;
      for (const each of [...made, another]) await life.read(resource, each);
      await life.send(operation, { keys: life.keysBeside(first) });
    },
  ],
  'missing-parent': [
    'What lies below an item that does not exist is answered as the policy says',
    async (life, operation, { kind, resource }) => {
      const parent = life.parentOf(resource);
      const made = parent && (await life.make(parent));
      if (parent === undefined || made === undefined) return;
      const control = await life.make(resource, made);
      if (kind === 'list') await life.send(operation, { keys: made.keys });
      const id = await life.unknown(parent, made);
      if (id === undefined) return;
      const item = kind === 'create' ? control?.item : undefined;
      await life.send(operation, {
        keys: life.keysBeside(made),
        item,
        instead: { resource: parent, id },
      });
    },
  ],
  'dangling-reference': [
    'A property that names an item that does not exist is accepted or refused, as the policy says',
    async (life, operation, { kind, resource }) => {
      const relations = findBodyRelations(operation, life.operations);
      const relation = relations.find((each) => !each.isList && life.find(each.resource, 'read'));
      const made = kind === 'create' && relation ? await life.make(resource) : undefined;
      const other = relation && made && (await life.make(relation.resource));
      if (relation === undefined || made === undefined || other === undefined) return;
      await life.make(resource, made.parent);
      const id = await life.unknown(relation.resource, other);
      if (id === undefined) return;
      await life.send(operation, {
        keys: life.keysBeside(made),
        item: { ...made.item, [relation.property]: id },
      });
    },
  ],
};

/** With this number of items, no order appears by chance. */
const several = 6;

async function listSeveral(life: Life, operation: Operation, resource: Resource): Promise<readonly Made[]> {
  const made: Made[] = [];
  while (made.length < several) {
    const next = await life.make(resource, made[0]?.parent);
    if (next === undefined) return [];
    made.push(next);
  }
  const [first] = made;
  if (first !== undefined) await life.send(operation, { keys: life.keysBeside(first) });
  return made;
}

/** Returns an update without an optional property of an item, and with parts of its objects if that is valid. */
function patchOf(
  life: Life,
  role: { readonly resource: Resource; readonly request: readonly string[] },
  of: {
    readonly operation: Operation;
    readonly item: JsonObject;
  },
): JsonObject | undefined {
  const maker = life.find(role.resource, 'create');
  const create = maker && keptRole(maker);
  const { body } = plainRequest(of.operation);
  const made = maker && plainRequest(maker).body;
  if (body.kind !== 'body' || made?.kind !== 'body' || create?.kind !== 'create') return undefined;
  const { item } = of;
  const { fullest, schema } = body.body;
  const names = Object.keys(item).filter((name) => Object.hasOwn(itemAt(fullest, role.request), name));
  const isValid = (patch: JsonObject): boolean =>
    judgeValue(schema, nestMember(fullest, role.request, patch)) === 'valid';
  const canDoWithout = (left: string): boolean =>
    judgeValue(made.body.schema, nestMember(made.body.smallest, create.request, without(item, left))) ===
    'valid';
  const patches = names
    .filter(canDoWithout)
    .map((left) =>
      Object.fromEntries(names.flatMap((name) => (name === left ? [] : [[name, item[name] ?? null]]))),
    );
  const narrowed = patches.filter(isNarrowable).map((patch) => mapValues(patch, firstMember));
  return [...narrowed, ...patches].find(isValid);
}

const isNarrowable = (patch: JsonObject): boolean =>
  Object.values(patch).some((value) => isJsonObject(value) && Object.keys(value).length > 1);

const firstMember = (value: JsonValue): JsonValue =>
  isJsonObject(value) ? Object.fromEntries(Object.entries(value).slice(0, 1)) : value;

const mapValues = (object: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

const without = (object: JsonObject, left: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== left));

/** The content of a request. */
interface Sent {
  /** The ids of the items that it names. */
  readonly keys: IdContext;
  /** The item in its body, unchanged. */
  readonly item?: JsonObject | undefined;
  /** Replaces the item of a resource that the path would otherwise name. */
  readonly instead?: { readonly resource: Resource; readonly id: JsonValue };
}

/** Creates functions that send requests for items which they create. */
function openLife(session: Session, { operations }: Contract) {
  const trace: CheckedExchange[] = [];

  function find(resource: Resource, kind: 'create' | 'read'): Operation | undefined {
    return operations.find((each) => {
      const role = keptRole(each);
      return role?.kind === kind && role.resource.collection === resource.collection;
    });
  }

  const parentOf = (resource: Resource): Resource | undefined =>
    operations
      .flatMap((each) => keptRole(each)?.resource ?? [])
      .find((each) => each.collection === resource.parent);

  async function keep(request: RequestCase, keys: IdContext): Promise<CheckedExchange> {
    const judged = await session.send(request, keys);
    trace.push(judged);
    return judged;
  }

  function send(operation: Operation, { keys, item, instead }: Sent): Promise<CheckedExchange> {
    const { body } = plainRequest(operation);
    const role = keptRole(operation);
    const names = role !== undefined && 'request' in role ? role.request : [];
    const content =
      item === undefined || body.kind !== 'body'
        ? {}
        : { body: plainContent({ ...body.body, items: [] }, nestMember(body.body.smallest, names, item)) };
    const named = operation.items.find(
      ({ resource }) => resource.collection === instead?.resource.collection,
    );
    const parameter = operation.parameters.find(
      ({ name, in: place }) => place === 'path' && name === named?.parameter,
    );
    const parameters =
      parameter === undefined || instead === undefined
        ? {}
        : { parameters: new Map([[parameter, encodeSegment(idText(instead.id))]]) };
    return keep(buildRequest(operation, { ...content, ...parameters }), keys);
  }

  async function make(resource: Resource, below?: Made): Promise<Made | undefined> {
    const maker = find(resource, 'create');
    const { body } = maker === undefined ? {} : plainRequest(maker);
    if (maker === undefined || body?.kind !== 'body') return undefined;
    const above = below === undefined ? parentOf(resource) : undefined;
    const parent = below ?? (above && (await make(above)));
    if (above !== undefined && parent === undefined) return undefined;
    const keys = session.openIdContext(...(parent === undefined ? [] : [parent.keys]));
    const judged = await keep(
      buildRequest(maker, { body: plainContent(body.body, body.body.fullest) }),
      keys,
    );
    const id = isAccepted(judged.answer) ? createdId(judged, maker) : undefined;
    return id === undefined ? undefined : { keys, parent, id, item: sentItem(judged) ?? {} };
  }

  return {
    trace,
    operations,
    find,
    parentOf,
    send,
    make,
    /** Returns ids that name the parents of an item, but not the item. */
    keysBeside: ({ parent }: Made): IdContext =>
      session.openIdContext(...(parent === undefined ? [] : [parent.keys])),
    async read(resource: Resource, { keys }: Made): Promise<void> {
      const reader = find(resource, 'read');
      if (reader !== undefined) await send(reader, { keys });
    },
    /** Returns another id of the same form; undefined if a read does not show that no item has it. */
    async unknown(resource: Resource, { keys, id }: Made): Promise<JsonValue | undefined> {
      const reader = find(resource, 'read');
      const other = otherId(id);
      const judged = reader && (await send(reader, { keys, instead: { resource, id: other } }));
      return judged !== undefined && isAbsentStatus(statusOf(judged)) ? other : undefined;
    },
  };
}

/** Returns an item with the given id, if clients send ids. */
function withId(item: JsonObject, { key }: Resource, id: JsonValue): JsonObject {
  return key.kind !== 'none' && Object.hasOwn(item, key.property) ? { ...item, [key.property]: id } : item;
}

function otherId(id: JsonValue): JsonValue {
  if (typeof id === 'number') return id + 1_000_003;
  const text = idText(id);
  const other = text.replaceAll(/\d/gu, (digit) => String((Number(digit) + 5) % 10));
  return other === text ? `${text}x` : other;
}

function itemAt(value: JsonValue, path: readonly string[]): JsonObject {
  const item = memberAt(value, path);
  return isJsonObject(item) ? item : {};
}
