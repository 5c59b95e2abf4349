import fc from 'fast-check';
import { pickAlternative } from '../src/arbitrary/credentials.ts';
import { judgeValue, plainValues } from '../src/arbitrary/from-schema.ts';
import { boundEdits, missingPropertyBodies, wrongTypeBodies } from '../src/arbitrary/invalid-bodies.ts';
import { applyEdits, type PlainBody, plainTokens } from '../src/arbitrary/plain-body.ts';
import { type Body, joinParts, type RequestCase } from '../src/arbitrary/request-case.ts';
import { buildRequest, plainRequest } from '../src/arbitrary/request.ts';
import { keepFewer } from '../src/arbitrary/shrink-value.ts';
import { telltaleBodies } from '../src/arbitrary/unusual-bodies.ts';
import { checkRateLimitKept, checkUniqueProperties } from '../src/check/drift/answer.ts';
import { isTelltale } from '../src/check/reading/answer.ts';
import type { Operation } from '../src/contract/contract.ts';
import { isJsonObject, type JsonObject } from '../src/json/value.ts';
import { policyOf } from '../src/policy/policy.ts';
import type { QuestionId } from '../src/policy/question.ts';
import type { ConstraintsAnswer } from '../src/policy/questions/constraints.ts';
import type { Answers } from '../src/policy/questions/index.ts';
import type { Property, Suite, SuiteInput } from '../src/runner/suite.ts';
import { compileSchema } from '../src/schema/compile.ts';
import {
  afterPlain,
  requestProperty,
  sendSequence,
  sendTogether,
  type Sequence,
  sequenceProperty,
  toPlan,
} from './property.ts';

/** An operation, and the answers that the run was told to hold it to. */
interface ToldOperation {
  readonly operation: Operation;
  /** The plain JSON bodies that it takes, where it takes any. */
  readonly body: PlainBody | undefined;
  readonly told: Partial<Answers>;
}

/** The operations that a plain request can be made for, each with what the run was told of it. */
function toldOperations({ contract, policy, told = new Set() }: SuiteInput): readonly ToldOperation[] {
  return contract.operations.flatMap((operation): ToldOperation[] => {
    const { body, problem } = plainRequest(operation);
    if (problem !== undefined) return [];
    const own = policy.operations?.[operation.id] ?? {};
    // `as`: the keys of a policy are questions, and the one that is none is left out.
    const ids = [...told, ...(Object.keys(own) as QuestionId[])];
    const answers = policyOf(policy, operation.id);
    const given = Object.fromEntries(ids.map((id) => [id, answers[id]]));
    return [{ operation, body: body.kind === 'body' ? body.body : undefined, told: given }];
  });
}

/** Of each kind one is enough: the order is the same for all. */
const credentials = [{ kind: 'none' }, { kind: 'wrong-token' }] as const;

/** Bodies that break their schema, without good credentials. */
function toldAuthOrder({ operation, body, told }: ToldOperation): readonly Property[] {
  if (told['auth-order'] === undefined || body === undefined || pickAlternative(operation) === undefined) {
    return [];
  }
  const broken = [missingPropertyBodies(body), wrongTypeBodies(body)].flatMap(({ examples }) =>
    examples.slice(0, 1),
  );
  const examples = broken.flatMap((one) =>
    credentials.map((shown) => buildRequest(operation, { body: one, credentials: shown })),
  );
  return requestProperty({
    operation,
    name: 'auth-order',
    title: 'Credentials are checked before the body or after it, as the policy says',
    cases: { examples, arbitrary: undefined },
  });
}

/** As long as a key may be that is filled in as the request leaves. */
const longestKey = 40;
/** More would take longer to send than it is worth. */
const mostBytes = 16_777_216;

/** Bodies that are plain but for the white space in them, with nearly as many bytes as are read and with more. */
function toldBodyLimit({ operation, body, told }: ToldOperation): readonly Property[] {
  const limit = told['body-limit']?.bytes;
  if (limit === undefined || limit > mostBytes || body === undefined) return [];
  const tokens = plainTokens(body, body.smallest);
  const written = tokens.reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 0), 0);
  const sizes = [limit - longestKey, limit + longestKey].filter((size) => size > written);
  return sequenceProperty({
    operation,
    name: 'body-limit',
    title: 'A body is read up to the size that the policy says, and no further',
    traceChecks: [],
    cases: afterPlain(operation, {
      examples: sizes.map((size) =>
        buildRequest(operation, {
          body: joinParts([...tokens.slice(0, -1), ' '.repeat(size - written), ...tokens.slice(-1)]),
        }),
      ),
      arbitrary: undefined,
    }),
  });
}

