import type { MediaTypeContract } from '../../contract/media-type-contract.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { Refused } from './refused.ts';

/** What the content of a request turned out to be. */
export type ContentReading =
  | {
      readonly kind: 'value';
      /** The content itself, where it is a JSON text that reads as the value and as nothing else; else undefined. */
      readonly text: string | undefined;
      readonly value: JsonValue;
      readonly exact: boolean;
      readonly media: MediaTypeContract;
    }
  /** There is none, and none is asked for. */
  | { readonly kind: 'absent' }
  /** It has a declared media type in whose notation the mock does not read. */
  | { readonly kind: 'unread' }
  | Refused;
