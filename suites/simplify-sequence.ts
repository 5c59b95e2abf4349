import { hasValidBody } from '../src/arbitrary/has-valid-body.ts';
import { keepFewer } from '../src/arbitrary/keep-fewer.ts';
import type { RequestCase } from '../src/arbitrary/request-case.ts';
import { requestCost } from '../src/arbitrary/request-cost.ts';
import { simplestRequests } from '../src/arbitrary/simplest-requests.ts';
import { simplifyRequest } from '../src/arbitrary/simplify-request.ts';
import type { Operation } from '../src/contract/operation.ts';
import type { Sequence } from './sequence.ts';

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
  if (only === undefined) {
    return;
  }
  if (second === undefined) {
    for (const smaller of simplifyRequest({ large: only, operation, bodies: 'any' })) {
      yield [[smaller]];
    }
    return;
  }
  yield* operation === undefined ? [] : simplifySeveral(sequence, operation);
}
