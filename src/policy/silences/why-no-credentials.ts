import type { Operation } from '../../contract/operation.ts';

/** Why an operation is asked nothing about credentials; undefined where it wants some (OpenAPI 3.1 §4.8.30). */
export function whyNoCredentials({ security }: Operation): string | undefined {
  if (security.length === 0) {
    return 'no security applies';
  }
  return security.some((alternative) => alternative.length === 0)
    ? 'its security lets anonymous requests in'
    : undefined;
}
