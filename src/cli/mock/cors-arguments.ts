/** What a command takes that lets pages of other origins in. */
export interface CorsArguments {
  readonly cors: boolean;
  readonly 'cors-origin': readonly string[];
}
