import type { JsonObject } from '../../json/json-value.ts';
import { snapshotNameForm } from '../state/snapshot-name-form.ts';
import { pathParameter } from './path-parameter.ts';

/** The parameter that names a snapshot. */
export const snapshotNameParameter: JsonObject = pathParameter('name', 'The name of the snapshot.', {
  type: 'string',
  pattern: snapshotNameForm.source,
});
