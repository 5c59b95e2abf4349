import fc from 'fast-check';
import type { Body } from './body.ts';
import type { Cases } from './cases.ts';
import { distinctBodies } from './distinct-bodies.ts';
import { isMalformed } from './is-malformed.ts';
import { joinParts } from './join-parts.ts';
import type { PlainBody } from './plain-body.ts';
import { plainTokens } from './plain-tokens.ts';

/** One way to break a JSON text, given its tokens. */
export type Breakage = (tokens: Body) => Body;

const mostExamples = 60;

/**
 * Plain bodies broken in one way each; what is still JSON afterwards is left out.
 *
 * @param breakages - the plainest first, given the tokens of the body that the examples are made of
 */
export function malformedCases(
  body: PlainBody,
  breakages: (tokens: Body) => readonly Breakage[],
): Cases<Body> {
  const tokens = plainTokens(body);
  const made = breakages(tokens).flatMap((breakage) => {
    const example = joinParts(breakage(tokens));
    return isMalformed(example) ? [{ breakage, example }] : [];
  });
  const examples = distinctBodies(made.map(({ example }) => example)).slice(0, mostExamples);
  if (made.length === 0) {
    return { examples, arbitrary: undefined };
  }
  const arbitrary = fc
    .tuple(body.arbitrary, fc.constantFrom(...made))
    .map(([value, { breakage, example }]) => {
      const broken = joinParts(breakage(plainTokens(body, value)));
      return isMalformed(broken) ? broken : example;
    });
  return { examples, arbitrary };
}
