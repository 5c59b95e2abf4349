/** Where the parameters of a request are read from. Names of header fields are in any case. */
export interface ParameterSource {
  /** By name, percent-decoded, as the router gives them. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: () => URLSearchParams;
  readonly header: (name: string) => string | undefined;
  readonly cookie: (name: string) => string | undefined;
}
