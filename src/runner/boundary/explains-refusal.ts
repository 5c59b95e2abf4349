import { valuePlaces } from '../../arbitrary/value-places.ts';
import type { Boundary } from '../../check/boundary.ts';
import { breaksBoundary } from '../../check/breaks-boundary.ts';
import type { Judged } from '../../check/judged.ts';
import { placePattern } from './place-pattern.ts';

/** Whether a boundary is reason enough for a valid body to be refused. */
export function explainsRefusal(boundary: Boundary, { request }: Judged): boolean {
  const { body, bodyBytes } = request;
  if (boundary.what === 'body-size') {
    return bodyBytes >= boundary.refused;
  }
  return (
    body.kind === 'valid' &&
    valuePlaces(body.value).some(
      ({ at, value }) => placePattern(at) === boundary.place && breaksBoundary(value, boundary),
    )
  );
}
