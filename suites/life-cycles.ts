import fc, { type Arbitrary } from 'fast-check';
import { judgeValue } from '../src/arbitrary/from-schema.ts';
import { editedTokens, type PlainBody, plainContent } from '../src/arbitrary/plain-body.ts';
import type { Body, Cases, RequestCase } from '../src/arbitrary/request-case.ts';
import { joinParts } from '../src/arbitrary/request-case.ts';
import { buildRequest, plainRequest, serializeParameter } from '../src/arbitrary/request.ts';
import { pageAfter } from '../src/check/life-cycle/walks.ts';
import { lifeCycleChecks } from '../src/check/life-cycle/life-cycle-checks.ts';
import type { CheckedExchange } from '../src/check/reading/subject.ts';
import type { Contract, Operation, OperationKind, Resource } from '../src/contract/contract.ts';
import { findListMember, type ListMember } from '../src/contract/list-parameters.ts';
import { changeQuery } from '../src/contract/list-pages.ts';
import type { Parameter } from '../src/contract/read-parameters.ts';
import { appendPointer } from '../src/json/pointer.ts';
import { isJsonObject, type JsonValue } from '../src/json/value.ts';
import { findIfMatch } from '../src/policy/probing.ts';
import type { KeyBinding, Property, Session, Suite } from '../src/runner/suite.ts';
import { toPlan } from './property.ts';

/** One request of a life cycle. */
interface LifeStep {
  readonly request: RequestCase;
  /** Steps of one number are of one item: what a create makes is what the others name. */
  readonly item: number;
  /** The number of the item that its collection lies below, where that matters. */
  readonly under?: number;
  /** Whether a list is asked for page after page, to its end. */
  readonly walks?: true;
}

/** What happens to some items of a resource, one request after the other; any of them can be left out. */
type LifeCycle = readonly LifeStep[];

/** More pages than a list of a new service has; on one that holds much, nothing is said of what a list lacks. */
const mostPages = 30;

/** Sends the steps one after the other, each on the items that the ones before it made. */
async function sendSteps(steps: LifeCycle, session: Session): Promise<readonly CheckedExchange[]> {
  const bindings = new Map<number, KeyBinding>();
  const trace: CheckedExchange[] = [];
  const keysOf = ({ item, under }: Pick<LifeStep, 'item' | 'under'>): KeyBinding => {
    const above = under === undefined ? undefined : keysOf({ item: under });
    const known = bindings.get(item) ?? session.bindKeys(...(above === undefined ? [] : [above]));
    bindings.set(item, known);
    // The item of the step may have been made below another one.
    return above === undefined ? known : session.bindKeys(above, known);
  };
  for (const step of steps) {
    const keys = bindings.has(step.item) ? keysOf(step) : first(step);
    const judged = await session.send(step.request, keys);
    trace.push(judged);
    if (step.walks === true) await walk(judged, { step, keys, session, trace });
  }
  return trace;

  function first(step: LifeStep): KeyBinding {
    const keys = session.bindKeys(...(step.under === undefined ? [] : [keysOf({ item: step.under })]));
    bindings.set(step.item, keys);
    return keys;
  }
}

async function walk(
  start: CheckedExchange,
  on: {
    readonly step: LifeStep;
    readonly keys: KeyBinding;
    readonly session: Session;
    readonly trace: CheckedExchange[];
  },
): Promise<void> {
  const { step, keys, session, trace } = on;
  const { operation } = start;
  if (operation === undefined) return;
  // Credentials are put in anew.
  const secrets = operation.security
    .flat()
    .flatMap((scheme) => (scheme.kind === 'api-key' && scheme.in === 'query' ? [scheme.parameter] : []));
  const pages = [start];
  while (pages.length < mostPages) {
    const next = pageAfter(operation, pages);
    if (next.kind !== 'next') return;
    const target = changeQuery(next.target, new Map(secrets.map((name) => [name, undefined])));
    const judged = await session.send({ ...step.request, target }, keys);
    pages.push(judged);
    trace.push(judged);
  }
}

/** Leaves out long stretches first, then makes the bodies as small as can be. */
function* simplifySteps(steps: LifeCycle, contract: Contract): Generator<LifeCycle> {
  for (let size = Math.floor(steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let end = steps.length; end - size >= 0; end -= size) {
      yield [...steps.slice(0, end - size), ...steps.slice(end)];
    }
  }
  const smallest = steps.map((step): LifeStep => {
    const operation = contract.operations.find(({ id }) => id === step.request.operationId);
    const isWhole = operation?.kind.kind === 'create' || operation?.kind.kind === 'replace';
    if (operation === undefined || step.request.body === undefined || !isWhole) return step;
    return { ...step, request: { ...step.request, body: buildRequest(operation).body } };
  });
  for (const [index, small] of smallest.entries()) {
    if (JSON.stringify(small) !== JSON.stringify(steps[index])) yield steps.with(index, small);
  }
}

