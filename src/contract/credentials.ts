import type { HeaderList } from '../http/message.ts';
import type { Contract } from './contract.ts';
import { decodeQueryText } from './read-parameters.ts';

/** Where requests carry credentials; names in lower case. */
export interface CredentialFields {
  /** Header fields, of answers too. */
  readonly fields: ReadonlySet<string>;
  /** Parameters of the query. */
  readonly parameters: ReadonlySet<string>;
}

/** What carries credentials by custom, whatever a document says. */
const usualFields = (
  'authorization proxy-authorization cloche-control-token cookie set-cookie x-api-key api-key apikey ' +
  'x-auth-token x-access-token x-csrf-token x-xsrf-token'
).split(' ');
const usualParameters = ['access_token', 'api_key', 'apikey', 'token'];

/** Schemes that may stand before credentials (the IANA registry, and what is used besides); another word may be a secret. */
const schemes =
  /^(?:apikey|aws4-hmac-sha256|basic|bearer|digest|dpop|gnap|hoba|key|mac|mutual|negotiate|ntlm|oauth|privatetoken|scram-sha-1|scram-sha-256|token|vapid)[ \t]+/iu;

/** Where the requests of a document carry credentials, by its security schemes (OpenAPI 3.1 §4.8.27) or by custom. */
export function credentialFields({ operations }: Pick<Contract, 'operations'>): CredentialFields {
  const keys = operations
    .flatMap(({ security }) => security.flat())
    .flatMap((scheme) => (scheme.kind === 'api-key' ? [scheme] : []));
  const namesIn = (place: 'header' | 'query'): readonly string[] =>
    keys.flatMap((key) => (key.in === place ? [key.parameter.toLowerCase()] : []));
  return {
    fields: new Set([...usualFields, ...namesIn('header')]),
    parameters: new Set([...usualParameters, ...namesIn('query')]),
  };
}

/** Puts something in the place of a secret. */
export type Replace = (secret: string) => string;

/** What base64 says, where it says a text (RFC 7617 §2). */
function decodeBasic(text: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0)),
    );
  } catch {
    return undefined;
  }
}

/** A scheme stays, what follows it does not; a word alone may be a token in the wrong place. */
function hideAuthorization(value: string, replace: Replace): string {
  const [scheme = ''] = schemes.exec(value) ?? [];
  const rest = value.slice(scheme.length);
  if (rest === '' || (scheme === '' && schemes.test(`${rest} `))) return value;
  const shown = `${scheme}${replace(rest)}`;
  const pair = /^basic/iu.test(scheme) ? decodeBasic(rest) : undefined;
  if (pair !== undefined) {
    // What else may stand somewhere: the two of them, and the password alone.
    [pair, pair.slice(pair.indexOf(':') + 1)].filter((secret) => secret !== '').forEach(replace);
  }
  return shown;
}

/** The value of each cookie goes: which of them is a session, no document says. One without a name is all value. */
function hideCookies(value: string, replace: Replace): string {
  return value
    .split(';')
    .map((pair) => {
      const end = pair.indexOf('=');
      const secret = end === -1 ? pair.trim() : pair.slice(end + 1);
      return secret === '' ? pair : `${end === -1 ? '' : pair.slice(0, end + 1)}${replace(secret)}`;
    })
    .join(';');
}

/** A user and a password before the host of a target in absolute form. */
const userinfo = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#@]*)@/iu;

/**
 * Prepares the replacement of credentials where they are known to stand: in the fields of HTTP, where the
 * security of a contract has its API keys, and where they stand by custom.
 */
export function createCredentialReplacement(contract: Pick<Contract, 'operations'>): {
  readonly headers: (headers: HeaderList, replace: Replace) => HeaderList;
  readonly target: (target: string, replace: Replace) => string;
} {
  const { fields, parameters } = credentialFields(contract);

  function hideField(name: string, value: string, replace: Replace): string {
    const field = name.toLowerCase();
    if (!fields.has(field)) return value;
    switch (field) {
      case 'authorization':
      case 'proxy-authorization':
        return hideAuthorization(value, replace);
      case 'cookie':
        return hideCookies(value, replace);
      case 'set-cookie': {
        // What it says of its cookie stays (RFC 6265 §4.1).
        const [pair = '', ...attributes] = value.split(';');
        return [hideCookies(pair, replace), ...attributes].join(';');
      }
      default:
        return value === '' ? value : replace(value);
    }
  }

  return {
    headers: (headers, replace) =>
      headers.map(([name, value]) => [name, hideField(name, value, replace)] as const),
    target(whole, replace) {
      const target = whole.replace(
        userinfo,
        (_, scheme: string, secret: string) => `${scheme}${secret === '' ? '' : replace(secret)}@`,
      );
      const start = target.indexOf('?');
      if (start === -1) return target;
      const members = target
        .slice(start + 1)
        .split('&')
        .map((member) => {
          const end = member.indexOf('=');
          const name = end === -1 ? member : member.slice(0, end);
          const secret = member.slice(name.length + 1);
          return secret !== '' && parameters.has(decodeQueryText(name).toLowerCase())
            ? `${name}=${replace(secret)}`
            : member;
        });
      return `${target.slice(0, start)}?${members.join('&')}`;
    },
  };
}
