import type { SecurityAlternative, SecurityScheme } from '../../contract/security.ts';

function describeScheme(scheme: SecurityScheme): string {
  switch (scheme.kind) {
    case 'bearer':
      return 'the header Authorization with "Bearer" and a token';
    case 'basic':
      return 'the header Authorization with "Basic" and a user and password in Base64';
    case 'api-key':
      return scheme.in === 'query'
        ? `the key in the query parameter "${scheme.parameter}"`
        : `the key in the ${scheme.in} "${scheme.parameter}"`;
    case 'unjudged':
      return `the credentials of "${scheme.name}"`;
  }
}

/** What a client has to send to be let in, in words. */
export function describeCredentials(security: readonly SecurityAlternative[]): string {
  return security.map((alternative) => alternative.map(describeScheme).join(' and ')).join(', or ');
}
