import fc from 'fast-check';
import { pickAlternative } from '../src/arbitrary/credentials.ts';
import { plainValues } from '../src/arbitrary/from-schema.ts';
import { boundEdits, missingPropertyBodies, wrongTypeBodies } from '../src/arbitrary/invalid-bodies.ts';
import { editedTokens, type PlainBody, plainTokens } from '../src/arbitrary/plain-body.ts';
import {
  type Body,
  type Cases,
  firstCase,
  joinParts,
  lateCases,
  type RequestCase,
} from '../src/arbitrary/request-case.ts';
import { buildRequest, plainRequest } from '../src/arbitrary/request.ts';
import { keepFewer } from '../src/arbitrary/shrink-value.ts';
import { canaryBodies } from '../src/arbitrary/unusual-bodies.ts';
import { checkRateLimitKept, checkUniqueProperties } from '../src/check/drift/answer.ts';
import { checkProbed, noteProbed, probedIn } from '../src/check/drift/probed.ts';
import { isCanary } from '../src/check/classify/answer.ts';
import type { Operation } from '../src/contract/contract.ts';
import { clientIdProperty } from '../src/contract/request-facts.ts';
import { keptRole } from '../src/contract/resources.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../src/json/value.ts';
import {
  type BehaviourValues,
  type BehaviourId,
  type Probe,
  type ProbeSession,
  Unanswered,
} from '../src/policy/behaviour.ts';
import { behaviours } from '../src/policy/behaviours/index.ts';
import { documentValueOf } from '../src/policy/document-answers.ts';
import type { Property, Suite, SuiteInput } from '../src/runner/suite.ts';
import { compileSchema } from '../src/schema/compile.ts';
import {
  examplesOnly,
  isSendable,
  requestProperty,
  requestWith,
  sendSequence,
  sendTogether,
  type Sequence,
  sequenceProperty,
  toPlan,
  withCases,
} from './property.ts';
import { uniqueChanges } from './unique-changes.ts';

/** Requests that show only whether a service follows the policy of the run. */
export const policyAnswers: Suite = {
  id: 'policy-answers',
  title: 'Answers of the policy',
  plan: (input) => {
    const targets = enforcedOperations(input);
    const ofBodies = targets.flatMap(({ operation, enforced }) =>
      bodyThemes.flatMap(([question, propertiesOf, isAbout]) => {
        // Before a body is generated, because most operations have nothing to show.
        if (enforced[question] === undefined || isAbout?.({ operation, enforced }) === false) return [];
        const { body, problem } = plainRequest(operation);
        return body.kind === 'body' && problem === undefined
          ? propertiesOf({ operation, body: body.body, enforced })
          : [];
      }),
    );
    const ofResources = targets.flatMap(({ operation, enforced }) =>
      Object.values(behaviours).flatMap(({ id, isOfResources = false }) =>
        isOfResources &&
        enforced[id] !== undefined &&
        (id !== ofOthers || input.hasOtherUser === true) &&
        keptRole(operation)?.resource.kind === 'collection' &&
        documentValueOf({ id, operation, contract: input.contract }).kind !== 'not-asked' &&
        isPossible(operation)
          ? [probeProperty(id, operation, enforced)]
          : [],
      ),
    );
    // One limit applies to all operations of a service.
    const limited = targets.filter(({ enforced }) => enforced['rate-limit'] !== undefined);
    const create =
      limited.find(({ operation }) => operation.kind.kind === 'create' && isPossible(operation)) ??
      limited.find(({ operation }) => isPossible(operation));
    const isUntried = input.hasOtherUser === false && needsOtherUser(targets, input);
    const plan = toPlan(
      [...ofBodies, ...ofResources, ...(create === undefined ? [] : rateLimit(create))],
      isUntried
        ? 'the policy says only what a second user gets'
        : 'no policy says how the service answers what the document does not specify',
    );
    return isUntried ? { ...plan, notChecked: [withoutOtherUser] } : plan;
  },
};

const ofOthers = 'items-of-others';
const withoutOtherUser = {
  what: 'what a second user gets for the items of the first',
  reason: 'no second user is known; users: { other: … } in the configuration gives their credentials',
};

/** Returns whether the policy says what a second user gets, and the document does not. */
function needsOtherUser(targets: readonly EnforcedOperation[], { contract }: SuiteInput): boolean {
  return targets.some(
    ({ operation, enforced }) =>
      enforced[ofOthers] !== undefined &&
      documentValueOf({ id: ofOthers, operation, contract }).kind !== 'not-asked',
  );
}

