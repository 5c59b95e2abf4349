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

/**
 * Names a finding by its check, its operation, its cause and its trigger, none of which holds a seed, a key or a
 * generated value, so that two runs call it the same.
 *
 * @returns `server-error-6f1d0c3a9be2`
 */
export function findingId({ check, operation, cause, trigger = '' }: Finding): string {
  const name = hash(JSON.stringify([check, operation, cause, trigger]));
  return `${check}-${name.toString(16).padStart(16, '0').slice(0, 12)}`;
}
