import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { ErrorFacts } from './error-facts.ts';
import { fillErrorProperty } from './fill-error-property.ts';
import { holdsExactNumber } from '../../json/holds-exact-number.ts';
import { sampleValue } from './sample-value.ts';
import type { SentMedia } from './sent-media.ts';

/** Writes an error body. */
export type ErrorBody = (facts: ErrorFacts) => string;

type Fill = (facts: ErrorFacts) => JsonValue | undefined;

const plainFacts: ErrorFacts = {
  status: 400,
  code: 400,
  condition: 'invalid-body',
  message: 'The body is not valid.',
};

/** Ways to fill a schema, the most telling first. */
function waysToFill(schema: JsonSchema): readonly Fill[] {
  const root = isJsonObject(schema) ? schema : {};
  return [
    (facts) =>
      sampleValue({ schema, root, fill: (name, property) => fillErrorProperty(name, property, facts) }),
    (facts) =>
      sampleValue({
        schema,
        root,
        fill: (name, property) => {
          const value = fillErrorProperty(name, property, facts);
          return typeof value === 'string' ? value : undefined;
        },
      }),
    () => sampleValue({ schema, root }),
  ];
}

/** What an error is where the document does not say. */
const plainError: Fill = ({ code, message }) => ({ error: code, message });

/** Whether an empty object would be made for a schema that names no property. */
function isBare(schema: JsonSchema): boolean {
  const root = isJsonObject(schema) ? schema : {};
  const made = 'properties' in root ? undefined : sampleValue({ schema, root });
  return made !== undefined && isJsonObject(made) && Object.keys(made).length === 0;
}

/**
 * Prepares the error bodies of a declared media type, filled by role.
 *
 * A body is checked with the declared schema before it is used, both now and when it is written; where the
 * sentence of the moment does not fit, the body made now stands in for it.
 *
 * @returns undefined where no body that the schema accepts can be made
 */
export function createErrorBody({ media, isJson }: SentMedia): ErrorBody | undefined {
  if (media.schema === undefined) {
    return isJson ? (facts) => JSON.stringify(plainError(facts)) : ({ message }) => message;
  }
  const validate = media.schema.validator({ formats: 'assert', integers: 'by-value' });
  const write = isJson ? stringifyJson : String;
  function accepts(body: JsonValue | undefined): body is JsonValue {
    return (
      body !== undefined &&
      (isJson || typeof body === 'string') &&
      validate(body, holdsExactNumber(body)).length === 0
    );
  }
  const examples: readonly Fill[] = media.examples.map((example) => () => example);
  const first = isJson && isBare(media.schema.schema) ? [...examples, plainError] : [];
  const ways: readonly Fill[] = isJson ? waysToFill(media.schema.schema) : [({ message }) => message];
  const way = [...first, ...ways, ...examples].find((fill) => accepts(fill(plainFacts)));
  const fallback = way?.(plainFacts);
  if (way === undefined || fallback === undefined) {
    return undefined;
  }
  return (facts) => {
    const body = way(facts);
    return write(accepts(body) ? body : fallback);
  };
}
