import { applyEdits, type BodyKey, type PlainBody, plainContent, put } from '../src/arbitrary/plain-body.ts';
import {
  type Body,
  type Cases,
  joinParts,
  type KeyPlaceholder,
  mapCases,
  type RequestCase,
} from '../src/arbitrary/request-case.ts';
import { buildRequest, hasValidBody, plainRequest } from '../src/arbitrary/request.ts';
import { requestCost, simplestRequests, simplifyRequest } from '../src/arbitrary/shrink-request.ts';
import { keepFewer } from '../src/arbitrary/shrink-value.ts';
import type { CheckedExchange } from '../src/check/reading/subject.ts';
import type { Contract, Operation } from '../src/contract/contract.ts';
import type { JsonValue } from '../src/json/value.ts';
import type { KeyBinding, Property, Session, SuitePlan } from '../src/runner/suite.ts';

/** Requests that are sent one after the other, in groups; a group has its keys in common. */
export type Sequence = readonly (readonly RequestCase[])[];

/** What requests are aimed at; those that are aimed at none have a name of their own. */
type Aim = Operation | { readonly id: 'undeclared' };

/** What sets a property apart from the usual one. */
type Unusual = Partial<Pick<Property, 'traceChecks' | 'whyUnjudged' | 'turn' | 'via' | 'mostRequests'>>;

/**
 * A property whose cases are requests that follow each other, its id the operation's and a kebab-case name; none
 * where there are no cases.
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
  const { arbitrary, mostExamples } = cases;
  if ((mostExamples ?? cases.examples.length) === 0 && arbitrary === undefined) return [];
  const { mostRequests = Math.max(1, ...cases.examples.map((sequence) => sequence.flat().length)) } = unusual;
  const property: Property<Sequence> = {
    id: `${operation.id}.${name}`,
    title,
    get examples() {
      return cases.examples;
    },
    mostExamples,
    arbitrary,
    simplify: (large) => simplifySequence(large, 'path' in operation ? operation : undefined),
    run: sendSequence,
    traceChecks: [],
    ...unusual,
    mostRequests,
  };
  return [property];
}

/** A property whose cases are one request each, by the theme; none where there are no cases. */
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

/** What is tried on an operation. */
export type Theme<Case> = readonly [name: string, title: string, cases: Cases<Case>];

/** A property for each theme, whose cases say how a request is made up. */
export function requestProperties<Case>(
  operation: Operation,
  themes: readonly Theme<Case>[],
  toRequest: (one: Case) => RequestCase,
): readonly Property[] {
  return themes.flatMap(([name, title, cases]) =>
    requestProperty(operation, [name, title, mapCases(cases, toRequest)]),
  );
}

/** A property for each theme, whose cases are bodies in the place of the plain one. */
export function bodyProperties(operation: Operation, themes: readonly Theme<Body>[]): readonly Property[] {
  return requestProperties(operation, themes, (body) => buildRequest(operation, { body }));
}

/** Cases that are examples alone. */
export function examplesOnly<Case>(examples: readonly Case[]): Cases<Case> {
  return { examples, arbitrary: undefined };
}

/** An operation and the plain bodies that it takes. */
export interface BodyOperation {
  readonly operation: Operation;
  readonly body: PlainBody;
}

/** A request with a value as its body. */
export function requestWith({ operation, body }: BodyOperation, value: JsonValue): RequestCase {
  return buildRequest(operation, { body: plainContent(body, value) });
}

/** A request with a value as its body, whose key is drawn for a slot of its own. */
export function requestWithKey(
  { operation, body }: BodyOperation,
  value: JsonValue,
  slot: KeyPlaceholder,
): RequestCase {
  const edited = applyEdits(body, value, [put(body.key?.pointer ?? '', 0, [slot])]);
  return buildRequest(operation, { body: joinParts(edited?.tokens ?? []) });
}

/** A plan of properties, or the reason why there are none. */
export function toPlan(properties: readonly Property[], reason: string): SuitePlan {
  return properties.length === 0 ? { kind: 'not-applicable', reason } : { kind: 'properties', properties };
}

