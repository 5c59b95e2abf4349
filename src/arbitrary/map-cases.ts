import type { Cases } from './cases.ts';

/** The same cases in another form. */
export function mapCases<From, To>(cases: Cases<From>, change: (from: From) => To): Cases<To> {
  return { examples: cases.examples.map((from) => change(from)), arbitrary: cases.arbitrary?.map(change) };
}
