/** How the control interface is to be. */
export interface ControlOptions {
  /**
   * What a request over an address that other machines reach must carry.
   *
   * @defaultValue none, so that only programs on this machine are answered
   */
  readonly token?: string;
}
