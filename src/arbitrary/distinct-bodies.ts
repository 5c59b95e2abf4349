import type { Body } from './body.ts';

/** The bodies without those that stand earlier in the list. */
export function distinctBodies(bodies: readonly Body[]): readonly Body[] {
  return [...new Map(bodies.toReversed().map((body) => [JSON.stringify(body), body])).values()].toReversed();
}
