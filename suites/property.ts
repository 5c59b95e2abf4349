import type { BodyKey, PlainBody } from '../src/arbitrary/plain-body.ts';
import { type Body, type Cases, mapCases, type RequestCase } from '../src/arbitrary/request-case.ts';
import { buildRequest, hasValidBody, plainRequest } from '../src/arbitrary/request.ts';
import { requestCost, simplestRequests, simplifyRequest } from '../src/arbitrary/shrink-request.ts';
import { keepFewer } from '../src/arbitrary/shrink-value.ts';
import type { Judged, TraceCheck } from '../src/check/reading/subject.ts';
import type { Contract, Operation } from '../src/contract/contract.ts';
import type { KeyBinding, Property, Session, SuitePlan } from '../src/runner/suite.ts';

/** Requests that are sent one after the other, in groups; a group has its keys in common. */
export type Sequence = readonly (readonly RequestCase[])[];

/**
 * Each request after a plain one, under a key of its own: that plain bodies are taken, equal ones too, is what a
 * refusal is held against.
 */
export function afterPlain(operation: Operation, cases: Cases<RequestCase>): Cases<Sequence> {
  return mapCases(cases, (request): Sequence => [[buildRequest(operation)], [request]]);
}

/** Requests that differ from a plain one in their body. */
export function bodyCases(operation: Operation, bodies: Cases<Body>): Cases<RequestCase> {
  return mapCases(bodies, (body) => buildRequest(operation, { body }));
}

/** An operation and the plain bodies that it takes. */
export interface BodyOperation {
  readonly operation: Operation;
  readonly body: PlainBody;
}

/** The operations that take a JSON body, or the reason why there is none. */
export function bodyOperations(contract: Contract): {
  readonly operations: readonly BodyOperation[];
  readonly reason: string;
} {
  const described = contract.operations.map((operation) => ({ operation, plain: plainRequest(operation) }));
  const operations = described.flatMap(({ operation, plain: { body, problem } }): BodyOperation[] =>
    body.kind === 'body' && problem === undefined ? [{ operation, body: body.body }] : [],
  );
  const problems = described.flatMap(({ operation, plain: { body, problem } }) => {
    const reason = problem ?? (body.kind === 'unavailable' ? body.reason : undefined);
    return reason === undefined ? [] : [`${operation.id}: ${reason}`];
  });
  const reason = problems.length === 0 ? 'no operation takes a JSON body' : problems.join('; ');
  return { operations, reason };
}

/** A create whose client chooses the key. */
export interface KeyedOperation extends BodyOperation {
  readonly key: BodyKey;
}

/** The creates whose clients choose the key, and whose keys can be drawn fresh. */
export function keyedOperations(contract: Contract): readonly KeyedOperation[] {
  return bodyOperations(contract).operations.flatMap(({ operation, body }): KeyedOperation[] =>
    body.key === undefined ? [] : [{ operation, body, key: body.key }],
  );
}

/** Sends the requests one after the other, each group with keys of its own. */
export async function sendSequence(sequence: Sequence, session: Session): Promise<readonly Judged[]> {
  const trace: Judged[] = [];
  for (const group of sequence) {
    const keys = session.bindKeys();
    for (const request of group) {
      trace.push(await session.send(request, keys));
    }
  }
  return trace;
}

/** A request by its text: equal ones are replaced together, as a case may rest on their being equal. */
type Change = readonly [text: string, other: RequestCase];

function replaceRequests(sequence: Sequence, changes: readonly Change[]): Sequence {
  const others = new Map(changes);
  return sequence.map((group) => group.map((request) => others.get(JSON.stringify(request)) ?? request));
}

function distinctRequests(sequence: Sequence): readonly RequestCase[] {
  return [...new Map(sequence.flat().map((request) => [JSON.stringify(request), request])).values()];
}

/** Every request as simple as can be at once, then all but a few. */
function* simplifyTogether(sequence: Sequence, operation: Operation): Generator<Sequence> {
  const requests = distinctRequests(sequence).map((request) => {
    const simplest = simplestRequests(request, operation);
    const usual = simplest.at(-1);
    const cost = requestCost(request, usual);
    return { request, simpler: simplest.filter((simple) => requestCost(simple, usual) < cost) };
  });
  for (const pick of [0, -1]) {
    const changes = requests.flatMap(({ request, simpler }): Change[] => {
      const simple = simpler.at(pick);
      return simple === undefined ? [] : [[JSON.stringify(request), simple]];
    });
    for (const kept of keepFewer(changes)) {
      yield replaceRequests(
        sequence,
        changes.filter((change) => !kept.includes(change)),
      );
    }
  }
}

