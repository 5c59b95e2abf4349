/** Which pages of other origins may use a mock. */
export interface CorsOptions {
  /**
   * The origins that may: `http://localhost:5173`, `null` for pages without one.
   *
   * @defaultValue any
   */
  readonly origins?: readonly string[];
  /**
   * Whether they may send cookies and the like.
   *
   * @defaultValue true
   */
  readonly credentials?: boolean;
}
