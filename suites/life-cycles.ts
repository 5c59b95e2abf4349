import fc, { type Arbitrary } from 'fast-check';
import { type Cases, lateCases, noCases } from '../src/arbitrary/request-case.ts';
import { bodyMedia } from '../src/arbitrary/plain-body.ts';
import { isAccepted, statusOf } from '../src/check/classify/answer.ts';
import { statefulChecks } from '../src/check/stateful/stateful-checks.ts';
import type { Contract, Operation } from '../src/contract/contract.ts';
import type { CheckedExchange } from '../src/check/classify/subject.ts';
import { findIfMatch } from '../src/contract/request-facts.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import { schemaProperties } from '../src/schema/properties.ts';
import { type LifeCycle, mostPages, sendSteps, simplifySteps } from './life-cycle-steps.ts';
import { createSteps, least, sharing, smallest, type Steps, variants } from './resource-steps.ts';
import { findLiving, groupsOf, type LivingResource, usableOf } from './living-resources.ts';
import { examplesOnly, toPlan, withCases } from './property.ts';

/** A possible action of a client. `back` counts items from the last one that was created. */
type LifeCommand =
  | { readonly kind: 'create'; readonly body: number }
  | { readonly kind: 'list' | 'read' | 'head' | 'delete'; readonly back: number }
  | { readonly kind: 'replace' | 'update'; readonly back: number; readonly body: number }
  | { readonly kind: 'refused'; readonly back: number };

/** Returns scenarios that each test one kind of change in depth. */
function examplesOf(living: LivingResource): readonly LifeCycle[] {
  const steps = createSteps(living);
  const { create, read, head, follow, list, pages, some, replace, update, remove, refused, stale } = steps;
  const several = [...Array(variants).keys()];
  const unusual = [...Array(steps.unusual).keys()].map((index) => index + 1);
  const all = [...Array(steps.updates).keys()];
  // Every second scenario changes the second item.
  const chunks = [...Array(Math.ceil(all.length / updatesOfOne)).keys()].map((index) =>
    all
      .slice(index * updatesOfOne, (index + 1) * updatesOfOne)
      .map((which) => [...update(index % 2, which), ...read(index % 2)]),
  );
  if (living.maker === undefined) return ofSingleton(steps).map((cycle) => belowOne(living, cycle));
  const prefixed = [steps.createPrefixed(variants), read(variants), remove(variants + 1), read(variants)];
  // After a delete, its id and the values that have to be unique are free.
  const again = steps.createAgain(0).length === 0 ? [create(2), read(2)] : [steps.createAgain(0)];
  const own = [
    // Early, when the collection contains few other items.
    [
      ...several.map((item) => create(item)),
      list(0),
      ...several.map((item) => read(item)),
      // No page shows what was deleted.
      remove(sharing),
      some(0),
      // The next item has other texts.
      steps.search(least - 1),
      list(0),
      // Reads before and after a list of ids show what it should have listed.
      ...(listsIds(living) ? several.slice(0, -1).map((item) => read(item)) : []),
      replace(1, 2),
      read(0),
      ...(remove(0).length === 0 ? [] : prefixed),
    ],
    // With one of three successive numbers of items, the last page shows two.
    [0, 1, 2].flatMap((item) => [create(item), read(item), pages(0)]),
    [
      [create(0), follow(0), read(0), head(0), read(0), steps.readInOtherCase(0)],
      [create(1), read(1), read(0), list(0)],
    ].flat(),
    [create(0), create(1), read(0), read(1), read(0), replace(1, 2), read(0), list(0), remove(1), read(0)],
    [
      [create(0), read(0), create(1), remove(0), read(0), head(0)],
      [update(0, 0), replace(0, smallest), read(0), list(0), read(1), remove(0)],
    ].flat(),
    [create(0), create(1), read(0), read(1), remove(0), ...again, read(1), read(0)],
    [create(0), create(1, 0), read(0), read(1), replace(0, 1), read(1), read(0)],
    [create(0), create(1, 0), read(0), read(1), remove(0), read(1)],
    // A fault may concern every second item, and no other scenario creates items below the same parent.
    [
      [create(0, smallest), read(0), replace(0, 1), read(0), replace(0, 1), read(0)],
      // A value that each replace raises is still below its maximum.
      [create(1, least), read(1), replace(1, smallest), read(1), replace(1, smallest), read(1)],
    ].flat(),
    [
      [create(0), read(0), ...[1, 1, 1, 1].flatMap((which) => [replace(0, which), read(0)]), list(0)],
      [create(1), read(1), replace(1, sharing), read(1), steps.replaceParts(1)],
    ].flat(),
    [create(0), create(1), replace(0, 2), read(1), read(0), refused(0), read(0), list(0)],
    ...chunks.map((chunk, index) => [
      create(0, 1 + (index % 2)),
      create(1, 2 - (index % 2)),
      read(0),
      read(1),
      ...chunk,
      // After the first updates, the values that the others set must still exist.
      ...chunk.slice(0, 2),
      read(1 - (index % 2)),
      list(index),
    ]),
    stale(0).length === 0
      ? []
      : [
          [createSpecial(steps, 0, 'nulls'), read(0), stale(0)],
          [createSpecial(steps, 1, 'bounds'), read(1), stale(1)],
        ].flat(),
    steps.refusedChanges(0).length === 0 ? [] : [create(0, 1), read(0), steps.refusedChanges(0), list(0)],
    steps.special(0, 'bounds'),
    steps.special(0, 'nulls'),
    steps.changeUnderTag(0, 'underFirstTag').length === 0
      ? []
      : [
          [create(0), read(0), replace(0, 1), read(0), steps.changeUnderTag(0, 'underFirstTag')],
          [create(1), read(1), steps.changeUnderTag(1, 'underLastTag')],
        ].flat(),
    unusual.length === 0
      ? [steps.putAgain(0).length === 0 ? [] : [create(0), read(0), replace(0, 1), steps.putAgain(0)].flat()]
      : [
          [create(0), steps.createUnusual(0)],
          [0, ...unusual].map((item) => read(item)),
          [replace(1, 2), read(1), read(0), remove(1), read(1), read(0), steps.putAgain(0)],
        ].flat(),
    [create(0, 'server-set'), read(0), create(1, 'server-set'), read(1), replace(1, 'server-set'), read(1)],
    ...inState(steps, ['state 0', 'state 1']),
    ...inState(steps, ['state 1', 'state 0']),
  ].map((cycle) => belowOne(living, cycle.flat()));
  return [...own, ...belowTwo(living, steps)].filter((cycle) => cycle.length > 2);
}