/** Plans what is tried on each operation that takes a JSON body; `none` is why nothing is though there are some. */
export function planBodies(
  contract: Contract,
  propertiesOf: (target: BodyOperation) => readonly Property[],
  none?: string,
): SuitePlan {
  const described = contract.operations.map((operation) => ({ operation, plain: plainRequest(operation) }));
  const targets = described.flatMap(({ operation, plain: { body, problem } }): BodyOperation[] =>
    body.kind === 'body' && problem === undefined ? [{ operation, body: body.body }] : [],
  );
  const problems = described.flatMap(({ operation, plain: { body, problem } }) => {
    const reason = problem ?? (body.kind === 'unavailable' ? body.reason : undefined);
    return reason === undefined ? [] : [`${operation.id}: ${reason}`];
  });
  const noTarget = problems.length === 0 ? 'no operation has a JSON body' : problems.join('; ');
  return toPlan(targets.flatMap(propertiesOf), targets.length === 0 ? noTarget : (none ?? noTarget));
}

/** The same, on those that create something. */
export function planCreates(
  contract: Contract,
  propertiesOf: (target: BodyOperation) => readonly Property[],
  none: string,
): SuitePlan {
  const isCreate = ({ operation }: BodyOperation): boolean => operation.kind.kind === 'create';
  return planBodies(contract, (target) => (isCreate(target) ? propertiesOf(target) : []), none);
}

/** A create whose client chooses the key. */
export interface KeyedOperation extends BodyOperation {
  readonly key: BodyKey;
}

/** Plans what is tried on each create whose client chooses the key, and whose keys can be drawn fresh. */
export function planKeys(
  contract: Contract,
  propertiesOf: (target: KeyedOperation) => readonly Property[],
  none = 'no operation lets the client choose the id of what it creates',
): SuitePlan {
  const properties = contract.operations.flatMap((operation) => {
    const { body: plain, problem } = plainRequest(operation);
    const body = plain.kind === 'body' && problem === undefined ? plain.body : undefined;
    return body?.key === undefined ? [] : propertiesOf({ operation, body, key: body.key });
  });
  return toPlan(properties, none);
}

/** Plans what is tried on each operation that a plain request can be made for. */
export function planOperations(
  contract: Contract,
  propertiesOf: (operation: Operation) => readonly Property[],
  none = 'no plain request can be made',
): SuitePlan {
  const usable = contract.operations.filter((operation) => plainRequest(operation).problem === undefined);
  return toPlan(usable.flatMap(propertiesOf), none);
}

/** The methods that the document has on the path of an operation. */
export function methodsBeside({ path }: Operation, contract: Contract): readonly string[] {
  return contract.operations
    .filter((other) => other.path.template === path.template)
    .map(({ method }) => method);
}

/** Sends the requests one after the other, each group with keys of its own. */
export async function sendSequence(
  sequence: Sequence,
  session: Session,
): Promise<readonly CheckedExchange[]> {
  const trace: CheckedExchange[] = [];
  for (const group of sequence) {
    const keys = session.bindKeys();
    for (const request of group) {
      trace.push(await session.send(request, keys));
    }
  }
  return trace;
}

/**
 * Sends requests side by side, with keys that all share or with keys of their own; results are in the order given.
 * @throws what the first that failed threw, when all have ended
 */
export async function sendTogether(
  requests: readonly RequestCase[],
  session: Session,
  keys?: KeyBinding,
): Promise<readonly CheckedExchange[]> {
  const sent = await Promise.allSettled(
    requests.map((request) => session.send(request, keys ?? session.bindKeys())),
  );
  return sent.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

/**
 * Lists smaller sequences than a given one: a single request or group of it, as a fault may show in one answer, then
 * as many requests with less in them. Nothing else is left out, since what a case concludes from several answers
 * depends on their places.
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
    // What has to be accepted would be refused for another reason if its body became an invalid one.
    const bodies = hasValidBody(request, operation) ? 'simplest' : 'any';
    for (const smaller of simplifyRequest({ large: request, operation, bodies })) {
      yield replaceRequests(sequence, [[request, smaller]]);
    }
  }
}

/** A request, and a simpler one in its place. */
type Change = readonly [request: RequestCase, other: RequestCase];

/** Equal requests are replaced together, as a case may rest on their being equal. */
function replaceRequests(sequence: Sequence, changes: readonly Change[]): Sequence {
  const others = new Map(changes.map(([request, other]) => [JSON.stringify(request), other]));
  return sequence.map((group) => group.map((request) => others.get(JSON.stringify(request)) ?? request));
}

/** Makes every request as simple as can be at once, then all but a few, in `most` ways for each end of what is simple. */
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
  // The very simplest may be unusual, and so another finding.
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
