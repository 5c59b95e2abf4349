import { type Agent, type ClientRequest, request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestTls } from 'node:https';

/** Of the header section of an answer; Node's own limit is 16 KiB. */
const mostHeaderBytes = 256 * 1024;

/** What {@link openUpstreamRequest} writes. */
export interface UpstreamHead {
  readonly baseUrl: URL;
  readonly agent: Agent;
  readonly method: string;
  /** The path prefix of the base URL included. */
  readonly path: string;
  /** Names and values in turn. */
  readonly fields: readonly string[];
}

/** Methods that Node gives no framing field by itself. */
const withoutContent: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

function isFramed(fields: readonly string[]): boolean {
  return fields.some(
    (text, index) => index % 2 === 0 && /^(?:content-length|transfer-encoding)$/iu.test(text),
  );
}

/**
 * Begins a request to the service, with the fields as they are given: in their order and spelling, those that are
 * there more than once included, and no field besides but Connection.
 *
 * Where a request that usually has content comes without any, and without a length, Node would add one to a list;
 * so its fields are given one by one, and those of one name then leave side by side.
 *
 * @throws TypeError for a field or a path that no request can have
 */
export function openUpstreamRequest({ baseUrl, agent, method, path, fields }: UpstreamHead): ClientRequest {
  const open = baseUrl.protocol === 'https:' ? requestTls : requestHttp;
  const options: RequestOptions = {
    // RFC 3986 §3.2.2: the brackets belong to the URL, not to the address.
    host: baseUrl.hostname.replace(/^\[(.*)\]$/u, '$1'),
    port: baseUrl.port || (baseUrl.protocol === 'https:' ? 443 : 80),
    method,
    path,
    agent,
    setHost: false,
    maxHeaderSize: mostHeaderBytes,
  };
  if (withoutContent.has(method) || isFramed(fields)) {
    const request = open({ ...options, headers: [...fields] });
    // Of an answer too every field passes.
    request.maxHeadersCount = 0;
    return request;
  }
  const request = open(options);
  request.maxHeadersCount = 0;
  try {
    for (let index = 0; index + 1 < fields.length; index += 2) {
      request.appendHeader(fields[index] ?? '', fields[index + 1] ?? '');
    }
  } catch (error) {
    request.on('error', () => undefined).destroy();
    throw error;
  }
  request.removeHeader('Content-Length');
  request.removeHeader('Transfer-Encoding');
  return request;
}
