import fc from 'fast-check';
import { type Outline, outlineOf } from '../src/arbitrary/body-outline.ts';
import {
  applyEdits,
  type BodyKey,
  bodyMedia,
  keyClasses,
  otherBodyMedia,
  plainBodies,
  type PlainBody,
  plainContent,
  put,
} from '../src/arbitrary/plain-body.ts';
import {
  type Body,
  type Cases,
  firstCase,
  joinParts,
  type KeyClass,
  type KeyPlaceholder,
  lateCases,
  mapCases,
  noCases,
  type RequestCase,
} from '../src/arbitrary/request-case.ts';
import { buildRequest, hasValidBody, plainRequest } from '../src/arbitrary/request.ts';
import { requestCost, simplestRequests, simplifyRequest } from '../src/arbitrary/shrink-request.ts';
import { keepFewer } from '../src/arbitrary/shrink-value.ts';
import type { CheckedExchange } from '../src/check/classify/subject.ts';
import type { Contract, Operation } from '../src/contract/contract.ts';
import { otherCodec } from '../src/arbitrary/other-notation.ts';
import type { JsonValue } from '../src/json/value.ts';
import type { Property, SuitePlan } from '../src/runner/suite.ts';
import type { Session, IdContext } from '../src/session/session.ts';

/** Requests that are sent in sequence, in groups. The requests of a group share their ids. */
export type Sequence = readonly (readonly RequestCase[])[];

/** The target of requests: an operation, or a name if there is none. */
type Aim = Operation | { readonly id: 'undeclared' };

/** Options in which a property differs from the usual one. */
type Unusual = Partial<Pick<Property, 'traceChecks' | 'whyUnchecked' | 'phase' | 'via' | 'mostRequests'>>;

/**
 * Creates a property whose cases are successive requests. Its id is the operation's with a kebab-case name. Returns
 * none if there are no cases.
 */
export function sequenceProperty(
  input: {
    readonly operation: Aim;
    readonly name: string;
    readonly title: string;
    readonly cases: Cases<Sequence>;
  } & Unusual,
): readonly Property[] {
  const { operation, name, title, cases, ...unusual } = input;
  if ((cases.mostExamples ?? cases.examples.length) === 0 && cases.mayBeRandom !== true) return [];
  const { mostRequests = Math.max(1, ...cases.examples.map((sequence) => sequence.flat().length)) } = unusual;
  const property = withCases(cases, {
    ...unusual,
    id: `${operation.id}.${name}`,
    title,
    simplify: (large) => simplifySequence(large, 'path' in operation ? operation : undefined),
    run: sendSequence,
    traceChecks: unusual.traceChecks ?? [],
    mostRequests,
  });
  return [property];
}

/** Creates a property of a theme whose cases are one request each. Returns none if there are no cases. */
export function requestProperty(
  operation: Aim,
  [name, title, cases]: Theme<RequestCase>,
  unusual: Unusual = {},
): readonly Property[] {
  return sequenceProperty({
    operation,
    name,
    title,
    cases: mapCases(cases, (request) => [[request]]),
    mostRequests: 1,
    ...unusual,
  });
}

/** A name, a title and cases to try on an operation. */
export type Theme<Case> = readonly [name: string, title: string, cases: Cases<Case>];

/** Creates a property for each existing theme; `toRequest` converts a case to a request. */
export function requestProperties<Case>(
  operation: Operation,
  themes: readonly (Theme<Case> | false)[],
  toRequest: (one: Case) => RequestCase,
): readonly Property[] {
  return themes.flatMap((theme) => {
    if (theme === false) return [];
    const [name, title, cases] = theme;
    const sequences = mapCases(cases, (one) => [[toRequest(one)]]);
    return sequenceProperty({ operation, name, title, cases: sequences, mostRequests: 1 });
  });
}

/** Creates a property for each existing theme, whose cases replace the plain body; none without an operation. */
export function bodyProperties(
  operation: Operation | false,
  themes: readonly (Theme<Body> | false)[],
): readonly Property[] {
  if (operation === false) return [];
  return requestProperties(operation, themes, (body) => buildRequest(operation, { body }));
}

/** Returns cases that are only examples. */
export function examplesOnly<Case>(examples: readonly Case[]): Cases<Case> {
  return { examples, arbitrary: undefined };
}

