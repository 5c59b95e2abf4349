import type { ExactNumber } from '../json/exact-number.ts';
import type { JsonPointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';

interface ProblemPlace {
  /** Where in the value; of a property that is missing or not allowed, the object that it belongs to. */
  readonly pointer: JsonPointer;
  /** Where in the schema, the keyword included. */
  readonly schemaPointer: JsonPointer;
}

/** What a keyword of a schema asks for, as far as a sentence about it needs it. */
type ProblemDetail =
  | { readonly keyword: 'type'; readonly params: { readonly types: readonly string[] } }
  | {
      readonly keyword:
        | 'required'
        | 'dependentRequired'
        | 'additionalProperties'
        | 'unevaluatedProperties'
        | 'propertyNames';
      readonly params: { readonly property: string };
    }
  | {
      readonly keyword: 'minimum' | 'exclusiveMinimum' | 'maximum' | 'exclusiveMaximum' | 'multipleOf';
      readonly params: { readonly limit: number | ExactNumber };
    }
  | {
      readonly keyword:
        | 'minLength'
        | 'maxLength'
        | 'minItems'
        | 'maxItems'
        | 'minProperties'
        | 'maxProperties'
        | 'minContains'
        | 'maxContains';
      readonly params: { readonly limit: number };
    }
  | { readonly keyword: 'pattern' | 'format'; readonly params: { readonly name: string } }
  | { readonly keyword: 'enum' | 'const'; readonly params: { readonly values: readonly JsonValue[] } }
  | { readonly keyword: 'uniqueItems'; readonly params: { readonly indices: readonly [number, number] } }
  | {
      readonly keyword: 'anyOf' | 'oneOf';
      readonly params: {
        /** How many of the alternatives the value matches. */
        readonly matching: number;
        /** Properties of which it lacks each, where having one of them would do. */
        readonly properties: readonly string[];
      };
    }
  | { readonly keyword: 'not' | 'never'; readonly params: Readonly<Record<string, never>> };

/** One thing about a value that its schema does not allow. `never` stands for the schema `false`. */
export type SchemaProblem = ProblemPlace & ProblemDetail;
