import fc, { type Arbitrary } from 'fast-check';
import type { Cases, RequestCase } from '../src/arbitrary/request-case.ts';
import {
  equalRequestsCheck,
  forgottenKeyCheck,
  refusedLeavesTraceCheck,
} from '../src/check/checks/sequence.ts';
import { isRejected } from '../src/check/classify/request.ts';
import type { CheckedExchange } from '../src/check/classify/subject.ts';
import type { Operation } from '../src/contract/contract.ts';
import type { JsonValue } from '../src/json/value.ts';
import type { Property, Suite } from '../src/runner/suite.ts';
import type { Session, IdContext } from '../src/session/session.ts';
import {
  type BodyOperation,
  planCreates,
  type PlannedBody,
  requestWith,
  requestWithKey,
  simplifyTogether,
  withCases,
} from './property.ts';
import { shorten } from './shorten.ts';
import { refusedRequests } from './traces.ts';

/** One request of a sequence. */
interface StoreStep {
  readonly request: RequestCase;
  /** Steps with the same number share their ids. */
  readonly key: number;
  /** Whether the request is repeated, byte for byte, if it is rejected. */
  readonly insists?: true;
}

/** Successive requests. Any of them can be omitted. */
export type StoreSteps = readonly StoreStep[];

/** Sends the requests in sequence, and repeats those that insist if they are rejected. */
async function sendSteps(steps: StoreSteps, session: Session): Promise<readonly CheckedExchange[]> {
  const bindings = new Map<number, IdContext>();
  const trace: CheckedExchange[] = [];
  for (const { request, key, insists } of steps) {
    const keys = bindings.get(key) ?? session.openIdContext();
    bindings.set(key, keys);
    const judged = await session.send(request, keys);
    trace.push(judged);
    if (insists === true && isRejected(judged)) {
      trace.push(await session.send(request, keys));
    }
  }
  return trace;
}

/** The number of ways to keep some requests unchanged. The result of a sequence seldom depends on bodies. */
const mostKept = 4;

/** Yields smaller sequences: with the simplest bodies, then without one stretch of it, long stretches first. */
function* simplifySteps(steps: StoreSteps, operation: Operation): Generator<StoreSteps> {
  const requests = [...new Set(steps.map(({ request }) => request))];
  for (const changes of simplifyTogether(requests, operation, mostKept)) {
    const simpler = new Map(changes);
    yield steps.map((step) => ({ ...step, request: simpler.get(step.request) ?? step.request }));
  }
  if (steps.length > 1) {
    yield* shorten(steps);
  }
}

/**
 * Actions of a client on a store. `create`: a new id. `repeat`: the id of an earlier command, with a new body or the
 * original one. `insist`: an earlier request, several times. `refused`: a request that must be rejected, then its id in
 * a valid one. `burst`: many new ids. `colliding-ids`: two ids that collide only in a store that loses digits or bits.
 */
type StoreCommand =
  | { readonly kind: 'create'; readonly body: JsonValue }
  | { readonly kind: 'repeat'; readonly earlier: number; readonly body: JsonValue | undefined }
  | { readonly kind: 'insist'; readonly earlier: number; readonly times: number }
  | { readonly kind: 'refused'; readonly which: number; readonly body: JsonValue }
  | { readonly kind: 'burst'; readonly times: number }
  | { readonly kind: 'colliding-ids'; readonly body: JsonValue; readonly past: 'double' | 'int32' };

/** More items than a small cache in front of a store keeps. */
const manyCreates = 110;

const pairs = {
  double: { class: 'past-double', collision: 'double-collision' },
  int32: { class: 'plain', collision: 'int32-collision' },
} as const;

/** Converts commands to requests. Earlier ones are counted from the last. Therefore any list can be sent. */
function toSteps(input: {
  readonly target: BodyOperation;
  readonly refused: readonly RequestCase[];
  readonly commands: readonly StoreCommand[];
}): StoreSteps {
  const { target, refused, commands } = input;
  const valid = (value: JsonValue): RequestCase => requestWith(target, value);
  const simplest = valid(target.body.smallest);
  const steps: StoreStep[] = [];
  let keys = 0;
  const create = (request: RequestCase): void => {
    steps.push({ request, key: keys, insists: true });
    keys += 1;
  };
  const perform = (command: StoreCommand): void => {
    switch (command.kind) {
      case 'create':
        create(valid(command.body));
        return;
      case 'repeat':
      case 'insist': {
        const before = steps.at(-1 - (command.earlier % Math.max(1, steps.length)));
        if (before === undefined) {
          create(simplest);
          return;
        }
        const other =
          command.kind === 'repeat' && command.body !== undefined ? valid(command.body) : undefined;
        const times = command.kind === 'insist' ? command.times : 1;
        steps.push(
          ...Array.from({ length: times }, () => ({ request: other ?? before.request, key: before.key })),
        );
        return;
      }
      case 'refused': {
        const request = refused[command.which % refused.length] ?? simplest;
        steps.push({ request, key: keys }, { request: valid(command.body), key: keys, insists: true });
        keys += 1;
        return;
      }
      case 'burst':
        Array.from({ length: command.times }).forEach(() => create(simplest));
        return;
      case 'colliding-ids': {
        const { class: keyClass, collision } = pairs[command.past];
        for (const variant of ['itself', collision] as const) {
          const request = requestWithKey(target, command.body, { slot: 0, class: keyClass, variant });
          steps.push({ request, key: keys });
        }
        keys += 1;
      }
    }
  };
  commands.forEach(perform);
  return steps;
}

