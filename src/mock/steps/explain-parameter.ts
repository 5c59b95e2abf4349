import type { Parameter } from '../../contract/parameter.ts';
import type { InvalidParameter } from '../../contract/parameters/create-parameter-check.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import { quoteClause } from '../content/quote-clause.ts';
import type { RequestProblem } from '../log/logged-request.ts';

/** Says which parameter is wrong, and which clause of the document says so (OpenAPI 3.1 §4.8.12). */
export function explainParameter(
  { name, in: place, pointer, keyword, schemaPointer, reason }: InvalidParameter,
  parameters: readonly Parameter[],
): RequestProblem {
  const schema = parameters.find((parameter) => parameter.pointer === pointer)?.schema;
  const clause =
    schema === undefined || schemaPointer === undefined
      ? { pointer: appendPointer(pointer, keyword), text: `${keyword}: true` }
      : { pointer: schema.placeOf(schemaPointer), text: quoteClause(schema.schema, schemaPointer) };
  return { parameter: { in: place, name }, reason, clause: { in: 'document', ...clause } };
}