/**
 * Returns plain requests to an operation. Those with a body are mostly in the first notation that the document
 * declares, and some are in each other one.
 */
export function plainRequests(operation: Operation): Cases<RequestCase> {
  const { body, otherBodies } = plainRequest(operation);
  if (body.kind !== 'body') return examplesOnly([buildRequest(operation)]);
  const [first, ...others] = [body.body, ...otherBodies].map((plain) =>
    mapCases(plainBodies(plain), (content) =>
      buildRequest(operation, { body: content, contentType: plain.contentType }),
    ),
  );
  if (first === undefined || others.length === 0) return first ?? noCases;
  const [usual, ...unusual] = [first, ...others].flatMap(({ arbitrary }) => arbitrary ?? []);
  return {
    first: () => firstCase(first),
    examples: [first, ...others].flatMap(({ examples }) => examples),
    arbitrary:
      usual &&
      fc.oneof(
        { weight: 2 * others.length, arbitrary: usual },
        ...unusual.map((arbitrary) => ({ weight: 1, arbitrary })),
      ),
  };
}

/** Returns the maximum number of examples of {@link plainRequests}. */
export function mostPlainRequests(operation: Operation): number {
  return bodyMedia(operation).kind === 'media' ? 2 + 2 * otherBodyMedia(operation).length : 1;
}

/** An operation and its plain bodies. */
export interface BodyOperation {
  readonly operation: Operation;
  readonly body: PlainBody;
}

/** Builds a request with a value as its body. */
export function requestWith({ operation, body }: BodyOperation, value: JsonValue): RequestCase {
  return buildRequest(operation, { body: plainContent(body, value) });
}

/** Builds a request with a value as its body, with the id of a placeholder. */
export function requestWithKey(
  { operation, body }: BodyOperation,
  value: JsonValue,
  slot: KeyPlaceholder,
): RequestCase {
  const edited = applyEdits(body, value, [put(body.key?.pointer ?? '', 0, [slot])]);
  return buildRequest(operation, { body: joinParts(edited?.tokens ?? []) });
}

/** Returns whether the plain bodies of an operation are JSON. */
export function takesJson(operation: Operation): boolean {
  const { body } = plainRequest(operation);
  return body.kind === 'body' && body.body.notation === undefined;
}

/** Returns a plan of properties, or the reason for having none. `none` returns the reason if no property has a case. */
export function toPlan(
  properties: readonly Property[],
  reason: string,
  none: () => string = () => reason,
): SuitePlan {
  return properties.length === 0
    ? { kind: 'not-applicable', reason }
    : { kind: 'properties', properties, none };
}

/** An operation with a body. Plain bodies are generated when their cases are first requested. */
export interface PlannedBody {
  readonly operation: Operation;
  /** The codec of the bodies; undefined for JSON. */
  readonly codec: ReturnType<typeof otherCodec>;
  /** Its number among the operations with JSON bodies. */
  readonly place: number;
  /** The possible content of the bodies. */
  readonly outline: Outline;
  /** Returns cases from the plain bodies, with a maximum number of examples; no cases if there are no plain bodies. */
  readonly late: <Case>(
    mostExamples: number,
    make: (body: PlainBody, target: BodyOperation) => Cases<Case>,
    mayBeRandom?: boolean,
  ) => Cases<Case>;
}

/** Returns undefined if no plain request is possible. */
function plainBodyOf(operation: Operation): BodyOperation | undefined {
  const { body, problem } = plainRequest(operation);
  return body.kind === 'body' && problem === undefined ? { operation, body: body.body } : undefined;
}

function planBody(operation: Operation): readonly Omit<PlannedBody, 'place'>[] {
  const described = bodyMedia(operation);
  if (described.kind !== 'media') return [];
  return [
    {
      operation,
      codec: otherCodec(described.media),
      outline: outlineOf(described.media.schema?.schema),
      late: (mostExamples, make, mayBeRandom) =>
        lateCases(
          mostExamples,
          () => {
            const target = plainBodyOf(operation);
            return target === undefined ? noCases : make(target.body, target);
          },
          mayBeRandom,
        ),
    },
  ];
}

