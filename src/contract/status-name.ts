import type { StatusPattern } from './declared-response.ts';

/** A status as a document writes it (OpenAPI 3.1 §4.8.16): `404`, `4XX`, `default`. */
export function statusName(pattern: StatusPattern): string {
  switch (pattern.kind) {
    case 'exact':
      return String(pattern.status);
    case 'range':
      return `${pattern.hundreds}XX`;
    case 'default':
      return 'default';
  }
}
