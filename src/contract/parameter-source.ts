import { parseQuery, type QueryMember } from './parameters/parse-query.ts';

/** Where the parameters of one request are read from. */
export interface ParameterSource {
  /** By name, percent-encoded, as the router gives them. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly QueryMember[];
  /**
   * The value of a header field, several of one name joined with a comma (RFC 9110 §5.3).
   *
   * @param name - in lower case
   */
  readonly header: (name: string) => string | undefined;
}

/**
 * The source of the parameters of a request.
 *
 * @param input.target - as it was sent: path and query
 * @param input.path - as the router gives them
 */
export function toParameterSource(input: {
  readonly target: string;
  readonly path: ParameterSource['path'];
  readonly header: ParameterSource['header'];
}): ParameterSource {
  const { target, path, header } = input;
  return { path, query: parseQuery(target), header };
}
