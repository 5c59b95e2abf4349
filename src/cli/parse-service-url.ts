import { ClocheError } from '../errors/cloche-error.ts';
import { refuseUserinfo } from './refuse-userinfo.ts';

/**
 * Reads the base URL of a service that nothing is sent to.
 *
 * @returns it without a slash at its end
 * @throws ClocheError OPTION_INVALID for what is no http or https URL, and for one with credentials, a query or a
 *   fragment
 */
export function parseServiceUrl(text: string): string {
  refuseUserinfo(text, { what: 'the base URL', remedy: 'Leave them out' });
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable =
    url !== undefined && /^https?:$/u.test(url.protocol) && url.search === '' && url.hash === '';
  if (!isUsable) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the base URL',
      subject: text,
      reason: 'it is no http or https URL without a query',
      remedy: 'Write it as https://api.example.com, with the path prefix if there is one',
    });
  }
  return `${url.origin}${url.pathname.replace(/\/+$/u, '')}`;
}
