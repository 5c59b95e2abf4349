import { addDefaultHeaders } from '../http/add-default-headers.ts';
import type { HttpRequest } from '../http/http-request.ts';
import { type CurlSource, toCurl } from '../http/to-curl.ts';
import type { FindingSurroundings } from './render-finding.ts';

/**
 * A request as a curl line, with what was sent along with every request of the run. Its own User-Agent serves
 * curl as well.
 */
export function renderCurl(
  request: HttpRequest,
  surroundings: Pick<FindingSurroundings, 'baseUrl' | 'secrets' | 'insecure' | 'ca' | 'headers'>,
  how: Pick<CurlSource, 'excess' | 'framing'> = {},
): string {
  const { baseUrl, secrets, insecure, ca, headers } = surroundings;
  const added = headers.filter(([name]) => name.toLowerCase() !== 'user-agent');
  return toCurl({
    request: { ...request, headers: addDefaultHeaders(request.headers, added) },
    baseUrl,
    secrets,
    insecure,
    ...how,
    ...(ca === undefined ? {} : { ca }),
  });
}
