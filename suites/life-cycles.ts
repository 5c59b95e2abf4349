import fc, { type Arbitrary } from 'fast-check';
import type { Body, Cases, RequestCase } from '../src/arbitrary/request-case.ts';
import { buildRequest, plainRequest } from '../src/arbitrary/request.ts';
import { isAccepted, statusOf } from '../src/check/reading/answer.ts';
import { lifeCycleChecks } from '../src/check/life-cycle/life-cycle-checks.ts';
import type { Contract, Operation, OperationKind, Resource } from '../src/contract/contract.ts';
import type { CheckedExchange } from '../src/check/reading/subject.ts';
import { findIfMatch } from '../src/policy/probing.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import {
  bodiesWithParts,
  capitalBody,
  listRequests,
  partialBodies,
  plainBodyOf,
  serviceValues,
  stateBodies,
  stateNames,
  wholeBodies,
} from './life-cycle-bodies.ts';
import { type LifeCycle, mostPages, sendSteps, simplifySteps } from './life-cycle-steps.ts';
import { toPlan } from './property.ts';

/** What a resource can be made to go through. */
interface LivingResource {
  readonly resource: Resource;
  /** Undefined for a singleton. */
  readonly maker: Operation | undefined;
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
      kind.kind === 'create' ||
      (kind.kind === 'replace' &&
        (kind.resource.kind === 'singleton' || (kind.creates && items.at(-1)?.maker === id))),
  );
  // A parent has the shorter path.
  for (const writer of makers.toSorted((left, right) => depthOf(left) - depthOf(right))) {
    if (writer.kind.kind === 'sample') continue;
    const { resource } = writer.kind;
    const maker = resource.kind === 'singleton' ? undefined : writer;
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

const rootOf = ({ resource, parent }: LivingResource): Resource =>
  parent === undefined ? resource : rootOf(parent);

/** Names what a resource hangs together with: what lies below it, and what its items refer to, which may go with them. */
function groupOf(living: LivingResource, all: readonly LivingResource[]): string {
  const names = new Set([rootOf(living).collection]);
  const collectionsOf = (each: LivingResource): readonly string[] => [
    rootOf(each).collection,
    ...[each.maker, each.replace, each.update].flatMap(
      (operation) => operation?.bodyItems.map(({ item }) => item.resource.collection) ?? [],
    ),
  ];
  for (let size = 0; size < names.size;) {
    size = names.size;
    const near = all.map(collectionsOf).filter((some) => some.some((name) => names.has(name)));
    for (const name of near.flat()) names.add(name);
  }
  return [...names].toSorted().join(' ');
}

const depthOf = ({ path }: Operation): number => path.template.split('/').length;

/** What a client may do next; an item is counted back from the last one that was made. */
type LifeCommand =
  | { readonly kind: 'create'; readonly body: number }
  | { readonly kind: 'list' | 'read' | 'head' | 'delete'; readonly back: number }
  | { readonly kind: 'replace' | 'update'; readonly back: number; readonly body: number }
  | { readonly kind: 'refused'; readonly back: number };

/** So many different bodies a life cycle chooses from. */
const variants = 8;

/** Those of the bodies that have a meaning of their own; see {@link wholeBodies}. */
const [sharing, smallest] = [variants - 2, variants - 1];

/** Every collection below an item begins with the steps that make one. */
const stepsOf = new WeakMap<LivingResource, ReturnType<typeof makeSteps>>();

/** The steps that a resource takes part in. */
function createSteps(living: LivingResource): ReturnType<typeof makeSteps> {
  const steps = stepsOf.get(living) ?? makeSteps(living);
  stepsOf.set(living, steps);
  return steps;
}

function makeSteps({ maker, read, list, replace, update, remove }: LivingResource) {
  const made = maker === undefined ? [] : wholeBodies(maker, variants);
  const replaced = replace === undefined ? [] : wholeBodies(replace, variants);
  const parts = replace === undefined ? [] : bodiesWithParts(replace);
  const updated = update === undefined ? [] : partialBodies(update, maker);
  const withBody = (operation: Operation | undefined, body: Body | undefined, item: number): LifeCycle => {
    if (operation === undefined) return [];
    return [{ request: buildRequest(operation, body === undefined ? {} : { body }), item }];
  };
  const at = (bodies: readonly (Body | undefined)[], which: number): Body | undefined =>
    bodies[which % Math.max(1, bodies.length)];
  const on =
    (operation: Operation | undefined, change: (request: RequestCase) => RequestCase = (same) => same) =>
    (item: number): LifeCycle =>
      operation === undefined ? [] : [{ request: change(buildRequest(operation)), item }];
  const match = [replace, update, remove].map((each) => each && findIfMatch(each));
  const capital = maker && capitalBody(maker);
  const states = [maker, replace].map(stateBodies);
  const named = update === undefined ? [] : stateNames(update).map((name) => `${JSON.stringify(name)}:`);
  const beside = updated.find(
    (body) => !named.some((name) => JSON.stringify(body).includes(JSON.stringify(name).slice(1, -1))),
  );
  const telling = [maker, replace].map((each) => each && serviceValues(each));
  return {
    create: (item: number, which = item): LifeCycle => withBody(maker, at(made, which), item),
    read: on(read),
    head: on(read, (request) => ({ ...request, method: 'HEAD' })),
    follow: (item: number): LifeCycle =>
      maker?.kind.kind === 'create' ? on(read)(item).map((step) => ({ ...step, follows: true })) : [],
    createCapital: (item: number): LifeCycle => (capital === undefined ? [] : withBody(maker, capital, item)),
    /** Makes an item whose id begins with that of the next one, for a service that makes ids. */
    createPrefixed: (item: number): LifeCycle =>
      maker?.kind.kind === 'create' && maker.kind.key.kind === 'server'
        ? withBody(maker, at(made, sharing), item).map((step) => ({ ...step, makesPrefixed: true }))
        : [],
    list: (item: number): LifeCycle =>
      list === undefined ? [] : [{ request: buildRequest(list), item, walks: true }],
    some: (item: number): LifeCycle =>
      list === undefined || maker === undefined
        ? []
        : listRequests(list, maker).map((step) => ({ ...step, item })),
    replace: (item: number, which: number): LifeCycle => withBody(replace, at(replaced, which), item),
    replaceParts: (item: number): LifeCycle =>
      parts.flatMap((body) => [...withBody(replace, body, item), ...on(read)(item)]),
    update: (item: number, which: number): LifeCycle =>
      updated.length === 0 ? [] : withBody(update, at(updated, which), item),
    updates: updated.length,
    remove: on(remove),
    /** Writes with values for what the service alone sets. */
    createTelling: (item: number): LifeCycle =>
      telling[0] === undefined ? [] : withBody(maker, telling[0], item),
    replaceTelling: (item: number): LifeCycle =>
      telling[1] === undefined ? [] : withBody(replace, telling[1], item),
    refused: (item: number): LifeCycle =>
      replace === undefined || plainBodyOf(replace) === undefined ? [] : withBody(replace, ['null'], item),
    /** A write with the first value of each flag and state, or with the second. */
    createIn: (item: number, state: number): LifeCycle =>
      states[0]?.[state] === undefined ? [] : withBody(maker, states[0][state], item),
    replaceIn: (item: number, state: number): LifeCycle =>
      states[1]?.[state] === undefined ? [] : withBody(replace, states[1][state], item),
    /** An update that names no flag and no state. */
    updateBeside: (item: number): LifeCycle => (beside === undefined ? [] : withBody(update, beside, item)),
    /** Changes under the entity tag that the item was first shown with. */
    changeUnderFirstTag: (item: number): LifeCycle =>
      [replace, update, remove].flatMap((operation) =>
        operation === undefined || findIfMatch(operation) === undefined
          ? []
          : [{ request: buildRequest(operation), item, underFirstTag: true as const }, ...on(read)(item)],
      ),
    /** Changes under a precondition that no item meets (RFC 9110 §13.1.1). */
    stale: (item: number): LifeCycle =>
      [replace, update, remove].flatMap((operation, index) => {
        const parameter = match[index];
        if (operation === undefined || parameter === undefined) return [];
        const parameters = new Map([[parameter, '"stale"']]);
        return [{ request: buildRequest(operation, { parameters }), item }, ...on(read)(item)];
      }),
  };
}

type Steps = ReturnType<typeof createSteps>;

/** Life cycles that go far in one direction each. */
function examplesOf(living: LivingResource): readonly LifeCycle[] {
  const steps = createSteps(living);
  const { create, read, head, follow, list, some, replace, update, remove, refused, stale } = steps;
  const several = [...Array(variants).keys()];
  const updates = [...Array(steps.updates).keys()].map((which) => [...update(0, which), ...read(0)]);
  const chunks = [...Array(Math.ceil(updates.length / 8)).keys()].map((index) =>
    updates.slice(index * 8, index * 8 + 8),
  );
  if (living.maker === undefined) {
    const writes = [replace(0, 0), replace(0, smallest), replace(0, smallest), replace(0, 1), ...updates];
    return [[...read(0), ...writes.flatMap((each) => [...each, ...read(0)])]];
  }
  const prefixed = [steps.createPrefixed(variants), read(variants), remove(variants + 1), read(variants)];
  const own = [
    // Early, where a collection has few others.
    [
      ...several.map((item) => create(item)),
      list(0),
      some(0),
      ...several.map((item) => read(item)),
      list(0),
      replace(1, 2),
      read(0),
      ...(remove(0).length === 0 ? [] : prefixed),
    ],
    // Of three numbers of items one leaves two for the last page.
    [0, 1, 2].flatMap((item) => [create(item), read(item), some(0)]),
    [create(0), follow(0), read(0), head(0), read(0), create(1), read(1), read(0), list(0)],
    [create(0), create(1), read(0), read(1), read(0), replace(1, 2), read(0), list(0), remove(1), read(0)],
    [create(0), read(0), create(1), remove(0), read(0), head(0), list(0), read(1), remove(0)],
    [create(0), create(1), read(0), read(1), remove(0), create(2), read(2), read(1), read(0), list(0)],
    [create(0), create(1, 0), read(0), read(1), replace(0, 1), read(1), read(0)],
    [create(0), create(1, 0), read(0), read(1), remove(0), read(1)],
    [create(0), read(0), replace(0, smallest), read(0), replace(0, smallest), read(0)],
    [create(0, smallest), read(0), replace(0, 1), read(0), replace(0, 1), read(0)],
    [create(0), read(0), ...[1, 1, 1, 1].flatMap((which) => [replace(0, which), read(0)]), list(0)],
    [create(0), read(0), replace(0, sharing), read(0), steps.replaceParts(0)],
    [create(0), create(1), replace(0, 2), read(1), read(0), refused(0), read(0), list(0)],
    ...chunks.map((chunk, index) => [
      create(0, 1),
      create(1, 2),
      read(0),
      read(1),
      ...chunk,
      // What the others set has to be there after the first one too.
      ...chunk.slice(0, 2),
      read(1),
      list(index),
    ]),
    stale(0).length === 0 ? [] : [create(0), read(0), stale(0)],
    steps.changeUnderFirstTag(0).length === 0
      ? []
      : [create(0), read(0), replace(0, 1), read(0), steps.changeUnderFirstTag(0)],
    [steps.createCapital(0), read(0), replace(0, 1), read(0), remove(0), read(0)],
    [steps.createTelling(0), read(0), steps.createTelling(1), read(1), steps.replaceTelling(1), read(1)],
    ...[0, 1].flatMap((state) => inState(steps, state)),
  ].map((cycle) => belowOne(living, cycle.flat()));
  return [...own, ...belowTwo(living, steps)].filter((cycle) => cycle.length > 2);
}

/**
 * Items that are written in one state, each looked at for longer than the one before, and what a service may take for a reason
 * to move it: a look, a list, a change of another item, or one of its own that does not name it.
 */
function inState(
  { createIn, replaceIn, read, list, updateBeside }: Steps,
  state: number,
): readonly LifeCycle[] {
  if (createIn(0, state).length === 0 || read(0).length === 0) return [];
  const looks = [1, 1, 4];
  const rounds = (from: number, what: (item: number, round: number) => LifeCycle): LifeCycle =>
    what(from, 0).length === 0
      ? []
      : looks.flatMap((count, round) => {
          const item = from + round;
          const seen = Array.from({ length: count }, () => read(item)).flat();
          return [...createIn(item, state), ...seen, ...what(item, round), ...read(item)];
        });
  const other = 1 - state;
  const isOfOthers = replaceIn(0, other).length > 0;
  return [
    [
      ...[0, 1, 2].flatMap((item) => createIn(item, state)),
      ...[2, 1, 0].flatMap((item) => [...read(item), ...read(item)]),
      ...rounds(3, (item) => updateBeside(item)),
    ],
    [...rounds(0, (item) => list(item)), ...rounds(3, (item) => createIn(item + 3, other))],
    isOfOthers ? [...createIn(9, other), ...rounds(0, () => replaceIn(9, other))] : [],
  ];
}

/** As many clients at once as most services meet without a queue. */
const clients = 4;

/** The numbers of items that others lie below. */
const [one, two] = [100, 101];

/** Steps of a resource below others, all below the same item. */
function belowOne({ parent }: LivingResource, cycle: LifeCycle): LifeCycle {
  if (parent?.maker === undefined || cycle.length === 0) return cycle;
  return [...createSteps(parent).create(one, 0), ...under(one, cycle)];
}

const under = (number: number, cycle: LifeCycle): LifeCycle =>
  cycle.map((step) => ({ ...step, under: number }));

/** Items of one resource below two items of another, and below one that is deleted. */
function belowTwo({ parent }: LivingResource, { create, read, list, remove }: Steps): readonly LifeCycle[] {
  if (parent === undefined) return [];
  const above = createSteps(parent);
  const child = 0;
  const both = [
    above.create(one, 0),
    above.create(two, 1),
    under(one, create(child, 1)),
    under(one, read(child)),
    under(two, read(child)),
    under(two, list(1)),
    under(one, list(child)),
    under(two, create(2)),
    under(two, read(2)),
    under(one, read(child)),
  ];
  return [
    [
      ...both,
      under(two, remove(child)),
      under(one, read(child)),
      above.read(one),
      above.remove(two),
      above.read(one),
      under(one, read(child)),
    ].flat(),
    [
      ...both,
      above.remove(two),
      under(two, list(3)),
      above.read(two),
      under(two, create(4)),
      above.read(two),
      under(one, read(child)),
    ].flat(),
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
  return belowOne(living, [...sent, ...looks, ...steps.list(0)]);
}

/** About as many requests as one life cycle has. */
const requestsOfOne = 20;

function cyclesOf(living: LivingResource): Cases<LifeCycle> {
  return {
    examples: examplesOf(living),
    arbitrary:
      living.maker === undefined
        ? undefined
        : fc
            .array(commandArbitrary(living), { minLength: 6, maxLength: 16, size: 'max' })
            .map((commands) => toSteps(living, commands)),
  };
}

/** After 202 an item may be there or not (RFC 9110 §15.3.3), so that nothing that reads show is wrong. */
function whyNothingIsCertain(trace: readonly CheckedExchange[], { id }: Operation): string | undefined {
  const made = trace.filter(({ operation, answer }) => operation?.id === id && isAccepted(answer));
  if (made.length === 0) return `${id} was not answered with a success`;
  return made.every((judged) => statusOf(judged) === 202)
    ? `${id} answers 202, after which nothing is certain of what reads and lists show`
    : undefined;
}

function propertiesOf(
  living: LivingResource,
  all: readonly LivingResource[],
  contract: Contract,
): readonly Property[] {
  const { maker, read, list, replace } = living;
  const writer = maker ?? replace;
  if (writer === undefined || (read === undefined && list === undefined)) return [];
  const property: Property<LifeCycle> = {
    id: `${writer.id}.life-cycle`,
    title: 'What is created, changed and deleted is what reads and lists show',
    ...cyclesOf(living),
    countsAs: requestsOfOne,
    mostRequests: requestsOfOne + mostPages,
    simplify: (large) => simplifySteps(large, contract),
    run: sendSteps,
    // Of a singleton there is one, which others must not change meanwhile.
    // What other properties create and delete fills lists and shifts their pages; a singleton is everybody's.
    turn: maker === undefined ? 'last' : 'first',
    writesTo: groupOf(living, all),
    readsAnswers: true,
    takesAway: true,
    traceChecks: lifeCycleChecks.map(({ judgeTrace }) => judgeTrace),
    whyUnjudged: (trace) => whyNothingIsCertain(trace, writer),
  };
  return maker === undefined ? [property] : [property, ...sideBySide(living, property)];
}

/** Several clients at once, each with an item of its own: what one does is not to undo what another did meanwhile. */
function sideBySide(living: LivingResource, alone: Property<LifeCycle>): readonly Property[] {
  const { create, read, list, replace, update, remove } = createSteps(living);
  const items = [...Array(clients).keys()];
  const together = (number: number, step: (item: number) => LifeCycle): LifeCycle =>
    items.flatMap((item) => step(item).map((each) => ({ ...each, together: number })));
  const looks = [...items.flatMap((item) => read(item)), ...list(0)];
  const change = living.replace === undefined ? update : replace;
  const cycle = [
    ...together(1, (item) => create(item)),
    ...looks,
    ...together(2, (item) => change(item, item + 1)),
    ...looks,
    ...together(3, (item) => (item % 2 === 0 ? remove(item) : change(item, item + 2))),
    ...looks,
  ];
  const property: Property<LifeCycle> = {
    ...alone,
    id: `${alone.id}-side-by-side`,
    title: 'What several clients create, change and delete at once is what reads and lists show',
    examples: [belowOne(living, cycle)],
    arbitrary: undefined,
    sendsTogether: true,
  };
  return [property];
}

/** Whole lives of items: made, read, listed, changed and deleted, held against a model of what is kept. */
export const lifeCycles: Suite = {
  id: 'life-cycles',
  title: 'Life cycles',
  plan: ({ contract }) =>
    toPlan(
      findLiving(contract).flatMap((living, _, all) => propertiesOf(living, all, contract)),
      'no operation shows what another creates',
    ),
};
