import type { JsonPointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { Body } from './body.ts';

/** One change of a body: the place, and what stands there afterwards. */
export type BodyEdit =
  | { readonly kind: 'remove'; readonly at: JsonPointer }
  | {
      readonly kind: 'put';
      readonly at: JsonPointer;
      /** The value, for the validator. */
      readonly value: JsonValue;
      /** Its text, where that is not the usual one or holds the place of a key. */
      readonly text?: Body;
    };