/** Plans properties for each operation with a body; `none` is the reason if there are operations and no properties. */
export function planBodies(
  { operations }: Contract,
  propertiesOf: (target: PlannedBody) => readonly Property[],
  none?: string,
): SuitePlan {
  let place = 0;
  const targets = operations.flatMap(planBody).map((target): PlannedBody => {
    place += target.codec === undefined ? 1 : 0;
    return { ...target, place: place - 1 };
  });
  const whyNone = (reasonOf: (operation: Operation) => string | undefined): string => {
    const problems = operations.flatMap((operation) => {
      const reason = reasonOf(operation);
      return reason === undefined ? [] : [`${operation.id}: ${reason}`];
    });
    return problems.length === 0 ? 'no operation has a JSON body' : problems.join('; ');
  };
  const undescribed = whyNone((operation) => {
    const described = bodyMedia(operation);
    return described.kind === 'unavailable' ? described.reason : undefined;
  });
  return toPlan(
    targets.flatMap(propertiesOf),
    targets.length === 0 ? undescribed : (none ?? undescribed),
    () => {
      const isTried = none !== undefined && targets.some(({ operation }) => plainBodyOf(operation));
      return isTried
        ? none
        : whyNone((operation) => {
            const { body, problem } = plainRequest(operation);
            return problem ?? (body.kind === 'unavailable' ? body.reason : undefined);
          });
    },
  );
}

/** Plans properties for operations that create something. */
export function planCreates(
  contract: Contract,
  propertiesOf: (target: PlannedBody) => readonly Property[],
  none: string,
): SuitePlan {
  const isCreate = ({ operation }: PlannedBody): boolean => operation.kind.kind === 'create';
  return planBodies(contract, (target) => (isCreate(target) ? propertiesOf(target) : []), none);
}

/** A create whose client chooses the id. */
export interface KeyedOperation extends BodyOperation {
  readonly key: BodyKey;
}

/** An operation that creates something with an id that its client chooses. */
export interface PlannedKey {
  readonly operation: Operation;
  /** The possible classes of ids. */
  readonly classes: ReadonlySet<KeyClass>;
  /** Returns cases with a maximum number of examples; no cases if no new ids can be generated. */
  readonly late: <Case>(
    mostExamples: number,
    make: (target: KeyedOperation) => Cases<Case>,
    mayBeRandom?: boolean,
  ) => Cases<Case>;
}

/** Plans properties for each create whose client chooses the id, if new ids can be generated. */
export function planKeys(
  { operations }: Contract,
  propertiesOf: (target: PlannedKey) => readonly Property[],
  none = 'no operation lets the client choose the id of what it creates',
): SuitePlan {
  const properties = operations.flatMap((operation) => {
    const classes = keyClasses(operation);
    return classes.size === 0
      ? []
      : planBody(operation).flatMap(({ late }) =>
          propertiesOf({
            operation,
            classes,
            late: (mostExamples, make, mayBeRandom) =>
              late(
                mostExamples,
                (body) => (body.key === undefined ? noCases : make({ operation, body, key: body.key })),
                mayBeRandom,
              ),
          }),
        );
  });
  return toPlan(properties, none);
}

/** Returns whether a plain request may be possible, without building one. */
export function isSendable(operation: Operation): boolean {
  return operation.requestBody?.required !== true || bodyMedia(operation).kind === 'media';
}

/** Returns late cases with a maximum number of examples; no cases if no plain request is possible. */
export function lateOf<Case>(
  operation: Operation,
  make: () => Cases<Case>,
  { most, mayBeRandom }: { readonly most: number; readonly mayBeRandom?: boolean },
): Cases<Case> {
  const makeUsable = (): Cases<Case> => (plainRequest(operation).problem === undefined ? make() : noCases);
  return lateCases(most, makeUsable, mayBeRandom);
}

/** Plans properties for each operation, with cases of {@link lateOf}. */
export function planOperations(
  { operations }: Contract,
  propertiesOf: (operation: Operation) => readonly Property[],
  none = 'no plain request can be made',
): SuitePlan {
  return toPlan(operations.filter(isSendable).flatMap(propertiesOf), none);
}

