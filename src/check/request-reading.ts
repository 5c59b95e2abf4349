import type { InvalidParameter } from '../contract/parameters/create-parameter-check.ts';
import type { Contest } from './find-contest.ts';
import type { CompiledSchema } from '../schema/compile-schema.ts';
import type { SchemaProblem } from '../schema/schema-problem.ts';
import type { JsonPointer } from '../json/json-pointer.ts';
import type { JsonValue } from '../json/json-value.ts';

/** The credentials of a request, held against what its operation asks for. */
export type CredentialsReading =
  /** The operation asks for none, or lets anonymous requests in. */
  | 'not-required'
  | 'good'
  /** A good token, the scheme in another case or more than one space behind it. */
  | 'good-unusual'
  | 'missing'
  /** Something is there that is not of the scheme asked for, or no token in it. */
  | 'other'
  /** A token of the right scheme that is not known to be good. */
  | 'unknown-token'
  /** The scheme is one that Cloche does not judge. */
  | 'unjudged';

/** Where a valid body leaves what anybody would send, and how, in words: `characters past ASCII`. */
export interface Oddity {
  readonly place: JsonPointer;
  readonly words: string;
}

/** What a schema-valid body is besides valid. */
export type BodyGrade =
  | { readonly kind: 'plain' }
  /** Where it leaves what anybody would send, the first place first. */
  | { readonly kind: 'extreme'; readonly oddities: readonly [Oddity, ...Oddity[]] }
  /** Something that readers disagree about. */
  | ({ readonly kind: 'contested' } & Contest);

/** Why a body is no JSON. */
export interface MalformedExplanation {
  readonly reason: string;
  /** The known extension of JSON under which it reads as a valid body, if there is one. */
  readonly extension: string | undefined;
}

/** A body, decoded and validated as a server would. */
export type BodyReading =
  /** None is sent where none is declared, or where it may be left out. */
  | { readonly kind: 'not-expected' }
  | { readonly kind: 'valid'; readonly grade: BodyGrade; readonly value: JsonValue; readonly exact: boolean }
  | {
      readonly kind: 'invalid';
      readonly problems: readonly SchemaProblem[];
      readonly value: JsonValue;
      /** The schema that it breaks. */
      readonly schema: CompiledSchema;
    }
  /** Found out when asked for: it matters only where such a body is taken, and costs more than all the rest. */
  | { readonly kind: 'malformed'; readonly explain: () => MalformedExplanation }
  | {
      readonly kind: 'other-media';
      readonly mediaType: string | undefined;
      /** Whether it holds a valid body in JSON or in the notation of its own media type. */
      readonly carries: boolean;
      /** The body that it holds in JSON, where that is plain. */
      readonly plainJson: JsonValue | undefined;
    }
  /** Declared, but in a media type whose content Cloche does not read. */
  | { readonly kind: 'unjudged'; readonly mediaType: string };

/** A request, read from the bytes that left. */
export interface RequestReading {
  readonly credentials: CredentialsReading;
  readonly body: BodyReading;
  readonly bodyBytes: number;
  /**
   * `allocated`: drawn fresh; `twin`: drawn fresh, and one with a number that was sent before to a service that
   * loses digits or bits; `chosen`: the case fixed it, so it may exist; `sent`: sent before in this run.
   */
  readonly key: 'none' | 'allocated' | 'twin' | 'chosen' | 'sent';
  /** Whether the declared success can meet Accept; `contested` where readers of Accept disagree. */
  readonly accept: 'met' | 'unmet' | 'contested';
  readonly invalidParameters: readonly InvalidParameter[];
  /** Whether the declared media type is written in another case or with parameters (RFC 9110 §8.3.1). */
  readonly mediaTypeSpelling: 'usual' | 'unusual';
  readonly framing: 'content-length' | 'chunked' | 'several-packets';
}
