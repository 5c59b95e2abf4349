import { findInvalidParameters } from '../contract/check-parameters.ts';
import type { Operation } from '../contract/contract.ts';
import { findIdempotencyKey } from '../contract/idempotency-key.ts';
import { type HeaderList, headerValue } from '../http/message.ts';

/**
 * Replaces a valid `Idempotency-Key` with one that was never sent, if its schema accepts one. A service repeats its
 * response to a known key instead of carrying out the request, and may refuse the key with another body.
 *
 * @param draw - returns a number that was never drawn before
 */
export function freshenIdempotencyKey(
  headers: HeaderList,
  operation: Operation | undefined,
  draw: () => number,
): HeaderList {
  const parameter = operation && findIdempotencyKey(operation);
  if (parameter === undefined) return headers;
  const name = parameter.name.toLowerCase();
  const isValid = (value: string): boolean => {
    const source = { path: {}, query: [], header: () => value };
    return (
      findInvalidParameters([parameter], source, { formats: 'assert', integers: 'by-value' }).length === 0
    );
  };
  const sent = headerValue(headers, name);
  if (sent === undefined || !isValid(sent)) return headers;
  const serial = draw();
  const uuid = `00000000-0000-4000-8000-${serial.toString(16).padStart(12, '0')}`;
  const fresh = [uuid, `key-${serial}`, String(serial)].find(isValid);
  if (fresh === undefined) return headers;
  return headers.map(([field, value]) => [field, field.toLowerCase() === name ? fresh : value]);
}