/** Returns a property with cases that are generated only when they are requested. */
export function withCases<Case>(
  cases: Cases<Case>,
  property: Omit<Property<Case>, keyof Cases<Case>>,
): Property<Case> {
  return {
    ...property,
    first: () => firstCase(cases),
    mostExamples: cases.mostExamples,
    mayBeRandom: cases.mayBeRandom,
    get examples() {
      return cases.examples;
    },
    get arbitrary() {
      return cases.arbitrary;
    },
  };
}

/** Returns the methods that the document declares on the path of an operation. */
export function methodsBeside({ path }: Operation, contract: Contract): readonly string[] {
  return contract.operations
    .filter((other) => other.path.template === path.template)
    .map(({ method }) => method);
}

/** Sends the requests in sequence, each group with new ids. */
export async function sendSequence(
  sequence: Sequence,
  session: Session,
): Promise<readonly CheckedExchange[]> {
  const trace: CheckedExchange[] = [];
  for (const group of sequence) {
    const keys = session.openIdContext();
    for (const request of group) {
      trace.push(await session.send(request, keys));
    }
  }
  return trace;
}

/**
 * Sends requests concurrently, with shared ids or new ids for each. Results are in the given order.
 * @throws the error of the first failed request, after all have ended
 */
export async function sendTogether(
  requests: readonly RequestCase[],
  session: Session,
  keys?: IdContext,
): Promise<readonly CheckedExchange[]> {
  const sent = await Promise.allSettled(
    requests.map((request) => session.send(request, keys ?? session.openIdContext())),
  );
  return sent.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

/**
 * Yields smaller sequences than a given one: a single request or group, because one response may show the fault, then
 * the same number of requests with less content. It omits no others, because conclusions from several responses depend
 * on their positions.
 */
export function* simplifySequence(sequence: Sequence, operation: Operation | undefined): Generator<Sequence> {
  const [only, second] = sequence.flat();
  if (only === undefined) return;
  if (second === undefined) {
    for (const smaller of simplifyRequest({ large: only, operation, bodies: 'any' })) {
      yield [[smaller]];
    }
    return;
  }
  yield* operation === undefined ? [] : simplifySeveral(sequence, operation);
}

function* simplifySeveral(sequence: Sequence, operation: Operation): Generator<Sequence> {
  const distinct = [
    ...new Map(sequence.flat().map((request) => [JSON.stringify(request), request])).values(),
  ];
  for (const request of distinct) {
    yield [[request]];
  }
  for (const group of sequence.length > 1 ? sequence : []) {
    yield [group];
  }
  for (const changes of simplifyTogether(distinct, operation)) {
    yield replaceRequests(sequence, changes);
  }
  for (const request of distinct) {
    // With an invalid body, a request that must be accepted would be rejected for another reason.
    const bodies = hasValidBody(request, operation) ? 'simplest' : 'any';
    for (const smaller of simplifyRequest({ large: request, operation, bodies })) {
      yield replaceRequests(sequence, [[request, smaller]]);
    }
  }
}

/** A request, and a simpler one that replaces it. */
type Change = readonly [request: RequestCase, other: RequestCase];

/** Replaces equal requests together, because a case may depend on their equality. */
function replaceRequests(sequence: Sequence, changes: readonly Change[]): Sequence {
  const others = new Map(changes.map(([request, other]) => [JSON.stringify(request), other]));
  return sequence.map((group) => group.map((request) => others.get(JSON.stringify(request)) ?? request));
}

/** Simplifies all requests together, then all but a few, in up to `most` ways: to the simplest or the usual form. */
export function* simplifyTogether(
  requests: readonly RequestCase[],
  operation: Operation,
  most: number = Infinity,
): Generator<readonly Change[]> {
  const simpler = requests.map((request) => {
    const simplest = simplestRequests(request, operation);
    const usual = simplest.at(-1);
    const cost = requestCost(request, usual);
    return [request, simplest.filter((simple) => requestCost(simple, usual) < cost)] as const;
  });
  // The simplest form may be unusual, and cause another finding.
  for (const pick of [0, -1]) {
    const changes = simpler.flatMap(([request, others]): Change[] => {
      const simple = others.at(pick);
      return simple === undefined ? [] : [[request, simple]];
    });
    for (const kept of [...keepFewer(changes)].slice(0, most)) {
      yield changes.filter((change) => !kept.includes(change));
    }
  }
}
