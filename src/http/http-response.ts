import type { ContentFault } from './content-fault.ts';
import type { HeaderList } from './header-list.ts';

/** A response as it came, after its transfer coding was taken off. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: HeaderList;
  /**
   * The content, empty where there is none. A send over the network takes the content codings gzip, deflate
   * and br off it; Content-Encoding stays in the headers.
   */
  readonly body: Uint8Array;
  /** Where a content coding could not be taken off: the body is as it came then. */
  readonly undecoded?: ContentFault;
}
