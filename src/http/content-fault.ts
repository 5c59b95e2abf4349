/** Why the content of a response stayed in a content coding. */
export interface ContentFault {
  /** The coding, in lower case: `gzip`. */
  readonly coding: string;
  /** The content is not in it, or it is none that is known here. */
  readonly reason: 'broken' | 'unknown';
}
