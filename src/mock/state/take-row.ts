import { isJsonObject } from '../../json/is-json-object.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { parseJson } from '../../json/parse-json.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { MediaTypeContract } from '../../contract/media-type-contract.ts';
import type { SchemaValidator } from '../../schema/compile-schema.ts';
import { describeSchemaProblem } from '../../schema/describe-schema-problem.ts';
import type { KeptBody } from '../act/kept-body.ts';
import type { Keeping } from '../act/prepare-keeping.ts';
import type { BodyCheck } from '../content/create-body-check.ts';

/** A row that a collection takes. */
export interface TakenRow extends KeptBody {
  /** Undefined where the service makes it. */
  readonly key: JsonValue | undefined;
}

/** What is ready for the rows of a create operation. */
export interface RowSteps {
  readonly keeping: Keeping;
  readonly checkBody: BodyCheck;
  readonly media: MediaTypeContract;
  /** Judges the key of a row where the body of a request has no place for it. */
  readonly checkAnswer: SchemaValidator | undefined;
  /** Whether the body of a request may hold the key that the service makes. */
  readonly bodyHoldsKey: boolean;
}

/** The words of a sentence about a body, which a row is not. */
function toReason(sentence: string): string {
  return sentence
    .replace(/^The body is not valid: /u, '')
    .replace(/^The body has /u, 'it has ')
    .replace(/\.$/u, '');
}

/** A row as a client would have sent it, or why it is none. */
function readRow(
  row: unknown,
): { readonly value: JsonObject; readonly exact: boolean; readonly text: string } | string {
  let text: string | undefined;
  try {
    // `as`: what is no JSON value makes no JSON text, which is seen below.
    text = stringifyJson(row as JsonValue) as string | undefined;
  } catch {
    return 'it is no JSON value';
  }
  if (text === undefined) {
    return 'it is no JSON value';
  }
  const parsed = parseJson(text, { explains: false });
  if (parsed.kind === 'syntax') {
    return 'it is no JSON value';
  }
  return isJsonObject(parsed.value)
    ? { value: parsed.value, exact: parsed.exact, text }
    : 'a row must be an object';
}

function without(value: JsonObject, property: string): JsonObject {
  const { [property]: _left, ...rest } = value;
  return rest;
}

/**
 * Takes a row into a collection: it is checked as the body of a create is, and kept as one would be.
 *
 * @param collection - its concrete path
 * @returns why it is not taken, in words without a full stop, where it is not
 */
export function takeRow(input: {
  readonly row: unknown;
  readonly collection: string;
  readonly steps: RowSteps;
}): TakenRow | string {
  const { collection, steps } = input;
  const { keeping, checkBody, media, checkAnswer, bodyHoldsKey } = steps;
  const { key, split, withMadeKey } = keeping;
  const read = readRow(input.row);
  if (typeof read === 'string') {
    return read;
  }
  const { value, exact, text } = read;
  const own = key.kind !== 'none' && Object.hasOwn(value, key.property) ? value[key.property] : undefined;
  const body =
    key.kind === 'server' && own !== undefined && !bodyHoldsKey ? without(value, key.property) : value;
  const problem = checkBody(body, exact, media);
  if (problem !== undefined) {
    return toReason(problem.message);
  }
  if (key.kind === 'client') {
    const { resource, undeclared } = split(value);
    return own === undefined
      ? `/${key.property} is required, but missing`
      : { collection, resource, undeclared, text: resource === value ? text : undefined, key: own };
  }
  if (key.kind === 'none' || own === undefined) {
    return { collection, ...split(body), text: undefined, key: undefined };
  }
  const place = `${appendPointer('', key.property)}/`;
  const wrong = checkAnswer?.(value, exact).find(({ pointer }) => `${pointer}/`.startsWith(place));
  if (wrong !== undefined) {
    return describeSchemaProblem({ problem: wrong, value });
  }
  const { resource, undeclared } = split(body);
  return { collection, resource: withMadeKey(resource, own), undeclared, text: undefined, key: own };
}
