/** What of a request is known before its content has come. */
export interface RequestHead {
  readonly method: string;
  /** As it was sent: path and query, or a whole URL (RFC 9112 §3.2). */
  readonly target: string;
  /**
   * The value of a field, several of one name joined with a comma (RFC 9110 §5.3).
   *
   * @param name - in lower case
   */
  header(name: string): string | undefined;
  /** Names and values in turn, as they were sent, for who keeps them; made when asked for. */
  fields(): readonly string[];
}

/** The content of a request: its bytes, none, or more than the policy allows. */
export type RequestContent = Uint8Array | undefined | 'too-large';
