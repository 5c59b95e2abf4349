import { listAlteredTokens } from '../arbitrary/credentials.ts';
import { decodeBasic } from '../http/bytes.ts';
import type { HeaderList } from '../http/message.ts';
import { proxySecrets } from '../http/outgoing-proxy.ts';
import { isSecretName } from '../http/redact.ts';
import type { Against, Target } from './target.ts';

/** Lists the secrets in a token or an Authorization field: the text after the scheme, and its decoded form. */
export function tokenSecrets(value: string): readonly string[] {
  const [, scheme = '', rest = value] = /^(\S+)[ \t]+(.+)$/su.exec(value) ?? [];
  const pair = scheme.toLowerCase() === 'basic' ? decodeBasic(rest) : undefined;
  return pair?.includes(':') !== true ? [rest] : [rest, pair];
}

/** Returns whether a header field is a secret. Users give keys only as secrets; other secrets have telling names. */
const isSecretField = (name: string): boolean => /^cookie$|(?:^|[-_])key$/iu.test(name) || isSecretName(name);

/** Shortest cookie value to search for: shorter values occur in too many other places. */
const shortestCookie = 6;

/**
 * Lists the secrets in the header fields that a run sends with every request: credentials without their scheme,
 * cookies, keys and tokens.
 *
 * @example
 * headerSecrets([['Authorization', 'Bearer s3cret'], ['X-Tenant', 'acme']]); // ['s3cret']
 */
function headerSecrets(headers: HeaderList): readonly string[] {
  return headers
    .filter(([name]) => isSecretField(name))
    .flatMap(([name, value]) => {
      if (/authorization$/iu.test(name)) return tokenSecrets(value);
      const cookies = /^cookie$/iu.test(name) ? value.split(/; */u) : [];
      const values = cookies.map((pair) => pair.slice(pair.indexOf('=') + 1));
      return [value, ...values.filter(({ length }) => length >= shortestCookie)];
    })
    .filter((secret) => secret !== '');
}

/** A value that no report may show, and its description. */
interface Secret {
  readonly value: string;
  /** In words, for a user who pastes a line with a variable in its place. */
  readonly meaning: string;
}

/**
 * Lists the values that no report on a target may show: the token first (empty if there is none), then the values in
 * its header fields, with the credential parts before whole values, and those of its proxy.
 *
 * @param meaning - the description of the token
 */
export function listSecrets(
  target: Pick<Target, 'token' | 'headers' | 'credentialHeaders' | 'secrets' | 'proxy'>,
  meaning = 'the token',
): readonly Secret[] {
  const token = target.token ?? '';
  const ofField = (field: HeaderList[number]): readonly Secret[] => {
    const [name, value] = field;
    const parts = headerSecrets([field]);
    // A value that contains credentials is shown, except for the credentials.
    const wholes = parts.length === 0 && target.secrets.includes(value) ? [value] : [];
    return [...parts, ...wholes].map((secret) => ({
      value: secret,
      meaning: `the ${secret === value ? 'value' : 'secret'} of --header ${name}`,
    }));
  };
  const credentials = (target.credentialHeaders ?? []).flatMap(ofField);
  const inHeaders = [...target.headers.flatMap(ofField), ...credentials];
  const bare = tokenSecrets(token).filter((value) => value !== token);
  const others = bare.map((value) => ({ value, meaning: `${meaning} without its scheme` }));
  const altered = [token, ...bare, ...credentials.map(({ value }) => value)]
    .flatMap(listAlteredTokens)
    .map(({ value, how }) => ({ value, meaning: `${meaning} ${how}` }));
  // Basic authentication sends user and password in base64 (RFC 7617 §2).
  const encode = (plain: Secret): readonly Secret[] =>
    plain.value.includes(':')
      ? [{ value: Buffer.from(plain.value).toString('base64'), meaning: `${plain.meaning} in base64` }]
      : [];
  const encoded = encode({ value: token, meaning });
  const known = new Set([token]);
  const ofProxy = proxySecrets(target.proxy).map((value) => ({
    value,
    meaning: 'the password of the proxy',
  }));
  const besides = [
    ...encoded,
    ...others,
    ...inHeaders,
    ...ofProxy,
    ...altered,
    ...altered.flatMap(encode),
  ].filter(({ value }) => !known.has(value) && known.add(value));
  return [{ value: token, meaning }, ...besides];
}

/** Lists the values that no report on two targets may show: the secrets of the first, then the others. */
export function listSecretsOfBoth(
  target: Target,
  against: (Target & Against) | undefined,
): readonly Secret[] {
  const own = listSecrets(target);
  if (against === undefined) return own;
  const known = new Set(['', ...own.map(({ value }) => value)]);
  const others = listSecrets(against).filter(({ value }) => !known.has(value) && known.add(value));
  return [
    ...own,
    ...others.map(({ value, meaning }) => ({ value, meaning: `${meaning} for ${against.names.other}` })),
  ];
}

/** The secrets of a command, which can grow while it runs. A secret keeps its position, which names its variable. */
export interface SecretList {
  /** The secrets. Reports read this array each time that they render a text. */
  readonly values: readonly string[];
  /** The description of each secret, in the same order. Successive values of one credential have the same one. */
  readonly meanings: readonly string[];
  /**
   * Adds a credential with the forms in which requests carry it, before the first request that carries it. The meaning
   * names the credential: one that is fetched again has the meaning of the previous one.
   */
  readonly addCredential: (credential: string, meaning: string) => void;
}

/** Makes equal descriptions different: `the secret of --header Cookie (2)`. */
function distinguish(secrets: readonly Secret[]): readonly Secret[] {
  const counts = new Map<string, number>();
  return secrets.map(({ value, meaning }) => {
    const count = (counts.get(meaning) ?? 0) + 1;
    counts.set(meaning, count);
    return { value, meaning: count === 1 ? meaning : `${meaning} (${count})` };
  });
}

/** Creates the list of secrets of a command from those that are known at its start. */
export function createSecretList(known: readonly Secret[]): SecretList {
  const first = distinguish(known);
  const values = first.map(({ value }) => value);
  const meanings = first.map(({ meaning }) => meaning);
  return {
    values,
    meanings,
    addCredential(token, meaning) {
      for (const secret of distinguish(listSecrets({ token, headers: [], secrets: [] }, meaning))) {
        if (secret.value === '' || values.includes(secret.value)) continue;
        values.push(secret.value);
        meanings.push(secret.meaning);
      }
    },
  };
}
