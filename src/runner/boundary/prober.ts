import type { PlainBody } from '../../arbitrary/plain-body.ts';
import type { JsonPointer } from '../../json/json-pointer.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { SessionRecord } from '../create-session.ts';
import type { Verdict } from './verdict.ts';

/** What came of a probe. */
export interface Probed {
  readonly verdict: Verdict;
  /** Undefined where nothing was sent, as the document does not allow the value, or the run is stopped. */
  readonly record: SessionRecord | undefined;
}

/** Sends plain bodies of one operation with one thing changed, each with a key of its own. */
export interface Prober {
  readonly body: PlainBody;
  /** A plain body with a value at a place; equal ones are sent once. */
  put(place: JsonPointer, value: JsonValue): Promise<Probed>;
  /** The same as put, sent again. */
  putAgain(place: JsonPointer, value: JsonValue): Promise<Probed>;
  /** A plain body that white space between its tokens makes so many bytes long. */
  pad(bytes: number): Promise<Probed>;
  /** The answer to a plain body whose key was just taken. */
  repeatKey(): Promise<Probed>;
  /** A number that no other key of the run is made of. */
  freshSerial(): number;
}
