import { keepFewer } from '../src/arbitrary/keep-fewer.ts';
import type { RequestCase } from '../src/arbitrary/request-case.ts';
import { requestCost } from '../src/arbitrary/request-cost.ts';
import { simplestRequests } from '../src/arbitrary/simplest-requests.ts';
import type { Operation } from '../src/contract/operation.ts';
import type { StoreSteps } from './store-step.ts';

/** Ways to leave some requests as they are: what a sequence shows seldom hangs on its bodies. */
const mostKept = 4;

/** The simpler requests in the place of a given one, the simplest first. */
function simplerRequests(request: RequestCase, operation: Operation): readonly RequestCase[] {
  const simplest = simplestRequests(request, operation);
  const usual = simplest.at(-1);
  const cost = requestCost(request, usual);
  return simplest.filter((simple) => requestCost(simple, usual) < cost);
}

/** Every request as simple as can be at once, then all but a few. */
function* simplifyRequests(steps: StoreSteps, operation: Operation): Generator<StoreSteps> {
  const simpler = new Map(steps.map(({ request }) => [request, simplerRequests(request, operation)]));
  // The very simplest may be unusual, and so another finding.
  for (const pick of [0, -1]) {
    const changes = [...simpler].flatMap(([request, others]) => {
      const simple = others.at(pick);
      return simple === undefined ? [] : [[request, simple] as const];
    });
    for (const kept of [...keepFewer(changes)].slice(0, mostKept)) {
      const made = new Map(changes.filter((change) => !kept.includes(change)));
      yield steps.map((step) => ({ ...step, request: made.get(step.request) ?? step.request }));
    }
  }
}

/** Every list with one stretch of it left out, long stretches first; the ends matter more than what is between. */
function* leaveOut(steps: StoreSteps): Generator<StoreSteps> {
  for (let size = Math.floor(steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let end = steps.length - 1; end - size >= 0; end -= size) {
      yield [...steps.slice(0, end - size), ...steps.slice(end)];
    }
    yield steps.slice(0, steps.length - size);
  }
}

/**
 * Lists smaller sequences than a given one: with bodies as simple as can be, then without a stretch of it, long
 * stretches first.
 */
export function* simplifySteps(steps: StoreSteps, operation: Operation): Generator<StoreSteps> {
  yield* simplifyRequests(steps, operation);
  if (steps.length > 1) {
    yield* leaveOut(steps);
  }
}
