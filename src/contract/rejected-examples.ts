import { describePath, type DocumentWarning } from '../document/document.ts';
import type { JsonPointer } from '../json/pointer.ts';
import { holdsExactNumber, isJsonObject, type JsonValue } from '../json/value.ts';
import type { CompiledSchema } from '../schema/compile.ts';
import { describeSchemaProblem } from '../schema/describe-problem.ts';
import type { Contract, Operation } from './contract.ts';

/** A parameter, a header or a media type. */
interface ExampleHolder {
  readonly schema?: CompiledSchema | undefined;
  readonly examples?: readonly JsonValue[];
  readonly pointer: JsonPointer;
}

function holdersOf({ parameters, requestBody, responses }: Operation): readonly ExampleHolder[] {
  const shown = responses.flatMap(({ headers, media }) => [...headers, ...media]);
  return [...parameters, ...(requestBody?.media ?? []), ...shown];
}

/** Returns its examples and those in its schema (OpenAPI 3.1 §4.8.24, JSON Schema 2020-12 validation §9.5). */
function examplesOf({ schema, examples = [] }: ExampleHolder): readonly JsonValue[] {
  const { examples: own } = isJsonObject(schema?.schema) ? schema.schema : {};
  return [...examples, ...(Array.isArray(own) ? own : [])];
}

/** Returns a warning for each example that its schema rejects. Neither the mock nor a run uses these examples. */
export function listRejectedExamples(contract: Contract): readonly DocumentWarning[] {
  const { root, placeOf, locate, source } = contract;
  const holders = new Map(contract.operations.flatMap(holdersOf).map((holder) => [holder.pointer, holder]));
  return [...holders.values()].flatMap((holder) => {
    const { schema, pointer } = holder;
    return examplesOf(holder).flatMap((value): DocumentWarning[] => {
      const validate = schema?.validator({ formats: 'ignore', integers: 'by-value' });
      const [problem] = validate?.(value, holdsExactNumber(value)) ?? [];
      if (problem === undefined) return [];
      const why = describeSchemaProblem({ problem, value, subject: 'it' });
      return [
        {
          ...(locate(placeOf(pointer)) ?? { file: source, line: 1, column: 1 }),
          reason: `${describePath(root, pointer)}: its schema rejects an example: ${why}`,
          remedy: 'Correct the example or the schema',
          effect: 'the example is not used',
          isUnclear: false,
        },
      ];
    });
  });
}
