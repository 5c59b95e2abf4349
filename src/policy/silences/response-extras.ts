import { findDeclaredSuccess } from '../../contract/find-declared-success.ts';
import { schemaProperties } from '../../contract/schema-properties.ts';
import type { QuestionSilence } from '../question-silence.ts';
import type { ResponseExtrasAnswer } from '../response-extras.ts';
import { clientKey } from './client-key.ts';
import { findPropertySchema } from './find-property-schema.ts';
import { isClosed } from './is-closed.ts';
import { jsonBodies } from './json-bodies.ts';

/** What a document says of the key in the answer to a create: that the schema of the answer declares it, or cannot hold it. */
export const responseExtrasSilence: QuestionSilence<ResponseExtrasAnswer> = {
  silence(operation) {
    const key = clientKey(operation);
    const schemas = (findDeclaredSuccess(operation)?.media ?? [])
      .filter(({ isJson }) => isJson)
      .flatMap(({ schema, pointer }) => (schema === undefined ? [] : [{ schema: schema.schema, pointer }]));
    const [first] = schemas;
    if (key === undefined) {
      return { kind: 'not-asked', why: 'no client chooses a key' };
    }
    if (first === undefined) {
      return { kind: 'not-asked', why: 'its answer has no JSON with a schema' };
    }
    const { pointer } = first;
    if (schemas.every(({ schema }) => schemaProperties(schema).has(key))) {
      const says = `The schema of the answer declares "${key}"`;
      return { kind: 'answered', pointer, says, answer: 'none' };
    }
    return schemas.every(({ schema }) => isClosed(schema))
      ? {
          kind: 'answered',
          pointer,
          says: 'The schema of the answer says that it has no other property',
          answer: 'none',
        }
      : {
          kind: 'open',
          settledBy: `The schema of the answer would have to declare "${key}", or additionalProperties: false`,
        };
  },
  declare({ answer, operation, contract }) {
    const key = clientKey(operation);
    const [body] = jsonBodies(operation);
    if (answer === 'none' || key === undefined || body === undefined) {
      return { additions: [], answer };
    }
    const schema = findPropertySchema({ contract, pointer: `${body.pointer}/schema`, name: key });
    return {
      additions: [{ kind: 'answer-schema', schema: { properties: { [key]: schema ?? {} } } }],
      answer: 'none',
    };
  },
};
