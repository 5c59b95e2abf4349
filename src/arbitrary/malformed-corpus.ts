import type { Body } from './body.ts';
import type { Cases } from './cases.ts';
import { distinctBodies } from './distinct-bodies.ts';
import { isMalformed } from './is-malformed.ts';
import { joinParts } from './join-parts.ts';
import { jsonCorpus } from './json-corpus.ts';
import type { PlainBody } from './plain-body.ts';
import { plainTokens } from './plain-tokens.ts';
import { withExtraMember } from './with-extra-member.ts';

/** What stands in brackets from end to end is a value to a lenient reader, whatever is wrong inside. */
const value = /^\s*(?:\[[^]*\]|\{[^]*\})\s*$/u;

/**
 * The texts of the public corpus that every parser must refuse. What a lenient one makes a value of stands inside
 * an otherwise valid body, since only there does it show whether it was taken; the rest are whole bodies.
 */
export function malformedCorpus(body: PlainBody): Cases<Body> {
  const plain = plainTokens(body);
  const examples = jsonCorpus('refused').map((text) =>
    joinParts(value.test(text) && plain[0] === '{' ? withExtraMember(plain, text) : [text]),
  );
  return { examples: distinctBodies(examples.filter(isMalformed)), arbitrary: undefined };
}
