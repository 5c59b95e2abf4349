import type { ClassifiedCredentials } from '../check/classify/subject.ts';
import { findInvalidParameters } from '../contract/check-parameters.ts';
import type { Operation } from '../contract/contract.ts';
import { credentialNames } from '../contract/credentials.ts';
import { type HeaderList, headerValue } from '../http/message.ts';
import type { RunSettings } from './target.ts';

/**
 * Sets the header parameters of an operation to the values that the user gave with `--header`. If a case sends an
 * invalid value on purpose, that value stays.
 */
export function setGivenHeaders(
  headers: HeaderList,
  operation: Operation | undefined,
  given: HeaderList,
): HeaderList {
  if (given.length === 0 || operation === undefined) return headers;
  let all = headers;
  for (const parameter of operation.parameters) {
    const name = parameter.name.toLowerCase();
    const own = given.filter(([field]) => field.toLowerCase() === name);
    if (parameter.in !== 'header' || own.length === 0) continue;
    const sent = headerValue(all, name);
    const source = { path: {}, query: [], header: () => sent };
    const invalid = findInvalidParameters([parameter], source, { formats: 'ignore', integers: 'by-value' });
    if (sent !== undefined && invalid.length > 0) continue;
    all = [...all.filter(([field]) => field.toLowerCase() !== name), ...own];
  }
  return all;
}

/** Credentials that an operation must reject. */
export const badCredentials: ReadonlySet<ClassifiedCredentials> = new Set([
  'missing',
  'other',
  'unknown-token',
]);

/** The names of fields that protect against forged requests (CSRF). They are secret, but give access to nothing. */
const forgery = /[cx]srf/iu;

/**
 * Returns the names of the fields given with `--header` that carry credentials and that no security scheme of the
 * document uses. They are part of every request, so an accepted probe of credentials proves nothing.
 */
export function otherCredentials({
  contract,
  givenHeaders = [],
  credentialHeaders = [],
}: Pick<RunSettings, 'contract' | 'givenHeaders' | 'credentialHeaders'>): readonly string[] {
  const { isField } = credentialNames(contract);
  return givenHeaders
    .filter((field) => !credentialHeaders.includes(field) && isField(field[0]) && !forgery.test(field[0]))
    .map(([name]) => name);
}
