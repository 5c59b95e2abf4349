import { shorten } from '../content/shorten.ts';

/**
 * Says that the value of a unique property is taken, in words without a full stop.
 *
 * @param claim - the name of the property, a NUL and the value
 */
export function describeClaim(claim: string): string {
  const name = shorten(claim.slice(0, claim.indexOf('\0')));
  return `the value of "${name}" is taken: another resource has it, and it must be unique`;
}
