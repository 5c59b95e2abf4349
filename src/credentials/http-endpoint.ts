import { createUrlSend, type UrlSendOptions } from '../http/client.ts';
import type { HeaderList, HttpRequest, HttpResponse } from '../http/message.ts';
import { cannotJudge } from '../session/throttle.ts';

/** How Cloche connects to hosts: certificates, time-outs and the like. */
export interface Connection extends Omit<UrlSendOptions, 'baseUrl' | 'connections' | 'headers' | 'ca'> {
  /** Trusted certificates in PEM form, instead of the well-known ones. */
  readonly ca?: string | undefined;
}

/**
 * Sends one request, and returns the response.
 *
 * @throws ClocheError CANNOT_JUDGE if there is no response
 */
export async function requestOnce(
  baseUrl: URL,
  request: HttpRequest,
  { connection, headers = [] }: { readonly connection: Connection; readonly headers?: HeaderList },
): Promise<HttpResponse> {
  const { ca, ...others } = connection;
  const client = createUrlSend({
    ...others,
    ...(ca === undefined ? {} : { ca }),
    baseUrl,
    headers,
    connections: 1,
  });
  try {
    const answer = await client.send(request);
    if (answer.kind === 'response') return answer.response;
    const reason = 'reason' in answer ? answer.reason : 'it does not answer in time';
    const remedy = answer.kind === 'unreachable' ? answer.remedy : undefined;
    const what = `${request.method} ${request.target.split('?', 1)[0]}`;
    throw cannotJudge(
      baseUrl.href,
      `${reason} (at ${what}, which is to return a credential)`,
      remedy ?? 'Start it, or correct the settings of the credential',
    );
  } finally {
    await client.close();
  }
}
