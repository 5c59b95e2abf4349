/** How an answer reaches its client, where that is not at once and whole. */
export interface Delivery {
  /** How long it is held back, in milliseconds. */
  readonly delayMs: number;
  /**
   * What becomes of the connection: `drop` ends it before a byte is written, `truncate` in the middle of the
   * content, whose Content-Length says all of it. An answer without content is dropped whole.
   */
  readonly connection: 'keep' | 'drop' | 'truncate';
}
