import { listAlteredTokens } from '../arbitrary/credentials.ts';
import type { HeaderList } from '../http/message.ts';
import type { Against, Target } from '../session/target.ts';
import { proxySecrets } from '../http/outgoing-proxy.ts';
import { headerSecrets, tokenSecrets } from './arguments.ts';

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
  /** The description of each secret, in the same order. */
  readonly meanings: readonly string[];
  /** Adds a credential with the forms in which requests carry it, before the first request that carries it. */
  readonly addCredential: (credential: string, meaning: string) => void;
}

/** Creates the list of secrets of a command from those that are known at its start. */
export function createSecretList(first: readonly Secret[]): SecretList {
  const values = first.map(({ value }) => value);
  const meanings = first.map(({ meaning }) => meaning);
  return {
    values,
    meanings,
    addCredential(token, meaning) {
      for (const secret of listSecrets({ token, headers: [], secrets: [] }, meaning)) {
        if (secret.value === '' || values.includes(secret.value)) continue;
        values.push(secret.value);
        meanings.push(secret.meaning);
      }
    },
  };
}
