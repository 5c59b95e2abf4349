import type { JsonPointer } from '../json/json-pointer.ts';

/** A response that the document declares, and how often it came. */
export interface ResponseCoverage {
  /** As it is declared: `200`, `4XX`, `default`. */
  readonly status: string;
  readonly pointer: JsonPointer;
  readonly seen: number;
}

/** A kind of body (`plain`, `extreme`, `malformed` …) that was sent in a media type, and how often. */
export interface BodyCoverage {
  readonly mediaType: string;
  readonly kind: string;
  readonly sent: number;
}

/** A keyword of a schema, and how often values met it and broke it. */
export interface KeywordCoverage {
  /** Where the keyword stands in the document: `/components/schemas/NewItem/required`. */
  readonly pointer: JsonPointer;
  readonly keyword: string;
  /** Which values it is about. */
  readonly of: 'body' | 'parameter' | 'response';
  readonly met: number;
  readonly broken: number;
  /** Why it was never broken (or never met), where that is so and the reason is known. */
  readonly reason?: string;
}

/** What of one operation a run exercised. */
export interface OperationCoverage {
  /** The id of the operation, or its method and path. */
  readonly operation: string;
  readonly pointer: JsonPointer;
  readonly requests: number;
  /** Answers of success that a request without a fault got. */
  readonly accepted: number;
  readonly bodies: readonly BodyCoverage[];
  readonly responses: readonly ResponseCoverage[];
  /** Statuses that came and are not declared. */
  readonly undeclared: readonly { readonly status: number; readonly seen: number }[];
  readonly keywords: readonly KeywordCoverage[];
  /** Why nothing, or not all, of it was exercised, where that is so and the reason is known. */
  readonly reason?: string;
}
