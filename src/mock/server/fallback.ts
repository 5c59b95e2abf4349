import { ClocheError } from '../../errors/cloche-error.ts';
import { createUrlSend } from '../../http/client.ts';
import { type Answer, framingFields, type HeaderList, toHeaderList } from '../../http/message.ts';
import { pathPrefix } from '../../http/path.ts';
import { replaceFields, withoutFields } from '../answer/representation.ts';
import { type Fallback, type MockResponse, originOf, type RequestHead } from '../message.ts';
import { passContent } from '../passed-content.ts';

/** The time within which the service must answer, in milliseconds. */
const timeoutMs = 30_000;
/** The maximum number of concurrent requests. */
const connections = 32;

/** The name of the mock in `Via` (RFC 9110 §7.6.3), by which it recognises its own requests. */
const pseudonym = 'cloche-mock';

/**
 * Opens the service to which a mock forwards requests for operations that it does not serve. Redirects are not followed.
 * Streams, and other content without a length, pass as they arrive; a transport that needs whole responses gets the first
 * events.
 *
 * @throws ClocheError OPTION_INVALID if the URL is not http or https, or has a query or a fragment
 */
export function openFallback(given: string): Fallback {
  const url = parseUrl(given);
  const client = createUrlSend({ baseUrl: url, timeoutMs, connections });
  const service = url.href.replace(/\/$/u, '');

  return {
    async forward({ head, bytes }) {
      if (head.header('via')?.includes(pseudonym) === true) {
        return `${service} is the mock itself`;
      }
      const headers: HeaderList = [
        ...toHeaderList(withoutHopFields(head.fields(), head)),
        ['Via', `1.1 ${pseudonym}`],
      ];
      const { method } = head;
      const signal = head.signal?.();
      const answer = await client.send(
        { method, target: toTarget(head.target), headers, body: bytes },
        signal === undefined ? {} : { signal, passesStreams: true },
      );
      if (signal?.aborted === true) return `${service}: the client did not wait for its answer`;
      if (answer.kind !== 'response') return `${service}: ${describeFailure(answer)}`;
      return toMockResponse(answer, { head, url, service });
    },
    close: () => client.close(),
  };
}

function parseUrl(given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url !== undefined && /^https?:$/u.test(url.protocol) && url.search === '' && url.hash === '')
    return url;
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'use the fallback',
    subject: given,
    reason: 'it is no http or https URL without a query and a fragment',
    remedy: 'Write it as http://127.0.0.1:8080, with the path prefix if there is one',
  });
}

/** Returns the path and query of a target, which may be a whole URL (RFC 9112 §3.2.2). */
function toTarget(target: string): string {
  if (target.startsWith('/')) return target;
  const { pathname, search } = new URL(target, 'http://mock.invalid');
  return pathname + search;
}

/** Removes the fields of the connection (RFC 9110 §7.6.1), and those that the client of the service sets. */
function withoutHopFields(fields: readonly string[], head: Pick<RequestHead, 'header'>): readonly string[] {
  const named = (head.header('connection') ?? '').toLowerCase().split(',');
  const removed = [
    ...named.map((name) => name.trim()),
    ...framingFields,
    'host',
    'expect',
    'accept-encoding',
  ];
  return withoutFields(fields, removed);
}

function describeFailure(answer: Exclude<Answer, { kind: 'response' }>): string {
  return answer.kind === 'timed-out' ? `it did not answer within ${timeoutMs / 1000} seconds` : answer.reason;
}

/**
 * Returns the response of the service. Its content is decoded unless it is a stream, CORS is that of the mock, and a
 * `Location` at the service leads to the mock, so that a browser stays there.
 */
function toMockResponse(
  { response: { status, headers, body, undecoded }, stream }: Extract<Answer, { kind: 'response' }>,
  { head, url, service }: { readonly head: RequestHead; readonly url: URL; readonly service: string },
): MockResponse {
  const ofCors = headers.flatMap(([name]) => (/^access-control-/iu.test(name) ? [name.toLowerCase()] : []));
  // The fields of the service describe content that the mock does not decode.
  const hasNoBody = stream !== undefined || head.method === 'HEAD';
  const ofCoding = hasNoBody || undecoded !== undefined ? [] : ['content-encoding'];
  const framing = [...framingFields].filter((name) => !hasNoBody || name !== 'content-length');
  const kept = withoutFields(headers.flat(), [...framing, ...ofCors, ...ofCoding, 'date']);
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  const base = `${url.origin}${pathPrefix(url)}`;
  const isOwn = location?.startsWith(`${base}/`) === true;
  return {
    status,
    headers: isOwn ? replaceFields(kept, ['Location', originOf(head) + location.slice(base.length)]) : kept,
    body: hasNoBody || status === 204 || status === 304 ? undefined : body,
    passed: stream && passContent(stream),
    note: { message: `Forwarded to ${service}.` },
  };
}
