import type { HeaderList } from '../../http/header-list.ts';

/** Where the requests of a run go too, where it compares two services. */
export interface Elsewhere {
  /** The base URL that curl lines name. */
  readonly baseUrl: string;
  /** Sent with every request besides its own. */
  readonly headers: HeaderList;
}
