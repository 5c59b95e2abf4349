import type { JsonPointer } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { QuestionId } from '../../policy/question-id.ts';

/** What a document says of one operation. */
export interface ExplainedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly place: ExplainedPlace;
  /** Whether the mock creates a resource, or answers with a sample, and why it is taken for that. */
  readonly kind: 'create' | 'sample';
  readonly evidence: string;
  /** Of a create: the path that resources are kept under, and what tells them apart. */
  readonly collection?: string;
  readonly key?: { readonly from: 'client' | 'server' | 'none'; readonly property?: string };
  readonly requestBody: { readonly required: boolean; readonly mediaTypes: readonly string[] } | null;
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
  }[];
  /** Each inner list is wanted whole, any one of them is enough; empty where no credentials are asked for. */
  readonly security: readonly (readonly { readonly name: string; readonly kind: string }[])[];
  readonly responses: readonly {
    /** `200`, `4XX`, `default`. */
    readonly status: string;
    readonly mediaTypes: readonly string[];
    readonly description: string;
  }[];
}

/** A place of the document. */
export interface ExplainedPlace {
  readonly pointer: JsonPointer;
  /** Where it is in another file. */
  readonly file?: string;
  readonly line?: number;
}

/** How a question stands for one operation, or for the whole service. */
export interface ExplainedAnswer {
  readonly question: QuestionId;
  /** Null where the question is one of the whole service. */
  readonly operation: string | null;
  readonly state: 'open' | 'answered' | 'not-asked';
  /** What the mock answers, and where that comes from; missing where the question is not asked. */
  readonly answer?: { readonly value: JsonValue; readonly words: string };
  readonly from?: 'document' | 'policy' | 'default';
  /** What the document says, or why it is not asked, as a sentence without its full stop. */
  readonly says?: string;
  readonly place?: ExplainedPlace;
  /** Where the document would have to speak. */
  readonly settledBy?: string;
  /** Whether OpenAPI has words for it; where not, `x-cloche-policy` is all there is. */
  readonly hasWords?: boolean;
}

/** What a run will try. */
export interface ExplainedSuite {
  readonly id: string;
  readonly title: string;
  readonly properties: readonly {
    readonly id: string;
    readonly title: string;
    readonly cases: number;
    /** The most requests of them all. */
    readonly requests: number;
    /** Sent over a raw socket, and so to a base URL alone. */
    readonly viaSocket: boolean;
  }[];
  /** Why there is nothing to try. */
  readonly notApplicable?: string;
}

/** What a document says, what it leaves open, and what a run will check: `schema/explain.schema.json`. */
export interface Explanation {
  readonly $schema: 'urn:cloche:explanation:1';
  readonly version: 1;
  readonly contract: {
    readonly title: string;
    readonly version: string;
    readonly source: string;
    readonly openapi: string;
  };
  readonly operations: readonly ExplainedOperation[];
  readonly questions: readonly { readonly id: QuestionId; readonly question: string }[];
  readonly answers: readonly ExplainedAnswer[];
  readonly run: { readonly runs: number; readonly suites: readonly ExplainedSuite[] };
}
