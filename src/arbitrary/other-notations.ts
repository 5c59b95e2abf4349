import type { Body } from './body.ts';
import { bodyMembers } from './body-members.ts';
import type { Cases } from './cases.ts';
import { formNotation } from './form-notation.ts';
import { isMalformed } from './is-malformed.ts';
import { joinParts } from './join-parts.ts';
import type { PlainBody } from './plain-body.ts';
import { xmlNotation } from './xml-notation.ts';

/** The members of a plain body, a line each: `name: text`. */
function yamlLines(body: PlainBody): Body {
  return joinParts(bodyMembers(body, body.fullest).flatMap(([name, text]) => [`${name}: `, text, '\n']));
}

/** A plain body as forms, YAML and XML write it, for a reader that tries them all whatever the media type. */
export function otherNotations(body: PlainBody): Cases<Body> {
  const written = [formNotation(body, body.fullest), yamlLines(body), xmlNotation(body, body.fullest)];
  return { examples: written.filter((one) => one.length > 0 && isMalformed(one)), arbitrary: undefined };
}
