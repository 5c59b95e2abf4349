import type { Target } from '../runner/target.ts';
import { headerSecrets } from './header-secrets.ts';

/** Something that no report may show, and what it is. */
export interface Secret {
  readonly value: string;
  /** In words, for who pastes a line with a variable in its place. */
  readonly meaning: string;
}

/** What is left of a shorter one by leaving out a character stands in too many places. */
const shortestToken = 6;

/**
 * What no report on a target may show: the token first (empty where there is none), then what its header
 * fields carry, the parts that are credentials before whole values.
 */
export function listSecrets(target: Pick<Target, 'token' | 'headers' | 'secrets'>): readonly Secret[] {
  const token = target.token ?? '';
  const inHeaders = target.headers.flatMap((field) => {
    const [name, value] = field;
    const parts = headerSecrets([field]);
    // A value with credentials in it is shown around them.
    const wholes = parts.length === 0 && target.secrets.includes(value) ? [value] : [];
    return [...parts, ...wholes].map((secret) => ({
      value: secret,
      meaning: `the ${secret === value ? 'value' : 'secret'} of --header ${name}`,
    }));
  });
  // Basic authentication sends user and password in base64 (RFC 7617 §2).
  const encoded = token.includes(':')
    ? [{ value: Buffer.from(token).toString('base64'), meaning: 'the token in base64' }]
    : [];
  // A probe sends the token but for its last character.
  const shortened =
    token.length > shortestToken
      ? [{ value: token.slice(0, -1), meaning: 'the token without its last character' }]
      : [];
  const known = new Set([token]);
  const others = [...encoded, ...inHeaders, ...shortened].filter(
    ({ value }) => !known.has(value) && known.add(value),
  );
  return [{ value: token, meaning: 'the token' }, ...others];
}
