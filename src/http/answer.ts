import type { HttpResponse } from './http-response.ts';

/** What came of a request. Whatever is no response holds the bytes that had arrived by then. */
export type Answer =
  | {
      readonly kind: 'response';
      readonly response: HttpResponse;
      /**
       * What came on the connection after the end of the response. It is not there where the send does not see
       * it: a client library hides it, and in process there is no connection.
       */
      readonly trailing?: Uint8Array;
    }
  | { readonly kind: 'timed-out'; readonly afterMs: number; readonly received: Uint8Array }
  | { readonly kind: 'dropped'; readonly reason: string; readonly received: Uint8Array }
  | { readonly kind: 'not-http'; readonly reason: string; readonly received: Uint8Array }
  /** No connection came about, so that nothing was sent. */
  | { readonly kind: 'unreachable'; readonly reason: string };
