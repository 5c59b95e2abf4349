import type { HeaderList } from './header-list.ts';

/** A request as it leaves: nothing in it is decoded or normalised. */
export interface HttpRequest {
  /** As it is sent; methods are case-sensitive (RFC 9110 §9.1). */
  readonly method: string;
  /** Path and query below the base URL, percent-encoded, starting with a slash. */
  readonly target: string;
  readonly headers: HeaderList;
  /** The content, or undefined where there is none. */
  readonly body: Uint8Array | undefined;
}