const isPossible = (operation: Operation): boolean => plainRequest(operation).problem === undefined;

/** An operation, and the values that the run enforces for it. */
interface EnforcedOperation {
  readonly operation: Operation;
  readonly enforced: Partial<BehaviourValues>;
}

/** An operation that accepts plain JSON bodies. */
interface EnforcedBody extends EnforcedOperation {
  readonly body: PlainBody;
}

/** Returns the operations for which a plain request is possible, each with its values in the policy. */
function enforcedOperations({
  contract,
  policy,
  enforced = new Set(),
}: SuiteInput): readonly EnforcedOperation[] {
  return contract.operations.flatMap((operation) => {
    const own = policy.operations?.[operation.id] ?? {};
    // `as`: the keys of a policy are behaviours, except one that is omitted.
    const ids = [...enforced, ...(Object.keys(own) as BehaviourId[])];
    if (ids.length === 0 || !isSendable(operation)) return [];
    const given: Partial<BehaviourValues> = Object.fromEntries(ids.map((id) => [id, own[id] ?? policy[id]]));
    return [{ operation, enforced: given }];
  });
}

/** The maximum number of requests of a probe in a run. */
const mostProbeRequests = 40;

/** Plans a property that runs the probe of a behaviour, as `learn` does, and compares the value that it finds. */
function probeProperty(
  id: BehaviourId,
  operation: Operation,
  enforced: Partial<BehaviourValues>,
): Property<BehaviourId> {
  // `as`: values are JSON.
  const [probe, expected] = [behaviours[id].probe, enforced[id]] as unknown as [Probe<JsonValue>, JsonValue];
  return {
    id: `${operation.id}.${id}`,
    title: `As the policy says: ${behaviours[id].question}`,
    examples: [id],
    arbitrary: undefined,
    mostRequests: Math.min(probe.mostRequests, mostProbeRequests),
    readsAnswers: true,
    async run(_case, session) {
      const { contract } = session;
      const items = session.openProbeItems();
      const once: ProbeSession['once'] = (_name, find) => find();
      // `as`: the probes of resources use no more.
      const probeSession = {
        contract,
        operation,
        items,
        expected,
        once,
      } as Partial<ProbeSession> as ProbeSession;
      const result = await probe.ask(probeSession).catch((error: unknown) => {
        if (error instanceof Unanswered) return { kind: 'unsettled', why: error.message } as const;
        throw error;
      });
      noteProbed(items.trace, { id, operation, result });
      return items.trace;
    },
    traceChecks: [checkProbed],
    whyUnchecked(trace) {
      const { result } = probedIn(trace) ?? {};
      return result === undefined || result.kind === 'answer' ? undefined : result.why;
    },
  };
}

/** The properties of bodies for each behaviour in the policy. */
const bodyThemes: readonly (readonly [
  BehaviourId,
  (target: EnforcedBody) => readonly Property[],
  ((target: EnforcedOperation) => boolean)?,
])[] = [
  ['auth-order', authOrder, ({ operation }): boolean => pickAlternative(operation) !== undefined],
  ['body-limit', bodyLimit],
  // A document whose schema bounds everything specifies that there are none.
  ['constraints', constraints, ({ enforced }): boolean => Object.keys(enforced.constraints ?? {}).length > 0],
  ['duplicate-keys-in-json', duplicateKeys],
  [
    'unique-properties',
    (target): readonly Property[] => [
      ...uniqueProperties(target),
      ...uniqueChanges(target.operation, [...(target.enforced['unique-properties'] ?? [])]),
    ],
    ({ operation }): boolean => operation.kind.kind === 'create',
  ],
];

/** Plans bodies that break their schema, without good credentials. */
function authOrder({ operation, body }: EnforcedBody): readonly Property[] {
  // One of each kind is enough: the order is the same for all.
  const makeCases = (): Cases<RequestCase> =>
    examplesOnly(
      [missingPropertyBodies(body), wrongTypeBodies(body)]
        .map((broken) => firstCase(broken))
        .filter((one) => one !== undefined)
        .flatMap((one) =>
          (['none', 'wrong-token'] as const).map((kind) =>
            buildRequest(operation, { body: one, credentials: { kind } }),
          ),
        ),
    );
  const title = 'Credentials are checked before the body or after it, as the policy says';
  return requestProperty(operation, ['auth-order', title, lateCases(4, makeCases, false)]);
}

