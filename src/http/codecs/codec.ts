import type { JsonPointer } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import type { CompiledSchema } from '../../schema/compile.ts';

/** The specified encoding of a form property (OpenAPI 3.1 §4.8.15). */
export interface PropertyEncoding {
  /** Media types or ranges, separated by commas. */
  readonly contentType?: string;
  readonly style?: string;
  readonly explode?: boolean;
}

/** The content that a document declares under a media type or a range. */
export interface DeclaredContent {
  /** As written in the document: `application/json`, `text/*`. */
  readonly range: string;
  readonly schema: CompiledSchema | undefined;
  /** For a form: the encoding of properties by name (OpenAPI 3.1 §4.8.15); left out if not specified. */
  readonly encoding?: ReadonlyMap<string, PropertyEncoding>;
  readonly pointer: JsonPointer;
  /** Whether `schema` is that of the list of all items, from `itemSchema` or the schema of one item. */
  readonly isSequence?: boolean;
}

/** The result of parsing content. It is disputed if parsers of the notation disagree about the content. */
export type ParsedContent =
  | { readonly kind: 'value'; readonly value: JsonValue; readonly isDisputed?: boolean }
  /** The content cannot be parsed; the reason has no full stop. */
  | { readonly kind: 'malformed'; readonly reason: string; readonly isDisputed?: boolean }
  /** A part has another media type than the document declares. */
  | {
      readonly kind: 'wrong-type';
      readonly at: JsonPointer;
      readonly sent: string;
      /** Media types and ranges, separated by commas, as written at `clause`. */
      readonly wanted: string;
      readonly clause: JsonPointer;
    };

/** Reads and writes the content of a family of media types. */
export interface Codec {
  /** Returns whether the codec supports a media type, in lower case, without parameters. */
  readonly matches: (essence: string) => boolean;
  /**
   * The kind of content: a value with typed parts, an object whose members are texts, or one text. The schema decides
   * the types of the texts.
   */
  readonly holds: 'value' | 'members' | 'text';
  /** Parses content; undefined if the schema allows no value of this kind. A codec without it only writes. */
  readonly parse?: (
    content: Uint8Array,
    media: DeclaredContent,
    contentType: string,
  ) => ParsedContent | undefined;
  /** Writes a value. A codec without it only reads. */
  readonly serialize?: (
    value: JsonValue,
    media: Pick<DeclaredContent, 'schema' | 'isSequence'>,
  ) => string | Uint8Array;
  /** Parses the items of a response that may have been read before its end; undefined if they are not described. */
  readonly parseStream?: (content: Uint8Array, media: DeclaredContent) => ParsedContent | undefined;
  /** Writes one item of a stream, whose content has no declared end. */
  readonly frame?: (item: JsonValue) => string;
}
