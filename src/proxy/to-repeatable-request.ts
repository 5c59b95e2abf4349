import type { HttpRequest } from '../http/http-request.ts';

/** Fields of a connection, and those by which a browser says what it is; whoever sends the request again has its own. */
const ofTheClient =
  /^(?:host|connection|keep-alive|proxy-connection|te|content-length|transfer-encoding|accept-encoding|accept-language|user-agent|priority|dnt|upgrade-insecure-requests|sec-.*)$/iu;

/** A request of traffic as it is sent again by hand, without what belongs to whoever sent it. */
export function toRepeatableRequest(request: HttpRequest): HttpRequest {
  return { ...request, headers: request.headers.filter(([name]) => !ofTheClient.test(name)) };
}
