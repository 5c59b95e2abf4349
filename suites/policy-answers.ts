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
import { isCanary } from '../src/check/reading/answer.ts';
import type { Operation } from '../src/contract/contract.ts';
import { clientIdProperty } from '../src/contract/request-facts.ts';
import { isJsonObject, type JsonObject } from '../src/json/value.ts';
import type { Answers, QuestionId } from '../src/policy/question.ts';
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
import { resourceAnswers } from './resource-answers.ts';

/** What only shows whether a service keeps to the policy that the run was given. */
export const policyAnswers: Suite = {
  id: 'policy-answers',
  title: 'Answers of the policy',
  plan: (input) => {
    const targets = toldOperations(input);
    const ofBodies = targets.flatMap(({ operation, enforced }) =>
      bodyThemes.flatMap(([question, propertiesOf, isAbout]) => {
        // Before a body is made: most operations have nothing to show.
        if (enforced[question] === undefined || isAbout?.({ operation, enforced }) === false) return [];
        const { body, problem } = plainRequest(operation);
        return body.kind === 'body' && problem === undefined
          ? propertiesOf({ operation, body: body.body, enforced })
          : [];
      }),
    );
    const ofResources = targets.flatMap(({ operation, enforced }) => {
      const properties = resourceAnswers({
        operation,
        contract: input.contract,
        isTold: (id) => enforced[id] !== undefined,
      });
      return properties.length === 0 || isPossible(operation) ? properties : [];
    });
    // One limit is for all operations of a service.
    const limited = targets.filter(({ enforced }) => enforced['rate-limit'] !== undefined);
    const create =
      limited.find(({ operation }) => operation.kind.kind === 'create' && isPossible(operation)) ??
      limited.find(({ operation }) => isPossible(operation));
    return toPlan(
      [...ofBodies, ...ofResources, ...(create === undefined ? [] : rateLimit(create))],
      'no policy says how the service answers what the document does not specify',
    );
  },
};

const isPossible = (operation: Operation): boolean => plainRequest(operation).problem === undefined;

/** An operation, and the answers that the run is to hold it to. */
interface EnforcedOperation {
  readonly operation: Operation;
  readonly enforced: Partial<Answers>;
}

/** One that takes plain JSON bodies. */
interface EnforcedBody extends EnforcedOperation {
  readonly body: PlainBody;
}

/** The operations that a plain request can be made for, each with what the policy given says of it. */
function toldOperations({
  contract,
  policy,
  enforced = new Set(),
}: SuiteInput): readonly EnforcedOperation[] {
  return contract.operations.flatMap((operation) => {
    const own = policy.operations?.[operation.id] ?? {};
    // `as`: the keys of a policy are questions, and the one that is none is left out.
    const ids = [...enforced, ...(Object.keys(own) as QuestionId[])];
    if (ids.length === 0 || !isSendable(operation)) return [];
    const given: Partial<Answers> = Object.fromEntries(ids.map((id) => [id, own[id] ?? policy[id]]));
    return [{ operation, enforced: given }];
  });
}

/** What is tried of bodies where the policy answers a question. */
const bodyThemes: readonly (readonly [
  QuestionId,
  (target: EnforcedBody) => readonly Property[],
  ((target: EnforcedOperation) => boolean)?,
])[] = [
  ['auth-order', authOrder, ({ operation }): boolean => pickAlternative(operation) !== undefined],
  ['body-limit', bodyLimit],
  // A document whose schema bounds everything answers that there are none.
  ['constraints', constraints, ({ enforced }): boolean => Object.keys(enforced.constraints ?? {}).length > 0],
  ['duplicate-keys-in-json', duplicateKeys],
  ['unique-properties', uniqueProperties, ({ operation }): boolean => operation.kind.kind === 'create'],
];