/** Creates an item with special values if it can have some, or else with plain ones. */
const createSpecial = ({ create }: Steps, item: number, choice: 'bounds' | 'nulls'): LifeCycle =>
  create(item, create(item, choice).length === 0 ? 1 : choice);

const listsIds = ({ list }: LivingResource): boolean =>
  list?.kind.kind === 'list' && list.kind.list.kind === 'ids';

/** The rounds of each change of a singleton. */
const rounds = [0, 1, 2];

/**
 * Returns the scenarios of a singleton. Each change is made in three rounds, from one value to another, because another
 * client may write it at any time. The run puts it back after each scenario.
 */
function ofSingleton({ read, replace, update, updates, set }: Steps): readonly LifeCycle[] {
  const inRounds = (changes: (round: number) => readonly LifeCycle[]): LifeCycle => [
    ...read(0),
    ...rounds.flatMap(changes).flatMap((change) => (change.length === 0 ? [] : [...change, ...read(0)])),
  ];
  const all = [...Array(updates).keys()];
  return [
    inRounds((round) => [set(0, round), replace(0, smallest), replace(0, smallest)]),
    ...[...Array(Math.ceil(updates / updatesOfOne)).keys()].map((index) => {
      const some = all.slice(index * updatesOfOne, (index + 1) * updatesOfOne);
      return inRounds(() => [set(0, 1), ...some.map((which) => update(0, which))]);
    }),
  ].filter((cycle) => cycle.length > 1);
}

/** The number of updates in one scenario. */
const updatesOfOne = 8;

/** The first value of each flag and state, or the second. */
type State = 'state 0' | 'state 1';

