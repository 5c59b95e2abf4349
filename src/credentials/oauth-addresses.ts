import { ClocheError } from '../errors/cloche-error.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';

/** The scheme that an address is for, and the base URL of the service. */
interface AddressContext {
  readonly scheme: string;
  readonly baseUrl: URL;
}

/** A URL, and whether the configuration names it. */
export interface Address {
  readonly url: URL;
  readonly isConfigured: boolean;
}

/** Returns a text that is not empty. */
export function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns the token endpoint of the flows of a scheme (OpenAPI 3.1 §4.8.28). A client may use that of another flow. */
export function findDeclaredTokenUrl({ flows }: JsonObject, isRefresh: boolean): string | undefined {
  if (!isJsonObject(flows)) return undefined;
  const { clientCredentials, ...others } = flows;
  const all = (
    isRefresh ? [...Object.values(others), clientCredentials] : [clientCredentials, ...Object.values(others)]
  ).filter(isJsonObject);
  const refreshUrls = isRefresh ? all.map(({ refreshUrl }) => textOf(refreshUrl)) : [];
  return [...refreshUrls, ...all.map(({ tokenUrl }) => textOf(tokenUrl))].find((url) => url !== undefined);
}

const isLoopback = ({ hostname }: URL): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(hostname);

/**
 * Checks that a secret may go to an address: the configuration names it, or it has the origin of the service, and is
 * encrypted or on this machine. Otherwise a foreign document would decide who gets the secret.
 *
 * @param member - the setting that would allow it
 * @throws ClocheError OPTION_INVALID with the line to add
 */
export function checkAddress(
  { url, isConfigured }: Address,
  member: 'tokenUrl' | 'discovery',
  { scheme, baseUrl }: AddressContext,
): URL {
  const isSame = url.origin === baseUrl.origin;
  const isSafe = url.protocol === 'https:' || isLoopback(url);
  if (isConfigured || (isSame && isSafe)) return url;
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'get the credential of',
    subject: scheme,
    reason: isSame
      ? `its secret would go to ${url.href} without encryption`
      : `the configuration does not name ${url.href}, and the origin of the service is ${baseUrl.origin}`,
    remedy: `If the secret may go there, add this to the configuration, below "${scheme}" in "credentials": ${member}: ${url.href}`,
  });
}

/** Reads a URL of the document. A relative one is relative to the base URL (OpenAPI 3.1 §4.6). @throws ClocheError OPTION_INVALID */
export function resolveUrl(text: string, { scheme, baseUrl }: AddressContext): URL {
  const base = baseUrl.href.endsWith('/') ? baseUrl.href : `${baseUrl.href}/`;
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined;
  if (url !== undefined && /^https?:$/u.test(url.protocol)) return url;
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'get the credential of',
    subject: scheme,
    reason: `the document names ${text}, which is no http or https URL`,
    remedy: `Add the right one to the configuration, below "${scheme}" in "credentials": tokenUrl: https://…`,
  });
}
