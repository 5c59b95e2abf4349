import type { Boundary } from '../../check/boundary.ts';
import { compareNumbers, toJsonNumber } from '../../json/exact-number.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { BehaviourId } from '../../policy/behaviour.ts';

/** Returns the JSON Schema keywords for a limit; undefined if there are none. */
function keywordsOf(boundary: Boundary): JsonObject | undefined {
  switch (boundary.what) {
    case 'length': {
      const { accepted, refused, unit } = boundary;
      // maxLength counts characters (RFC 8259 §7), so it cannot express a limit in bytes.
      return unit === 'bytes' ? undefined : { [accepted < refused ? 'maxLength' : 'minLength']: accepted };
    }
    case 'items': {
      const { accepted, refused } = boundary;
      return { [accepted < refused ? 'maxItems' : 'minItems']: accepted };
    }
    case 'value': {
      const accepted = toJsonNumber(boundary.accepted);
      const isMost = compareNumbers(accepted, toJsonNumber(boundary.refused)) < 0;
      return { [isMost ? 'maximum' : 'minimum']: accepted };
    }
    case 'blank':
      return { pattern: '\\S' };
    case 'white-space': {
      const start = boundary.at === 'end' ? '' : '(?!\\s)';
      const end = boundary.at === 'start' ? '' : '(?<!\\s)';
      return { pattern: `^${start}[\\s\\S]*${end}$` };
    }
    case 'body-size':
    case 'repeated':
    case 'characters':
      return undefined;
  }
}

/**
 * Returns the policy behaviour and value for a limit, given the status past it: a constraint on a property, a limit on
 * the whole body, or a unique property; undefined if no value expresses it.
 */
export function answerOfBoundary(
  boundary: Boundary,
  status: number,
): { readonly question: BehaviourId; readonly answer: JsonValue } | undefined {
  if (boundary.what === 'body-size') {
    const { accepted: bytes } = boundary;
    return status === 400 || status === 413
      ? { question: 'body-limit', answer: { bytes, status } }
      : undefined;
  }
  const [, property, ...below] = boundary.place.split('/');
  // A policy only describes the top-level members of the body.
  if (property === undefined || property === '*' || below.length > 0) return undefined;
  const name = property.replaceAll('~1', '/').replaceAll('~0', '~');
  if (boundary.what === 'repeated') return { question: 'unique-properties', answer: [name] };
  const keywords = keywordsOf(boundary);
  return keywords === undefined ? undefined : { question: 'constraints', answer: { [name]: keywords } };
}
