import type { Contract } from '../contract/contract.ts';

/** Where requests carry credentials; names in lower case. */
export interface CredentialFields {
  /** Header fields, of answers too. */
  readonly fields: ReadonlySet<string>;
  /** Parameters of the query. */
  readonly parameters: ReadonlySet<string>;
}

/** What carries credentials by custom, whatever a document says. */
const usualFields = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'api-key',
  'apikey',
  'x-auth-token',
  'x-access-token',
  'x-csrf-token',
  'x-xsrf-token',
];
const usualParameters = ['access_token', 'api_key', 'apikey', 'token'];

/** Where the requests of a document carry credentials, by its security schemes (OpenAPI 3.1 §4.8.27) or by custom. */
export function credentialFields({ operations }: Pick<Contract, 'operations'>): CredentialFields {
  const keys = operations
    .flatMap(({ security }) => security.flat())
    .flatMap((scheme) => (scheme.kind === 'api-key' ? [scheme] : []));
  const namesIn = (place: 'header' | 'query'): readonly string[] =>
    keys.flatMap((key) => (key.in === place ? [key.parameter.toLowerCase()] : []));
  return {
    fields: new Set([...usualFields, ...namesIn('header')]),
    parameters: new Set([...usualParameters, ...namesIn('query')]),
  };
}