/**
 * Returns scenarios with items in one state, each read more often than the one before. They include requests after
 * which a service may change it: a read, a list, a change of another item, or an update that does not name the state.
 */
function inState(
  { create, replace, read, list, update }: Steps,
  [own, other]: readonly [State, State],
): readonly LifeCycle[] {
  if (create(0, own).length === 0 || read(0).length === 0) return [];
  const looks = [1, 1, 10];
  const rounds = (from: number, what: (item: number, round: number) => LifeCycle): LifeCycle =>
    what(from, 0).length === 0
      ? []
      : looks.flatMap((count, round) => {
          const item = from + round;
          const seen = Array.from({ length: count }, () => read(item)).flat();
          return [...create(item, own), ...seen, ...what(item, round), ...read(item)];
        });
  const isOfOthers = replace(0, other).length > 0;
  return [
    [
      ...[0, 1, 2].flatMap((item) => create(item, own)),
      ...[2, 1, 0].flatMap((item) => [...read(item), ...read(item)]),
      ...rounds(3, (item) => update(item, 'no state')),
    ],
    [...rounds(0, (item) => list(item)), ...rounds(3, (item) => create(item + 3, other))],
    isOfOthers ? [...create(9, other), ...rounds(0, () => replace(9, other))] : [],
  ];
}

/** The number of concurrent clients that most services serve without a queue. */
const clients = 4;

/** The numbers of parent items. */
const [one, two] = [100, 101];

/** Returns the steps of a child resource, all below the same parent. */
function belowOne({ parent }: LivingResource, cycle: LifeCycle): LifeCycle {
  if (parent?.maker === undefined || cycle.length === 0) return cycle;
  return [...createSteps(parent).create(one, 0), ...under(one, cycle)];
}

const under = (number: number, cycle: LifeCycle): LifeCycle =>
  cycle.map((step) => ({ ...step, under: number }));

