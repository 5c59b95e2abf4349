import type { Contract } from '../contract/contract.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import type { HeaderList } from '../http/header-list.ts';

/**
 * Refuses header fields that carry the credentials that the document asks for: they would go with every
 * request, those without credentials too, and a service that rightly lets them in would be blamed.
 *
 * @throws ClocheError OPTION_INVALID; its sentence does not show the value
 */
export function refuseCredentialHeaders(headers: HeaderList, { operations }: Contract): void {
  const schemes = operations.flatMap(({ security }) => security.flat());
  const names = schemes.flatMap((scheme) => {
    switch (scheme.kind) {
      case 'bearer':
      case 'basic':
        return ['authorization'];
      case 'api-key':
        return scheme.in === 'header' ? [scheme.parameter.toLowerCase()] : [];
      case 'unjudged':
        return [];
    }
  });
  const carrier = headers.find(([name]) => names.includes(name.toLowerCase()));
  if (carrier !== undefined) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      subject: `--header ${carrier[0]}`,
      reason: 'the document asks for credentials in that field, and a run leaves them out now and then',
      remedy: 'Pass them with --token: the token alone, or user:password for basic authentication',
    });
  }
}
