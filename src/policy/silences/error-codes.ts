import type { DeclaredResponse } from '../../contract/declared-response.ts';
import { schemaProperties } from '../../contract/schema-properties.ts';
import { schemasInPlace } from '../../contract/schemas-in-place.ts';
import { schemaTypes } from '../../contract/schema-types.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { ErrorCodesAnswer } from '../error-codes.ts';
import type { QuestionSilence } from '../question-silence.ts';
import { noWords } from './no-words.ts';

function isError({ status }: DeclaredResponse): boolean {
  switch (status.kind) {
    case 'exact':
      return status.status >= 400;
    case 'range':
      return status.hundreds >= 4;
    case 'default':
      return true;
  }
}

/** The numbers that an error body holds, and whether the document lists their values. */
function listCodes(schema: JsonSchema): readonly { readonly isListed: boolean }[] {
  return [...schemaProperties(schema).values()]
    .filter((property) => {
      const types = schemaTypes(property.schema, schema);
      return types.has('integer') || types.has('number');
    })
    .map((property) => ({
      isListed: schemasInPlace(schema, property.schema).some(
        (part) => Object.hasOwn(part, 'enum') || Object.hasOwn(part, 'const'),
      ),
    }));
}

/** What a document says of the codes in its error bodies: the values that their schema lists. */
export const errorCodesSilence: QuestionSilence<ErrorCodesAnswer> = {
  silence(operation) {
    const errors = operation.responses.filter((response) => isError(response) && response.media.length > 0);
    const [first] = errors;
    const settledBy = noWords;
    if (first === undefined) {
      return { kind: 'open', settledBy };
    }
    const schemas = errors.flatMap(({ media }) =>
      media.flatMap(({ isJson, schema }) => (isJson && schema !== undefined ? [schema.schema] : [])),
    );
    const codes = schemas.flatMap(listCodes);
    if (schemas.length > 0 && codes.length === 0) {
      return { kind: 'not-asked', why: 'no error body that it declares holds a number' };
    }
    return codes.length > 0 && codes.every(({ isListed }) => isListed)
      ? { kind: 'answered', pointer: first.pointer, says: 'The schema of its error body lists the codes' }
      : { kind: 'open', settledBy };
  },
};