/** What a resource can be made to go through. */
interface LivingResource {
  readonly resource: Resource;
  readonly maker: Operation;
  readonly read: Operation | undefined;
  readonly list: Operation | undefined;
  readonly replace: Operation | undefined;
  readonly update: Operation | undefined;
  readonly remove: Operation | undefined;
  /** The resource that its collections lie below, where that can be made. */
  readonly parent: LivingResource | undefined;
}

function findLiving(contract: Contract): readonly LivingResource[] {
  const usable = contract.operations.filter((operation) => plainRequest(operation).problem === undefined);
  const living: LivingResource[] = [];
  const makers = usable.filter(
    ({ kind, items, id }) =>
      kind.kind === 'create' || (kind.kind === 'replace' && kind.creates && items.at(-1)?.maker === id),
  );
  // A parent has the shorter path.
  for (const maker of makers.toSorted((left, right) => depthOf(left) - depthOf(right))) {
    if (maker.kind.kind === 'sample') continue;
    const { resource } = maker.kind;
    if (living.some((each) => each.resource.collection === resource.collection)) continue;
    const of = (role: OperationKind['kind']): Operation | undefined =>
      usable.find(
        ({ kind }) =>
          kind.kind !== 'sample' && kind.kind === role && kind.resource.collection === resource.collection,
      );
    const parent = living.find((each) => each.resource.collection === resource.parent);
    living.push({
      resource,
      maker,
      read: of('read'),
      list: of('list'),
      replace: of('replace'),
      update: of('update'),
      remove: of('delete'),
      parent,
    });
  }
  return living;
}

const depthOf = ({ path }: Operation): number => path.template.split('/').length;

function plainBodyOf(operation: Operation | undefined): PlainBody | undefined {
  const body = operation && plainRequest(operation).body;
  return body?.kind === 'body' ? body.body : undefined;
}

/** Different plain bodies of an operation, the fullest first; the same ones in every run. */
function differentBodies(operation: Operation, count: number): readonly (Body | undefined)[] {
  const body = plainBodyOf(operation);
  if (body === undefined) return Array.from({ length: count }, () => undefined);
  const others = fc.sample(body.arbitrary, { seed: 1, numRuns: count * 4 });
  // Those with most in them show most.
  const fullest = others.toSorted((left, right) => weightOf(right) - weightOf(left));
  return [body.fullest, ...fullest].slice(0, count).map((value) => plainContent(body, value));
}

const weightOf = (value: JsonValue): number => (isJsonObject(value) ? Object.keys(value).length : 0);

/** The bodies of an update that name one property each, and those that remove one that a create may leave out. */
function partialBodies(operation: Operation, maker: Operation): readonly Body[] {
  const body = plainBodyOf(operation);
  const { kind } = operation;
  if (body === undefined || kind.kind !== 'update') return [];
  const at = (name: string) => appendPointer('', ...kind.request, name);
  const own = memberOf(body.fullest, kind.request);
  const names = isJsonObject(own) ? Object.keys(own) : [];
  const single = names.map((name) =>
    editedTokens(
      body,
      body.fullest,
      names.filter((other) => other !== name).map((other) => ({ kind: 'remove' as const, at: at(other) })),
    ),
  );
  const { kind: made } = maker;
  const needed = memberOf(plainBodyOf(maker)?.smallest ?? null, 'request' in made ? made.request : []);
  const removable = names.filter((name) => isJsonObject(needed) && !Object.hasOwn(needed, name));
  const removing = removable.map((name) =>
    editedTokens(body, body.fullest, [
      ...names.filter((other) => other !== name).map((other) => ({ kind: 'remove' as const, at: at(other) })),
      { kind: 'put' as const, at: at(name), value: null },
    ]),
  );
  return [...single, ...removing].flatMap((tokens) => (tokens === undefined ? [] : [joinParts(tokens)]));
}

function memberOf(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (inner, name) => (isJsonObject(inner) ? inner[name] : undefined),
    value,
  );
}

/** The lists that show some of what they hold: with a limit, and with a filter by what an item was given. */
function listRequests(list: Operation, given: JsonValue | undefined): readonly LifeStep[] {
  const limit = findListMember(list, 'limit');
  const small = limit && limitText(limit);
  const step = (parameters: readonly (readonly [Parameter, string])[]): LifeStep => ({
    request: buildRequest(list, { parameters: new Map(parameters) }),
    item: 0,
    walks: true,
  });
  const limited = limit === undefined || small === undefined ? [] : [step([[limit.parameter, small]])];
  const filters = isJsonObject(given)
    ? list.parameters.flatMap((parameter) => {
        const value = parameter.in === 'query' ? given[parameter.name] : undefined;
        if (value === undefined || parameter.schema === undefined) return [];
        return judgeValue(parameter.schema, value) === 'valid'
          ? [step([[parameter, serializeParameter(parameter, value)]])]
          : [];
      })
    : [];
  return [...limited, ...filters];
}

