import type { DeclaredResponse } from '../../contract/declared-response.ts';
import type { Operation } from '../../contract/operation.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { SentMedia } from '../bodies/sent-media.ts';

/** A response of the document that a sample is made for. */
export interface SampleRequest {
  readonly operation: Operation;
  readonly response: DeclaredResponse;
  readonly sent: SentMedia;
}

/** Makes a body for a response, or gives undefined where it cannot. It need not be valid. */
export type Sampler = (request: SampleRequest) => JsonValue | undefined;
