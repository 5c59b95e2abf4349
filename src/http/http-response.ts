import type { HeaderList } from './header-list.ts';

/** A response as it came, after its transfer coding was taken off. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: HeaderList;
  /** The content; empty where there is none. */
  readonly body: Uint8Array;
}