/** A limit that takes several pages, as the schema allows it. */
function limitText({ parameter, name }: ListMember): string | undefined {
  if (name !== parameter.name) return undefined;
  const value = [2, 3, 5, 10].find(
    (count) => parameter.schema === undefined || judgeValue(parameter.schema, count) === 'valid',
  );
  return value === undefined ? undefined : serializeParameter(parameter, value);
}

/** What a client may do next; an item is counted back from the last one that was made. */
type LifeCommand =
  | { readonly kind: 'create'; readonly body: number }
  | { readonly kind: 'list' | 'read' | 'head' | 'delete'; readonly back: number }
  | { readonly kind: 'replace' | 'update'; readonly back: number; readonly body: number }
  | { readonly kind: 'refused'; readonly back: number };

/** So many different bodies a life cycle chooses from. */
const variants = 6;

/** The steps that a resource takes part in. */
function createSteps({ maker, read, list, replace, update, remove }: LivingResource) {
  const made = differentBodies(maker, variants);
  const replaced = replace === undefined ? [] : [...differentBodies(replace, variants - 1), undefined];
  const updated = update === undefined ? [] : partialBodies(update, maker);
  const bodies = (operation: Operation, list_: readonly (Body | undefined)[], which: number): RequestCase => {
    const body = list_[which % Math.max(1, list_.length)];
    return body === undefined ? buildRequest(operation) : buildRequest(operation, { body });
  };
  const on =
    (operation: Operation | undefined, change: (request: RequestCase) => RequestCase = (same) => same) =>
    (item: number): LifeCycle =>
      operation === undefined ? [] : [{ request: change(buildRequest(operation)), item }];
  const match = [replace, update, remove].map((each) => each && findIfMatch(each));
  return {
    create: (item: number, which = item): LifeCycle => [{ request: bodies(maker, made, which), item }],
    read: on(read),
    head: on(read, (request) => ({ ...request, method: 'HEAD' })),
    list: (item: number): LifeCycle =>
      list === undefined ? [] : [{ request: buildRequest(list), item, walks: true }],
    some: (item: number): LifeCycle =>
      list === undefined
        ? []
        : listRequests(list, plainBodyOf(maker)?.fullest).map((step) => ({ ...step, item })),
    replace: (item: number, which: number): LifeCycle =>
      replace === undefined ? [] : [{ request: bodies(replace, replaced, which), item }],
    update: (item: number, which: number): LifeCycle =>
      update === undefined || updated.length === 0 ? [] : [{ request: bodies(update, updated, which), item }],
    updates: updated.length,
    remove: on(remove),
    refused: (item: number): LifeCycle =>
      replace === undefined || plainBodyOf(replace) === undefined
        ? []
        : [{ request: buildRequest(replace, { body: ['null'] }), item }],
    /** Changes under a precondition that no item meets (RFC 9110 §13.1.1). */
    stale: (item: number): LifeCycle =>
      [replace, update, remove].flatMap((operation, index) => {
        const parameter = match[index];
        return operation === undefined || parameter === undefined
          ? []
          : [{ request: buildRequest(operation, { parameters: new Map([[parameter, '"stale"']]) }), item }];
      }),
  };
}

type Steps = ReturnType<typeof createSteps>;

/** Life cycles that go far in one direction each. */
function examplesOf(living: LivingResource): readonly LifeCycle[] {
  const steps = createSteps(living);
  const { create, read, head, list, some, replace, update, remove, refused, stale } = steps;
  const six = [...Array(variants).keys()];
  return [
    [create(0), read(0), head(0), read(0), list(0), create(1), read(1), read(0), list(0)],
    [create(0), read(0), create(1), remove(0), read(0), list(0), read(1), remove(0)],
    [create(0), create(1), read(0), remove(0), create(2), read(2), read(1), read(0), list(0)],
    [create(0), read(0), replace(0, 5), read(0), replace(0, 1), read(0), replace(0, 1), read(0), list(0)],
    [create(0), create(1), replace(0, 2), read(1), read(0), refused(0), read(0), list(0)],
    ...[...Array(steps.updates).keys()].map((which) => [
      create(0, 1),
      create(1, 2),
      read(0),
      update(0, which),
      read(0),
      read(1),
    ]),
    [create(0), read(0), ...stale(0).map((step) => [step]), read(0)],
    [...six.map((item) => create(item)), list(0), some(0), ...six.map((item) => read(item)), list(0)],
    ...belowOthers(living, steps),
  ]
    .map((cycle) => cycle.flat())
    .filter((cycle) => cycle.length > 1);
}