/**
 * Plans each body after a plain one, with a new id. A rejection counts only if plain bodies are accepted, equal ones
 * included.
 */
function afterPlain(
  operation: Operation,
  name: string,
  about: { readonly title: string; readonly bodies: readonly Body[] },
): readonly Property[] {
  const examples = about.bodies.map((body): Sequence => [
    [buildRequest(operation)],
    [buildRequest(operation, { body: joinParts(body) })],
  ]);
  return sequenceProperty({ operation, name, title: about.title, cases: examplesOnly(examples) });
}

/** The maximum length of an id that is inserted when the request is sent. */
const longestKey = 40;
/** Larger bodies take too long to send. */
const mostBytes = 16_777_216;

/** Plans plain bodies with white space, slightly smaller and slightly larger than the limit. */
function bodyLimit({ operation, body, enforced }: EnforcedBody): readonly Property[] {
  const limit = enforced['body-limit']?.bytes;
  if (limit === undefined || limit > mostBytes) return [];
  const tokens = plainTokens(body, body.smallest);
  const written = tokens.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
  const sizes = [limit - longestKey, limit + longestKey].filter((size) => size > written);
  return afterPlain(operation, 'body-limit', {
    title: 'A body is read up to the size that the policy says, and no further',
    bodies: sizes.map((size) => [...tokens.slice(0, -1), ' '.repeat(size - written), ...tokens.slice(-1)]),
  });
}

/** The maximum number of bodies, each for one bound of a property. */
const mostCases = 40;

/** Returns the body with the constraints in its schema; undefined if no value satisfies them. */
function boundBody(body: PlainBody, added: BehaviourValues['constraints']): PlainBody | undefined {
  const { schema } = body;
  const root = schema === undefined || !isJsonObject(schema.schema) ? {} : schema.schema;
  const { allOf } = root;
  const parts = Array.isArray(allOf) ? allOf : [];
  const compiled = compileSchema({
    schema: { ...root, allOf: [...parts, { properties: { ...added } }] },
    pointer: schema?.pointer ?? '',
  });
  const bounded = schema?.known === undefined ? compiled : { ...compiled, known: schema.known };
  const values = plainValues(bounded);
  const keep = (value: PlainBody['fullest'], plain: PlainBody['fullest']): PlainBody['fullest'] =>
    isJsonObject(value) && isJsonObject(plain) && body.key !== undefined
      ? { ...value, [body.key.property]: plain[body.key.property] ?? null }
      : value;
  return values === undefined
    ? undefined
    : {
        ...body,
        schema: bounded,
        smallest: keep(values.smallest, body.smallest),
        fullest: keep(values.fullest, body.fullest),
        arbitrary: values.arbitrary.map((value) => keep(value, body.smallest)),
      };
}

/** Plans valid bodies just within the bounds that the policy adds to the schema, and just past them. */
function constraints({ operation, body, enforced }: EnforcedBody): readonly Property[] {
  const added = enforced.constraints ?? {};
  const names = Object.keys(added);
  const bounded = boundBody(body, added);
  if (bounded === undefined) return [];
  const edits = boundEdits(bounded).filter(({ at }) => names.includes(at.slice(1)));
  const bodies = edits.flatMap((edit): Body[] => {
    const tokens = editedTokens(body, { base: bounded.fullest, edits: [edit] });
    return tokens === undefined ? [] : [tokens];
  });
  return afterPlain(operation, 'constraints', {
    title: 'A value within the bounds that the policy adds is accepted, and one past them is refused',
    bodies: [plainTokens(bounded), ...bodies.slice(0, mostCases)],
  });
}

/** Returns the properties of a plain body that are texts, except the id. */
function textsOf(value: JsonObject, { key }: PlainBody): readonly string[] {
  return Object.keys(value).filter((name) => name !== key?.property && typeof value[name] === 'string');
}

/** One shows which of two keys counts. A second one is for services that treat one property differently. */
const mostForDuplicateKeys = 2;

