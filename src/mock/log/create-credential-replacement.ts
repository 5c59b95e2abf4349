import { decodeQueryText } from '../../contract/parameters/parse-query.ts';
import type { SecurityScheme } from '../../contract/security.ts';
import type { HeaderList } from '../../http/header-list.ts';

/** Puts something in the place of a secret. */
export type Replace = (secret: string) => string;

type ApiKey = SecurityScheme & { readonly kind: 'api-key' };

/** Fields that carry credentials in any contract; the second and third have a scheme before them (RFC 9110 §11.6.2). */
const secretFields: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization']);
const controlField = 'cloche-control-token';

/** A scheme stays, what follows it does not; a word alone may be a token in the wrong place. */
function hideAuthorization(value: string, replace: Replace): string {
  const [, scheme = '', rest = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+[ \t]+)(.*)$/su.exec(value) ?? [
    '',
    '',
    value,
  ];
  return rest === '' ? value : `${scheme}${replace(rest)}`;
}

/** The value of each cookie goes: which of them is a session, no document says. */
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

/** What a Set-Cookie says of its cookie stays (RFC 6265 §4.1). */
function hideSetCookie(value: string, replace: Replace): string {
  const [pair = '', ...attributes] = value.split(';');
  return [hideCookies(pair, replace), ...attributes].join(';');
}

/**
 * Prepares the replacement of credentials where they are known to stand: in the fields of HTTP, and where the security
 * of a contract has its API keys.
 */
export function createCredentialReplacement(schemes: readonly SecurityScheme[]): {
  readonly headers: (headers: HeaderList, replace: Replace) => HeaderList;
  readonly target: (target: string, replace: Replace) => string;
} {
  const keys = schemes.filter((scheme): scheme is ApiKey => scheme.kind === 'api-key');
  const inHeader = new Set([
    controlField,
    ...keys.filter((key) => key.in === 'header').map(({ parameter }) => parameter.toLowerCase()),
  ]);
  const inQuery = new Set(keys.filter((key) => key.in === 'query').map(({ parameter }) => parameter));

  function hideField(name: string, value: string, replace: Replace): string {
    const field = name.toLowerCase();
    if (secretFields.has(field)) {
      return hideAuthorization(value, replace);
    }
    if (field === 'cookie') {
      return hideCookies(value, replace);
    }
    if (field === 'set-cookie') {
      return hideSetCookie(value, replace);
    }
    return inHeader.has(field) && value !== '' ? replace(value) : value;
  }

  return {
    headers: (headers, replace) =>
      headers.map(([name, value]) => [name, hideField(name, value, replace)] as const),
    target(target, replace) {
      const start = target.indexOf('?');
      if (inQuery.size === 0 || start === -1) {
        return target;
      }
      const members = target
        .slice(start + 1)
        .split('&')
        .map((member) => {
          const end = member.indexOf('=');
          const name = end === -1 ? member : member.slice(0, end);
          const secret = member.slice(name.length + 1);
          return secret !== '' && inQuery.has(decodeQueryText(name)) ? `${name}=${replace(secret)}` : member;
        });
      return `${target.slice(0, start)}?${members.join('&')}`;
    },
  };
}