function* simplifySeveral(sequence: Sequence, operation: Operation): Generator<Sequence> {
  for (const request of distinctRequests(sequence)) {
    yield [[request]];
  }
  for (const group of sequence.length > 1 ? sequence : []) {
    yield [group];
  }
  yield* simplifyTogether(sequence, operation);
  for (const request of distinctRequests(sequence)) {
    // What has to be accepted would be refused for another reason if its body became an invalid one.
    const bodies = hasValidBody(request, operation) ? 'simplest' : 'any';
    for (const smaller of simplifyRequest({ large: request, operation, bodies })) {
      yield replaceRequests(sequence, [[JSON.stringify(request), smaller]]);
    }
  }
}

/**
 * Lists smaller sequences than a given one: a single request or group of it, as a fault may show in one
 * answer, then as many requests with less in them. Nothing else is left out, since what a case concludes
 * from several answers hangs on their places.
 *
 * @param operation - what the requests are aimed at, or undefined where they are aimed at none
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

/**
 * A property whose cases are requests that follow each other.
 *
 * @param input.operation - what the requests are aimed at; those that are aimed at none have a name of their own
 * @param input.name - kebab-case; the id of the property is the operation's and this
 * @returns none where there are no cases
 */
export function sequenceProperty(input: {
  readonly operation: Operation | { readonly id: 'undeclared' };
  readonly name: string;
  readonly title: string;
  readonly cases: Cases<Sequence>;
  readonly traceChecks: readonly TraceCheck[];
  readonly whyUnjudged?: NonNullable<Property['whyUnjudged']>;
  readonly turn?: NonNullable<Property['turn']>;
}): readonly Property[] {
  const { operation, name, title, cases, traceChecks, whyUnjudged, turn } = input;
  if (cases.examples.length === 0 && cases.arbitrary === undefined) return [];
  const lengths = cases.examples.map((sequence) => sequence.flat().length);
  const target = 'path' in operation ? operation : undefined;
  return [
    {
      id: `${operation.id}.${name}`,
      title,
      examples: cases.examples,
      arbitrary: cases.arbitrary,
      // `as`, twice: a property is only ever given the cases that its own examples and arbitrary make.
      simplify: (large) => simplifySequence(large as Sequence, target),
      run: async (testCase, session) => sendSequence(testCase as Sequence, session),
      traceChecks,
      mostRequests: Math.max(1, ...lengths),
      ...(whyUnjudged === undefined ? {} : { whyUnjudged }),
      ...(turn === undefined ? {} : { turn }),
    },
  ];
}

/**
 * A property whose cases are one request each.
 *
 * @param input.operation - what the requests are aimed at; those that are aimed at none have a name of their own
 * @param input.name - kebab-case; the id of the property is the operation's and this
 * @returns none where there are no cases
 */
export function requestProperty(input: {
  readonly operation: Operation | { readonly id: 'undeclared' };
  readonly name: string;
  readonly title: string;
  readonly cases: Cases<RequestCase>;
  readonly turn?: NonNullable<Property['turn']>;
}): readonly Property[] {
  return sequenceProperty({
    ...input,
    cases: mapCases(input.cases, (request) => [[request]]),
    traceChecks: [],
  });
}

/**
 * Sends requests side by side.
 *
 * @param requests - each with the keys that it takes
 * @returns what came of each, in the order given
 * @throws what the first that failed threw, when all have ended
 */
export async function sendTogether(
  requests: readonly (readonly [request: RequestCase, keys: KeyBinding])[],
  session: Session,
): Promise<readonly Judged[]> {
  const sent = await Promise.allSettled(requests.map(([request, keys]) => session.send(request, keys)));
  return sent.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

/** A plan of properties, or the reason why there are none. */
export function toPlan(properties: readonly Property[], reason: string): SuitePlan {
  return properties.length === 0 ? { kind: 'not-applicable', reason } : { kind: 'properties', properties };
}