/** Items of one resource below two items of another. */
function belowOthers(
  { parent }: LivingResource,
  { create, read, list, remove }: Steps,
): readonly LifeCycle[][] {
  if (parent === undefined) return [];
  const above = createSteps(parent);
  const [one, two, child] = [10, 11, 0];
  const under = (number: number, cycle: LifeCycle): LifeCycle =>
    cycle.map((step) => ({ ...step, under: number }));
  return [
    [
      above.create(one),
      above.create(two),
      under(one, create(child)),
      under(one, read(child)),
      under(two, read(child)),
      under(two, list(1)),
      under(one, list(child)),
      under(two, create(2)),
      under(two, read(2)),
      under(one, read(child)),
      under(two, remove(child)),
      under(one, read(child)),
      above.read(one),
      above.remove(two),
      above.read(one),
      under(one, read(child)),
    ],
  ];
}

function commandArbitrary({ read, list, replace, update, remove }: LivingResource): Arbitrary<LifeCommand> {
  const back = fc.nat({ max: variants });
  const body = fc.nat({ max: variants - 1 });
  const plain = (kind: 'list' | 'read' | 'head' | 'delete', weight: number) => ({
    weight,
    arbitrary: back.map((to): LifeCommand => ({ kind, back: to })),
  });
  const changing = (kind: 'replace' | 'update', weight: number) => ({
    weight,
    arbitrary: fc.tuple(back, body).map(([to, which]): LifeCommand => ({ kind, back: to, body: which })),
  });
  return fc.oneof(
    { weight: 4, arbitrary: body.map((which): LifeCommand => ({ kind: 'create', body: which })) },
    ...(read === undefined ? [] : [plain('read', 5), plain('head', 1)]),
    ...(list === undefined ? [] : [plain('list', 1)]),
    ...(replace === undefined
      ? []
      : [
          changing('replace', 3),
          { weight: 1, arbitrary: back.map((to): LifeCommand => ({ kind: 'refused', back: to })) },
        ]),
    ...(update === undefined ? [] : [changing('update', 3)]),
    ...(remove === undefined ? [] : [plain('delete', 2)]),
  );
}

/** Turns commands into requests, so that any list of them can be sent, and ends with a look at all that was made. */
function toSteps(living: LivingResource, commands: readonly LifeCommand[]): LifeCycle {
  const steps = createSteps(living);
  let made = 0;
  const at = (back: number): number => (made === 0 ? 0 : made - 1 - (back % made));
  const sent = commands.flatMap((command): LifeCycle => {
    if (command.kind === 'create') {
      made += 1;
      return steps.create(made - 1, command.body);
    }
    const item = at(command.back);
    if (made === 0) return [];
    switch (command.kind) {
      case 'replace':
      case 'update':
        return steps[command.kind](item, command.body);
      case 'delete':
        return steps.remove(item);
      default:
        return steps[command.kind](item);
    }
  });
  const looks = [...Array(made).keys()].flatMap((item) => steps.read(item));
  return [...sent, ...looks, ...steps.list(0)];
}

/** About as many requests as one life cycle has. */
const requestsOfOne = 20;

function cyclesOf(living: LivingResource): Cases<LifeCycle> {
  return {
    examples: examplesOf(living),
    arbitrary: fc
      .array(commandArbitrary(living), { minLength: 6, maxLength: 16, size: 'max' })
      .map((commands) => toSteps(living, commands)),
  };
}

function propertiesOf(living: LivingResource, contract: Contract): readonly Property[] {
  const { maker, read, list } = living;
  if (read === undefined && list === undefined) return [];
  const property: Property<LifeCycle> = {
    id: `${maker.id}.life-cycle`,
    title: 'What is created, changed and deleted is what reads and lists show',
    ...cyclesOf(living),
    countsAs: requestsOfOne,
    mostRequests: requestsOfOne + mostPages,
    simplify: (large) => simplifySteps(large, contract),
    run: sendSteps,
    traceChecks: lifeCycleChecks.map(({ judgeTrace }) => judgeTrace),
  };
  return [property];
}

/** Whole lives of items: made, read, listed, changed and deleted, held against a model of what is kept. */
export const lifeCycles: Suite = {
  id: 'life-cycles',
  title: 'Life cycles',
  plan: ({ contract }) =>
    toPlan(
      findLiving(contract).flatMap((living) => propertiesOf(living, contract)),
      'no operation shows what another creates',
    ),
};
