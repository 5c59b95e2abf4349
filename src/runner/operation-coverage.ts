import type { JsonPointer } from '../json/json-pointer.ts';

/** A place of the contract, as the user finds it in what they wrote. */
interface Place {
  /** The file that it is in, where that is not the document itself but one that it refers to. */
  readonly file?: string;
  readonly pointer: JsonPointer;
}

/** A response that the document declares, and how often it came. */
export interface ResponseCoverage extends Place {
  /** As it is declared: `200`, `4XX`, `default`. */
  readonly status: string;
  readonly seen: number;
  /** Why it never came, where that is so. */
  readonly reason?: string;
}

/** A kind of body (`plain`, `extreme`, `malformed` …) that was sent in a media type, and how often. */
export interface BodyCoverage {
  readonly mediaType: string;
  readonly kind: string;
  readonly sent: number;
}

/** A keyword of a schema, and how often values met it and broke it. */
export interface KeywordCoverage extends Place {
  /** `pointer` is where the keyword stands in the document: `/components/schemas/NewItem/required`. */
  readonly keyword: string;
  /** Which values it is about. */
  readonly of: 'body' | 'parameter' | 'response';
  /**
   * How many values the whole schema accepted, once one of them was seen to hold what the keyword is about; none
   * until then.
   */
  readonly met: number;
  /** How often it was named as what is wrong with a value. */
  readonly broken: number;
  /** Why it was never met, or never broken by a request, where that is so. */
  readonly reason?: string;
}

/** What of one operation a run exercised. */
export interface OperationCoverage extends Place {
  /** The id of the operation, or its method and path. */
  readonly operation: string;
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