/** Returns scenarios with items below two parents, and below a deleted one. */
function belowTwo(
  { parent }: LivingResource,
  { create, read, list, replace, update, remove }: Steps,
): readonly LifeCycle[] {
  if (parent === undefined) return [];
  const above = createSteps(parent);
  const child = 0;
  const [first, second] = [(steps: LifeCycle) => under(one, steps), (steps: LifeCycle) => under(two, steps)];
  return [
    [
      [above.create(one, 0), above.create(two, 1)],
      [first(create(child, 1)), first(read(child)), second(read(child)), second(list(1)), first(list(child))],
      [second(create(2)), second(create(5)), second(read(5)), first(read(child))],
      // Changes below the wrong parent.
      [second(replace(child, 3)), first(read(child)), second(update(child, 0)), first(read(child))],
      [second(remove(child)), first(read(child))],
      [above.read(one), above.remove(two), above.read(one), first(read(child))],
      // Before a service lists nothing of an item, it has deleted what is below it.
      [second(list(3)), second(read(5))],
      // It may have refused to delete an item with others below it.
      [second(remove(2)), second(remove(5)), above.remove(two), above.read(two)],
      [second(create(4)), above.read(two), first(read(child))],
    ].flat(2),
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

/** Converts commands to requests, for any list of commands, and ends with reads of all created items. */
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

/** The approximate number of requests in one scenario. */
const requestsOfOne = 20;

/** Returns the maximum number of example scenarios. With many properties, each property is changed alone. */
function mostExamples({ maker, replace, update, remove, parent }: LivingResource): number {
  const described = update && bodyMedia(update);
  const changes = described?.kind === 'media' ? schemaProperties(described.media.schema?.schema).size : 0;
  const isMatched = [replace, update, remove].some((each) => each && findIfMatch(each) !== undefined);
  const updates = update === undefined ? 0 : Math.ceil((8 + 2 * changes) / updatesOfOne);
  if (maker === undefined) return 1 + updates;
  return 19 + updates + (isMatched ? 2 : 0) + (parent === undefined ? 0 : 1);
}

/** Returns whether created data can be seen again: by a read, a list, or another PUT after a PUT that creates. */
const isSeenAgain = ({ maker, read, list }: LivingResource): boolean =>
  read !== undefined || list !== undefined || maker?.kind.kind === 'replace';

function cyclesOf(planned: LivingResource): Cases<LifeCycle> {
  const living = usableOf(planned);
  const isLost =
    planned.maker === undefined
      ? living.replace === undefined && living.update === undefined
      : living.maker === undefined;
  if (isLost || !isSeenAgain(living)) return noCases;
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

/** After 202 an item may exist or not (RFC 9110 §15.3.3). Therefore no result of a read is wrong. */
function whyNothingIsCertain(trace: readonly CheckedExchange[], { id }: Operation): string | undefined {
  const made = trace.filter(({ operation, answer }) => operation?.id === id && isAccepted(answer));
  if (made.length === 0) return `${id} was not answered with a success`;
  return made.every((judged) => statusOf(judged) === 202)
    ? `${id} answers 202, after which nothing is certain of what reads and lists show`
    : undefined;
}

function propertiesOf(
  living: LivingResource,
  group: string | undefined,
  contract: Contract,
): readonly Property[] {
  const { maker, replace, update } = living;
  const writer = maker ?? replace ?? update;
  if (writer === undefined || !isSeenAgain(living)) return [];
  const shared = {
    countsAs: requestsOfOne,
    mostRequests: requestsOfOne + mostPages,
    simplify: (large: LifeCycle) => simplifySteps(large, contract),
    run: sendSteps,
    // Other properties must not change a singleton meanwhile, because they share it. Their creates and deletes fill
    // lists and shift pages.
    phase: maker === undefined ? ('last' as const) : ('first' as const),
    ...(group === undefined ? {} : { writesTo: group }),
    readsAnswers: true,
    takesAway: true,
    traceChecks: Object.values(statefulChecks).map(({ judgeTrace }) => judgeTrace),
    whyUnchecked: (trace: readonly CheckedExchange[]) => whyNothingIsCertain(trace, writer),
  };
  const id = `${writer.id}.life-cycle`;
  const late = lateCases(mostExamples(living), () => cyclesOf(living), maker !== undefined);
  const alone = withCases<LifeCycle>(late, {
    id,
    title: 'What is created, changed and deleted is what reads and lists show',
    ...shared,
  });
  if (maker === undefined) return [alone];
  const together = withCases<LifeCycle>(
    lateCases(1, () => casesSideBySide(living), false),
    {
      id: `${id}-side-by-side`,
      title: 'What several clients create, change and delete at once is what reads and lists show',
      ...shared,
      sendsTogether: true,
    },
  );
  return [alone, together];
}

/**
 * Returns a scenario of concurrent clients with one item each, and of two that replace the same one. No client may undo
 * the changes of another, or leave a mixture.
 */
function casesSideBySide(planned: LivingResource): Cases<LifeCycle> {
  const living = usableOf(planned);
  const { maker } = living;
  if (maker === undefined || !isSeenAgain(living)) return noCases;
  const { create, read, list, replace, update, remove } = createSteps(living);
  const items = [...Array(clients).keys()];
  const together = (number: number, step: (item: number) => LifeCycle): LifeCycle =>
    items.flatMap((item) => step(item).map((each) => ({ ...each, together: number })));
  const looks = [...items.flatMap((item) => read(item)), ...list(0)];
  const change = living.replace === undefined ? update : replace;
  const cycle = [
    ...together(1, (item) => create(item)),
    ...looks,
    ...together(2, (item) => [...change(item, item + 1), ...(item === 0 ? replace(item, sharing) : [])]),
    ...looks,
    ...together(3, (item) => (item % 2 === 0 ? remove(item) : change(item, item + 2))),
    ...looks,
  ];
  return examplesOnly([belowOne(living, cycle)]);
}

/** Stateful scenarios: items are created, read, listed, changed and deleted, and compared with a model of the state. */
export const lifeCycles: Suite = {
  id: 'life-cycles',
  title: 'Life cycles',
  plan: ({ contract }) => {
    const all = findLiving(contract);
    const groups = groupsOf(all);
    return toPlan(
      all.flatMap((living) => propertiesOf(living, groups.get(living), contract)),
      'no operation shows what another creates',
    );
  },
};
