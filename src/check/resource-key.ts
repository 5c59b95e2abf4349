import { numberKey } from '../json/number-key.ts';
import type { Judged } from './judged.ts';
import { readKey } from './read-key.ts';

/**
 * The key of what a request would create, where the client chooses it: equal texts are equal keys.
 *
 * @returns undefined where the body cannot be read, or names none
 */
export function resourceKey({ request, operation }: Judged): string | undefined {
  const key = readKey(request.body, operation);
  return key === undefined || typeof key === 'string' ? key : numberKey(key);
}
