import type { MockAnswer } from '../steps/mock-answer.ts';
import type { RequestHead } from '../steps/request-head.ts';

/** How a request came to the mock. */
export type Reach =
  /** Without a network, from the process that the mock lives in. */
  | 'in-process'
  /** Over an address that only programs on the same machine reach. */
  | 'loopback'
  /** Over an address that other machines may reach. */
  | 'network';

/** What answers the requests under one path instead of the contract: the control interface. */
export interface Mounted {
  /** `/__cloche`. Requests to it and to whatever lies below it are not the contract's. */
  readonly prefix: string;
  /** The most bytes of content that a request may have. */
  readonly contentLimit: number;
  /** The answer to who may not ask here at all, so that no content of theirs is read; undefined for all others. */
  refuse(request: { readonly head: RequestHead; readonly reach: Reach }): Promise<MockAnswer | undefined>;
  /** Answers a request, if it is none to refuse. It is not logged and gets no CORS. */
  answer(request: {
    readonly head: RequestHead;
    readonly content: Uint8Array | 'too-large' | undefined;
    readonly reach: Reach;
  }): Promise<MockAnswer>;
}