/** Plans bodies with a duplicate key, once with a value of a wrong type, to show which of the two counts. */
function duplicateKeys({ operation, body, enforced }: EnforcedBody): readonly Property[] {
  const { smallest } = body;
  if (enforced['duplicate-keys-in-json'] === undefined || !isJsonObject(smallest)) return [];
  const tokens = plainTokens(body, smallest);
  const names = textsOf(smallest, body).slice(0, mostForDuplicateKeys);
  return afterPlain(operation, 'duplicate-keys', {
    title: 'Of duplicate keys in a JSON object, the one that the policy names counts',
    bodies: names.flatMap((name): Body[] => {
      const member = [JSON.stringify(name), ':', '[]'];
      return [
        ['{', ...member, ',', ...tokens.slice(1)],
        [...tokens.slice(0, -1), ',', ...member, '}'],
      ];
    }),
  });
}

/** The number of requests that must be accepted if the policy has no limit; `learn` finds a lower limit. */
const unlimited = 100;
/** Larger limits take more concurrent requests than a run should send. */
const largestLimit = 400;

/** Plans concurrent plain requests. */
function rateLimit({ operation, enforced }: EnforcedOperation): readonly Property[] {
  const limit = enforced['rate-limit'];
  const perSecond = limit === 'none' ? undefined : limit?.perSecond;
  if (limit === undefined || (perSecond !== undefined && perSecond > largestLimit)) return [];
  const count = perSecond === undefined ? unlimited : 2 * perSecond + 1;
  const property: Property<readonly RequestCase[]> = {
    id: `${operation.id}.rate-limit`,
    title: 'As many requests per second are accepted as the policy says',
    examples: [Array.from({ length: count }, () => buildRequest(operation))],
    arbitrary: undefined,
    countsAs: count,
    // The property looks for 429.
    waits: false,
    sendsTogether: true,
    // A limit is tested alone. Without a limit, the burst comes early: earlier requests of the run may add up with it
    // to a rate that the policy does not promise.
    phase: perSecond === undefined ? 'beside-others' : 'last',
    simplify: keepFewer,
    run: sendTogether,
    traceChecks: [checkRateLimitKept],
  };
  return [property];
}

/** How often a value is repeated. A live store may already contain one of the ids sent with it. */
const repeats = 3;
const mostForUniqueProperties = 5;
/** Bodies without an optional property cannot be the first. */
const spare = 12;
/** The weight of a case. It leaves a run a few cases of each property. */
const countsAs = 30;

/** Plans a create, creates with other ids that repeat one of its values, and one with nothing in common. */
function uniqueProperties({ operation, body }: EnforcedBody): readonly Property[] {
  const { fullest } = body;
  if (!isJsonObject(fullest)) return [];
  let lists: ReturnType<typeof canaryBodies>;
  // An id is unique by its meaning, even if no new ones can be generated.
  const key = clientIdProperty(operation);
  const names = textsOf(fullest, body)
    .filter((name) => name !== key)
    .slice(0, mostForUniqueProperties);
  return names.map((name, index): Property<Sequence> => {
    const toSequence = (made: readonly JsonObject[]): Sequence => {
      const [first = fullest] = made.filter((one) => Object.hasOwn(one, name));
      const others = made.filter((one) => one !== first).slice(0, repeats + 1);
      const again = others.map((other, place) =>
        place < repeats ? { ...other, [name]: first[name] ?? null } : other,
      );
      return [first, ...again].map((value) => [requestWith({ operation, body }, { ...fullest, ...value })]);
    };
    // Late, because finding a place for a text in each property takes many validations.
    const cases = lateCases<Sequence>(1, () => {
      lists ??= canaryBodies(body, repeats + spare);
      const arbitrary = lists?.map(toSequence);
      // A live store may contain it since the last run. The random cases that follow are always new.
      return {
        examples: arbitrary === undefined ? [] : fc.sample(arbitrary, { seed: 1, numRuns: 1 }),
        arbitrary,
      };
    });
    return withCases(cases, {
      // Names of properties may have any letter case.
      id: `${operation.id}.unique-${index + 1}`,
      title: `Of /${name} a value that another resource has is refused or accepted, as the policy says`,
      countsAs,
      mostRequests: repeats + 2,
      run: sendSequence,
      traceChecks: [checkUniqueProperties],
      whyUnchecked([sent]) {
        const value = sent?.request.body.kind === 'valid' ? sent.request.body.value : undefined;
        const text = isJsonObject(value) ? value[name] : undefined;
        return typeof text === 'string' && isCanary(text)
          ? undefined
          : 'its schema takes no text that could be distinguished from others';
      },
    });
  });
}