/** So many bodies are about one bound of each of some properties. */
const mostCases = 40;

/** The body whose schema has the constraints in it; undefined where there is none that they take. */
function boundBody(body: PlainBody, constraints: ConstraintsAnswer): PlainBody | undefined {
  const { schema } = body;
  const root = schema === undefined || !isJsonObject(schema.schema) ? {} : schema.schema;
  const { allOf } = root;
  const parts = Array.isArray(allOf) ? allOf : [];
  const bounded = compileSchema({
    schema: { ...root, allOf: [...parts, { properties: { ...constraints } }] },
    pointer: schema?.pointer ?? '',
  });
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

/** Valid bodies just within the bounds that the policy adds to the schema, and just past them. */
function toldConstraints({ operation, body, told }: ToldOperation): readonly Property[] {
  const { constraints = {} } = told;
  const names = Object.keys(constraints);
  const bounded = body === undefined || names.length === 0 ? undefined : boundBody(body, constraints);
  if (body === undefined || bounded === undefined) return [];
  const edits = boundEdits(bounded).filter(({ at }) => names.includes(at.slice(1)));
  const examples = edits.flatMap((edit): RequestCase[] => {
    const edited = applyEdits(bounded, bounded.fullest, [edit]);
    return edited !== undefined && judgeValue(body.schema, edited.value) === 'valid'
      ? [buildRequest(operation, { body: joinParts(edited.tokens) })]
      : [];
  });
  const plain = applyEdits(bounded, bounded.fullest, []);
  return sequenceProperty({
    operation,
    name: 'constraints',
    title: 'A value within the bounds that the policy adds is taken, and one past them is refused',
    traceChecks: [],
    cases: afterPlain(operation, {
      examples: [
        ...(plain === undefined ? [] : [buildRequest(operation, { body: joinParts(plain.tokens) })]),
        ...examples.slice(0, mostCases),
      ],
      arbitrary: undefined,
    }),
  });
}

/** One is enough to show which of two counts; a second one is for services that treat one property by itself. */
const mostForDuplicateKeys = 2;

/** Bodies with a key that stands twice, once with a value of a wrong type, so that it shows which of the two counts. */
function toldDuplicateKeys({ operation, body, told }: ToldOperation): readonly Property[] {
  if (told['duplicate-keys-in-json'] === undefined || body === undefined || !isJsonObject(body.smallest)) {
    return [];
  }
  const { smallest, key } = body;
  const tokens = plainTokens(body, smallest);
  const names = Object.keys(smallest).filter(
    (name) => name !== key?.property && typeof smallest[name] === 'string',
  );
  const bodies = names.slice(0, mostForDuplicateKeys).flatMap((name): Body[] => {
    const member = [JSON.stringify(name), ':', '[]'];
    return [
      ['{', ...member, ',', ...tokens.slice(1)],
      [...tokens.slice(0, -1), ',', ...member, '}'],
    ];
  });
  return sequenceProperty({
    operation,
    name: 'duplicate-keys',
    title: 'Of equal keys in a JSON object the one counts that the policy says',
    traceChecks: [],
    cases: afterPlain(operation, {
      examples: bodies.map((one) => buildRequest(operation, { body: joinParts(one) })),
      arbitrary: undefined,
    }),
  });
}

/** Where nobody is to be put off, so many requests are not; `learn` finds a limit that is lower. */
const unlimited = 100;
/** Larger limits take more requests than a run should send at once. */
const largestLimit = 400;

/** Plain requests, sent at once. */
function toldRateLimit({ operation, told }: ToldOperation): readonly Property[] {
  const limit = told['rate-limit'];
  const perSecond = limit === 'none' ? undefined : limit?.perSecond;
  if (limit === undefined || (perSecond !== undefined && perSecond > largestLimit)) return [];
  const count = perSecond === undefined ? unlimited : 2 * perSecond + 1;
  const burst: readonly RequestCase[] = Array.from({ length: count }, () => buildRequest(operation));
  return [
    {
      id: `${operation.id}.rate-limit`,
      title: 'So many requests are let in within a second as the policy says',
      examples: [burst],
      arbitrary: undefined,
      countsAs: count,
      // Being put off is what is looked for.
      waits: false,
      sendsTogether: true,
      // A limit is looked for alone. Where there is to be none the burst comes among the first: what a run sent just
      // before may add up to a rate that nobody was said to keep up with.
      turn: perSecond === undefined ? 'beside-others' : 'last',
      // `as`, twice: a property is only ever given the cases that its own examples make.
      simplify: (large) => keepFewer(large as readonly RequestCase[]),
      run: async (testCase, session) =>
        sendTogether(
          (testCase as readonly RequestCase[]).map((request) => [request, session.bindKeys()] as const),
          session,
        ),
      traceChecks: [checkRateLimitKept],
    },
  ];
}

/** How often a value is given again: a live store may hold one of the keys that it comes with. */
const repeats = 3;
const mostForUniqueProperties = 5;
/** Bodies without the property, where it may be left out, are of no use as the first. */
const spare = 12;
/** What a case counts for, so that a run has a few of each property. */
const countsAs = 30;

/** A create, creates of other keys that have one of its values, and one that has nothing in common with it. */
function toldUniqueProperties({ operation, body, told }: ToldOperation): readonly Property[] {
  const lists = body === undefined ? undefined : telltaleBodies(body, repeats + spare);
  if (
    told['unique-properties'] === undefined ||
    operation.kind.kind !== 'create' ||
    body === undefined ||
    lists === undefined ||
    !isJsonObject(body.fullest)
  ) {
    return [];
  }
  const { fullest, key } = body;
  const names = Object.keys(fullest).filter(
    (name) => name !== key?.property && typeof fullest[name] === 'string',
  );
  return names.slice(0, mostForUniqueProperties).map((name, index): Property => {
    const arbitrary = lists.map((made): Sequence => {
      const [first = fullest] = made.filter((one) => Object.hasOwn(one, name));
      const others = made.filter((one) => one !== first).slice(0, repeats + 1);
      const again = others.map((other, place) =>
        place < repeats ? { ...other, [name]: first[name] ?? null } : other,
      );
      return [first, ...again].map((value: JsonObject) => [
        buildRequest(operation, { body: joinParts(plainTokens(body, { ...fullest, ...value })) }),
      ]);
    });
    return {
      // Names of properties come in any case.
      id: `${operation.id}.unique-${index + 1}`,
      title: `Of /${name} a value that another resource has is refused or taken, as the policy says`,
      // A live store may have it since the last run; the random ones behind it are new each time.
      examples: fc.sample(arbitrary, { seed: 1, numRuns: 1 }),
      arbitrary,
      countsAs,
      mostRequests: repeats + 2,
      // `as`: a property is only ever given the cases that its own arbitrary makes.
      run: async (testCase, session) => sendSequence(testCase as Sequence, session),
      traceChecks: [checkUniqueProperties],
      whyUnjudged([sent]) {
        const value = sent?.request.body.kind === 'valid' ? sent.request.body.value : undefined;
        const text = isJsonObject(value) ? value[name] : undefined;
        return typeof text === 'string' && isTelltale(text)
          ? undefined
          : 'its schema takes no text that could be told from others';
      },
    };
  });
}

function propertiesOf(target: ToldOperation): readonly Property[] {
  return [
    ...toldAuthOrder(target),
    ...toldBodyLimit(target),
    ...toldConstraints(target),
    ...toldDuplicateKeys(target),
    ...toldUniqueProperties(target),
  ];
}

/** What only shows whether a service keeps to the policy that the run was told. */
export const policyAnswers: Suite = {
  id: 'policy-answers',
  title: 'Answers of the policy',
  plan: (input) => {
    const targets = toldOperations(input);
    // One limit is for all operations of a service.
    const [create = targets[0]] = targets.filter(({ operation }) => operation.kind.kind === 'create');
    const burst = create === undefined ? [] : toldRateLimit(create);
    return toPlan(
      [...targets.flatMap(propertiesOf), ...burst],
      'no policy says how the service answers what the document leaves open',
    );
  },
};
