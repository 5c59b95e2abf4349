import fc, { type Arbitrary } from 'fast-check';
import { applyEdits } from '../src/arbitrary/apply-edits.ts';
import type { Body } from '../src/arbitrary/body.ts';
import { buildRequest } from '../src/arbitrary/build-request.ts';
import type { Cases } from '../src/arbitrary/cases.ts';
import { joinParts } from '../src/arbitrary/join-parts.ts';
import type { KeySlot } from '../src/arbitrary/key-slot.ts';
import { plainTokens } from '../src/arbitrary/plain-tokens.ts';
import type { RequestCase } from '../src/arbitrary/request-case.ts';
import type { JsonValue } from '../src/json/json-value.ts';
import type { BodyOperation } from './body-operations.ts';
import { refusedRequests } from './refused-requests.ts';
import type { StoreStep, StoreSteps } from './store-step.ts';

/**
 * What a client may do to a store (create: a fresh key; repeat: a key of an earlier command, with a body of its own
 * or the one it came with; insist: an earlier request, several times; refused: a request that is to be turned
 * away, then its key in a valid one; burst: many fresh keys; twins: two keys that only a store which loses digits
 * or bits takes for one).
 */
type StoreCommand =
  | { readonly kind: 'create'; readonly body: JsonValue }
  | { readonly kind: 'repeat'; readonly earlier: number; readonly body: JsonValue | undefined }
  | { readonly kind: 'insist'; readonly earlier: number; readonly times: number }
  | { readonly kind: 'refused'; readonly which: number; readonly body: JsonValue }
  | { readonly kind: 'burst'; readonly times: number }
  | { readonly kind: 'twins'; readonly body: JsonValue; readonly past: 'double' | 'int32' };

/** More than what a cache in front of a store keeps, as long as it is a small one. */
const manyCreates = 110;

const twins = {
  double: { class: 'past-double', twin: 'double-twin' },
  int32: { class: 'plain', twin: 'int32-twin' },
} as const;

/**
 * Turns commands into requests; an earlier one is counted back from the last, so that every list of commands can be
 * sent.
 */
function toSteps(input: {
  readonly target: BodyOperation;
  readonly refused: readonly RequestCase[];
  readonly commands: readonly StoreCommand[];
}): StoreSteps {
  const { target, refused, commands } = input;
  const { operation, body } = target;
  const valid = (value: JsonValue): RequestCase =>
    buildRequest(operation, { body: joinParts(plainTokens(body, value)) });
  const simplest = valid(body.smallest);
  const withKey = (value: JsonValue, slot: KeySlot): RequestCase => {
    const pointer = body.key?.pointer ?? '';
    const edited = applyEdits(body, value, [{ kind: 'put', at: pointer, value: 0, text: [slot] }]);
    const parts: Body = edited?.tokens ?? [];
    return buildRequest(operation, { body: joinParts(parts) });
  };
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
      case 'twins': {
        const slot: KeySlot = { slot: 0, class: twins[command.past].class, variant: 'itself' };
        steps.push({ request: withKey(command.body, slot), key: keys });
        steps.push({
          request: withKey(command.body, { ...slot, variant: twins[command.past].twin }),
          key: keys,
        });
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
    arbitrary: plain.map((value): StoreCommand => ({ kind: 'twins', body: value, past: one })),
  }));
  return fc.oneof(...common, ...twinned);
}

/**
 * Long sequences of requests to a create, made of commands. The examples go far in one direction each: one key
 * again and again, an old key after many others, refused requests in between.
 */
export function storeCommands(target: BodyOperation): Cases<StoreSteps> {
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
