import type { JsonValue } from '../json/json-value.ts';
import type { Body } from './body.ts';
import type { Cases } from './cases.ts';
import { distinctBodies } from './distinct-bodies.ts';
import { joinParts } from './join-parts.ts';
import type { PlainBody } from './plain-body.ts';
import { plainTokens } from './plain-tokens.ts';

/** Valid bodies that anybody would send: without optional properties, with all, with some. */
export function plainBodies(body: PlainBody): Cases<Body> {
  const write = (value: JsonValue): Body => joinParts(plainTokens(body, value));
  return {
    examples: distinctBodies([body.smallest, body.fullest].map(write)),
    arbitrary: body.arbitrary.map(write),
  };
}
