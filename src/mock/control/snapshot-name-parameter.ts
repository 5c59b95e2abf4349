import type { JsonObject } from '../../json/json-value.ts';
import { pathParameter } from './path-parameter.ts';

/** The parameter that names a snapshot. */
export const snapshotNameParameter: JsonObject = pathParameter('name', 'The name of the snapshot.', {
  type: 'string',
  pattern: '^[\\p{L}\\p{N}_](?:[\\p{L}\\p{N} ._-]{0,62}[\\p{L}\\p{N}_.-])?$',
});
