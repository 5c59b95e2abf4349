import type { Concern } from './find-concerns.ts';

/** Whether nothing but what is listed could be held against a request. */
export function hasOnly(concerns: ReadonlySet<Concern>, ...listed: readonly Concern[]): boolean {
  for (const concern of concerns) {
    if (!listed.includes(concern)) {
      return false;
    }
  }
  return true;
}
