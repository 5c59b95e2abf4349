import type { Finding } from './finding.ts';

const offset = 0xcbf29ce484222325n;
const prime = 0x100000001b3n;

/** FNV-1a, 64 bits: short, the same everywhere, and not meant to keep anything secret. */
function hash(text: string): bigint {
  let value = offset;
  for (const byte of new TextEncoder().encode(text)) {
    value = BigInt.asUintN(64, (value ^ BigInt(byte)) * prime);
  }
  return value;
}

/** A text is long for the body that it makes long as well, so that where it stands is chance. */
function withoutChance(trigger: string): string {
  return trigger.replace(/(?<=with a long text) at \S+/u, '');
}

/**
 * Names a finding by its check, its operation, its cause and its trigger, none of which holds a seed, a key or a
 * generated value, so that two runs call it the same. Where a clause stands in the document has no part in it.
 *
 * @returns `server-error-6f1d0c3a9be2`
 */
export function findingId({ check, operation, cause, trigger = '' }: Finding): string {
  const name = hash(JSON.stringify([check, operation, cause, withoutChance(trigger)]));
  return `${check}-${name.toString(16).padStart(16, '0').slice(0, 12)}`;
}
