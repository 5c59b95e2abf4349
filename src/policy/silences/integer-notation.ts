import type { JsonValue } from '../../json/json-value.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { IntegerNotationAnswer } from '../integer-notation.ts';
import type { QuestionSilence } from '../question-silence.ts';
import { jsonBodies } from './json-bodies.ts';
import { noWords } from './no-words.ts';

function speaksOfIntegers(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) {
    return value.some(speaksOfIntegers);
  }
  if (!isJsonObject(value)) {
    return false;
  }
  const { type } = value;
  return (
    type === 'integer' ||
    (Array.isArray(type) && type.includes('integer')) ||
    Object.values(value).some(speaksOfIntegers)
  );
}

/** What a document says of how an integer is written: nothing, JSON Schema looks at values (2020-12 core §4.2.3). */
export const integerNotationSilence: QuestionSilence<IntegerNotationAnswer> = {
  silence: (operation) =>
    jsonBodies(operation).some(({ schema }) => speaksOfIntegers(schema?.schema))
      ? { kind: 'open', settledBy: noWords }
      : { kind: 'not-asked', why: 'its body holds no integer' },
};
