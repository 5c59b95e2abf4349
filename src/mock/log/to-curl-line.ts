import { headerValue, type HeaderList } from '../../http/header-list.ts';
import { toCurl } from '../../http/to-curl.ts';
import { pathOf } from '../steps/path-of.ts';
import type { createCredentialReplacement } from '../../contract/credentials.ts';
import type { RawRequest } from './raw-request.ts';

/** A shorter secret stands in words that are none. */
const shortestSecret = 6;
/** Where the mock listens by default; the request itself most often says where. */
const usualUrl = 'http://127.0.0.1:4010';
/** What belongs to the connection, or follows from the content (RFC 9110 §7.6.1). */
const ofConnection: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'expect',
]);

function baseUrlOf(fields: HeaderList): string {
  const host = headerValue(fields, 'host') ?? '';
  const url = `http://${host}`;
  return /^[\w.:[\]-]+$/u.test(host) && URL.canParse(url) ? url : usualUrl;
}

/** Path and query, where the target is a whole URL too (RFC 9112 §3.2.2). */
function localTarget(target: string): string {
  const query = target.indexOf('?');
  const path = pathOf(target);
  return `${path.startsWith('/') ? path : `/${path}`}${query === -1 ? '' : target.slice(query)}`;
}

/**
 * The request again, as a command line, with variables in the place of credentials.
 *
 * @param input.fields - those of the request
 * @param input.secrets - what else must not be shown
 * @returns an empty text for what was no request
 */
export function toCurlLine(input: {
  readonly raw: RawRequest;
  readonly fields: HeaderList;
  readonly credentials: ReturnType<typeof createCredentialReplacement>;
  readonly secrets: readonly string[];
  /** Whether it had content that was not read, or not kept. */
  readonly lacksContent: boolean;
}): string {
  const { raw, fields, credentials, secrets, lacksContent } = input;
  if (raw.method === '-') {
    return '';
  }
  // A short secret may be any word of the body, so what stands in its place is one that nothing else holds.
  const stands = new Map<string, string>();
  const replace = (secret: string): string => {
    const isLong = secret.length >= shortestSecret;
    const stand = stands.get(secret) ?? (isLong ? secret : `secret-of-this-request-${stands.size + 1}`);
    stands.set(secret, stand);
    return stand;
  };
  const kept = fields.filter(([name]) => !ofConnection.has(name.toLowerCase()));
  const headers = credentials.headers(kept, replace);
  const target = credentials.target(localTarget(raw.target), replace);
  const line = toCurl({
    request: {
      method: raw.method,
      target,
      headers,
      body: typeof raw.content === 'string' ? undefined : raw.content,
    },
    baseUrl: baseUrlOf(fields),
    secrets: [...stands.values(), ...secrets],
  });
  return lacksContent ? `${line} # without its content` : line;
}