function commandArbitrary({ body }: BodyOperation): Arbitrary<StoreCommand> {
  const { arbitrary: plain, key } = body;
  const earlier = fc.nat({ max: 30 });
  const create = plain.map((value): StoreCommand => ({ kind: 'create', body: value }));
  const common = [
    { weight: 3, arbitrary: create },
    {
      weight: 3,
      arbitrary: fc
        .tuple(earlier, fc.option(plain, { nil: undefined }))
        .map(([back, value]): StoreCommand => ({ kind: 'repeat', earlier: back, body: value })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(earlier, fc.integer({ min: 2, max: 5 }))
        .map(([back, times]): StoreCommand => ({ kind: 'insist', earlier: back, times })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.nat({ max: 100 }), plain)
        .map(([which, value]): StoreCommand => ({ kind: 'refused', which, body: value })),
    },
    {
      weight: 1,
      arbitrary: fc.integer({ min: 2, max: 8 }).map((times): StoreCommand => ({ kind: 'burst', times })),
    },
  ];
  const past = (['double', 'int32'] as const).filter((one) => key?.classes.has(`past-${one}`) === true);
  const twinned = past.map((one) => ({
    weight: 1,
    arbitrary: plain.map((value): StoreCommand => ({ kind: 'colliding-ids', body: value, past: one })),
  }));
  return fc.oneof(...common, ...twinned);
}

/**
 * Returns long sequences of requests to a create, from commands. Each example tests one thing in depth: one id again
 * and again, an old id after many others, rejected requests in between.
 */
function storeCommands(target: BodyOperation): Cases<StoreSteps> {
  const { smallest, fullest } = target.body;
  const refused = refusedRequests(target);
  const examples: readonly (readonly StoreCommand[])[] = [
    [
      { kind: 'create', body: smallest },
      { kind: 'insist', earlier: 0, times: 19 },
      { kind: 'create', body: fullest },
    ],
    [
      { kind: 'create', body: smallest },
      { kind: 'repeat', earlier: 0, body: undefined },
      { kind: 'burst', times: manyCreates },
      { kind: 'repeat', earlier: manyCreates + 1, body: undefined },
    ],
    [0, 6, 12, 24].flatMap((which): StoreCommand[] => [
      { kind: 'refused', which, body: smallest },
      { kind: 'repeat', earlier: 0, body: fullest },
      { kind: 'create', body: smallest },
    ]),
  ];
  return {
    examples: examples.map((commands) => toSteps({ target, refused, commands })),
    arbitrary: fc
      .array(commandArbitrary(target), { minLength: 8, maxLength: 20, size: 'max' })
      .map((commands) => toSteps({ target, refused, commands })),
  };
}

/** The approximate number of requests in one sequence. */
const requestsOfOne = 25;

function propertiesOf({ operation, late }: PlannedBody): readonly Property[] {
  const cases = late(3, (_, target) => storeCommands(target));
  const property = withCases<StoreSteps>(cases, {
    id: `${operation.id}.long-sequence`,
    title: 'Many successive requests are treated as the first ones are',
    countsAs: requestsOfOne,
    // The result depends on the earlier requests to the service. These must be the sequence itself.
    phase: 'last',
    simplify: (large) => simplifySteps(large, operation),
    run: sendSteps,
    traceChecks: [
      equalRequestsCheck.judgeTrace,
      forgottenKeyCheck.judgeTrace,
      refusedLeavesTraceCheck.judgeTrace,
    ],
  });
  return [property];
}

/** Long sequences of creates, repeated ids and rejected requests, compared with the simplest possible store. */
export const sequences: Suite = {
  id: 'sequences',
  title: 'Sequences',
  plan: ({ contract }) => planCreates(contract, propertiesOf, 'no operation creates anything'),
};
