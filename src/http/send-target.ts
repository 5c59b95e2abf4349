import type { HeaderList } from './header-list.ts';

/** Where requests go, and how long an answer is waited for. */
export interface SendTarget {
  /** An http: or https: URL. Its path stands before the target of each request; its query is not used. */
  readonly baseUrl: URL;
  /** For a connection, and then again for the whole answer, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Whether any certificate of the service is taken.
   *
   * @defaultValue false
   */
  readonly insecure?: boolean;
  /** Certificates in PEM form that are trusted in place of the well-known ones. */
  readonly ca?: string;
  /** Fields sent with each request that does not have a field of that name itself. */
  readonly headers?: HeaderList;
  /**
   * How many bytes of the content of an answer are read, content codings taken off; a longer one is cut.
   *
   * @defaultValue {@link usualResponseLimit}
   */
  readonly responseLimit?: number;
}

/** 16 MiB. */
export const usualResponseLimit: number = 16 * 1024 * 1024;