/** Bodies that break their schema, without good credentials. */
function authOrder({ operation, body }: EnforcedBody): readonly Property[] {
  // Of each kind one is enough: the order is the same for all.
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
 * Each body after a plain one, under a key of its own: a refusal is held against plain bodies, equal ones too, being
 * accepted.
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

/** As long as a key may be that is filled in as the request leaves. */
const longestKey = 40;
/** More would take longer to send than it is worth. */
const mostBytes = 16_777_216;

/** Bodies that are plain but for the white space in them, with nearly as many bytes as are read and with more. */
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

/** So many bodies are about one bound of each of some properties. */
const mostCases = 40;

/** The body whose schema has the constraints in it; undefined where there is none that they take. */
function boundBody(body: PlainBody, added: Answers['constraints']): PlainBody | undefined {
  const { schema } = body;
  const root = schema === undefined || !isJsonObject(schema.schema) ? {} : schema.schema;
  const { allOf } = root;
  const parts = Array.isArray(allOf) ? allOf : [];
  const bounded = compileSchema({
    schema: { ...root, allOf: [...parts, { properties: { ...added } }] },
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

/** The properties of a plain body that are texts, but for the key. */
function textsOf(value: JsonObject, { key }: PlainBody): readonly string[] {
  return Object.keys(value).filter((name) => name !== key?.property && typeof value[name] === 'string');
}

/** One is enough to show which of two counts; a second one is for services that treat one property by itself. */
const mostForDuplicateKeys = 2;

/** Bodies with a key that stands twice, once with a value of a wrong type, so that it shows which of the two counts. */
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

/** Where nobody is to be put off, so many requests are not; `learn` finds a limit that is lower. */
const unlimited = 100;
/** Larger limits take more requests than a run should send at once. */
const largestLimit = 400;

/** Plain requests, sent at once. */
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
    // Being put off is what is looked for.
    waits: false,
    sendsTogether: true,
    // A limit is looked for alone. Where there is to be none the burst comes among the first: what a run sent just
    // before may add up to a rate that nobody was said to keep up with.
    turn: perSecond === undefined ? 'beside-others' : 'last',
    simplify: keepFewer,
    run: sendTogether,
    traceChecks: [checkRateLimitKept],
  };
  return [property];
}

/** How often a value is given again: a live store may hold one of the keys that it comes with. */
const repeats = 3;
const mostForUniqueProperties = 5;
/** Bodies without the property, where it may be left out, are of no use as the first. */
const spare = 12;
/** What a case counts for, so that a run has a few of each property. */
const countsAs = 30;

/** A create, creates of other keys that have one of its values, and one that has nothing in common with it. */
function uniqueProperties({ operation, body }: EnforcedBody): readonly Property[] {
  const { fullest } = body;
  if (!isJsonObject(fullest)) return [];
  let lists: ReturnType<typeof canaryBodies>;
  // A key is unique by its meaning, whether or not fresh ones can be drawn.
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
    // Late: where a text of each property may stand is found by judging many.
    const cases = lateCases<Sequence>(1, () => {
      lists ??= canaryBodies(body, repeats + spare);
      const arbitrary = lists?.map(toSequence);
      // A live store may have it since the last run; the random ones behind it are new each time.
      return {
        examples: arbitrary === undefined ? [] : fc.sample(arbitrary, { seed: 1, numRuns: 1 }),
        arbitrary,
      };
    });
    return withCases(cases, {
      // Names of properties come in any case.
      id: `${operation.id}.unique-${index + 1}`,
      title: `Of /${name} a value that another resource has is refused or accepted, as the policy says`,
      countsAs,
      mostRequests: repeats + 2,
      run: sendSequence,
      traceChecks: [checkUniqueProperties],
      whyUnjudged([sent]) {
        const value = sent?.request.body.kind === 'valid' ? sent.request.body.value : undefined;
        const text = isJsonObject(value) ? value[name] : undefined;
        return typeof text === 'string' && isCanary(text)
          ? undefined
          : 'its schema takes no text that could be told from others';
      },
    });
  });
}
