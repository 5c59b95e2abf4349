import { schemaProperties } from '../../contract/schema-properties.ts';
import type { JsonObject } from '../../json/json-value.ts';
import type { QuestionSilence } from '../question-silence.ts';
import type { UndeclaredPropertiesAnswer } from '../undeclared-properties.ts';
import { isClosed } from './is-closed.ts';
import { isOpenByWord } from './is-open-by-word.ts';
import { jsonBodies } from './json-bodies.ts';

/** What a document says of properties that it does not name: `additionalProperties` (JSON Schema 2020-12 core §10.3.2.3). */
export const undeclaredPropertiesSilence: QuestionSilence<UndeclaredPropertiesAnswer> = {
  silence(operation) {
    const bodies = jsonBodies(operation);
    const [first] = bodies;
    if (first === undefined) {
      return { kind: 'not-asked', why: 'the operation takes no JSON object' };
    }
    const { pointer } = first;
    if (bodies.every(({ schema }) => isClosed(schema?.schema ?? true))) {
      const says = 'The schema of the body says that it takes no other property';
      return { kind: 'answered', pointer, says, answer: 'refuse' };
    }
    return bodies.every(({ schema }) => isOpenByWord(schema?.schema ?? true))
      ? { kind: 'answered', pointer, says: 'The schema of the body says that it takes other properties' }
      : {
          kind: 'open',
          settledBy: 'The schema of the body would have to say additionalProperties, false or not',
        };
  },
  declare({ answer, operation }) {
    const names = jsonBodies(operation).flatMap(({ schema }) => [...schemaProperties(schema?.schema).keys()]);
    const properties = Object.fromEntries(names.map((name): [string, JsonObject] => [name, {}]));
    return {
      additions:
        answer === 'refuse'
          ? [{ kind: 'request-schema', schema: { properties, additionalProperties: false } }]
          : [],
      answer,
    };
  },
};
