import type { JsonObject } from '../../json/json-value.ts';
import { faultIdForm } from '../faults/fault-id-form.ts';
import { pathParameter } from './path-parameter.ts';

/** The parameter that names a rule. */
export const faultIdParameter: JsonObject = pathParameter('id', 'The id of the rule.', {
  type: 'string',
  pattern: faultIdForm.source,
});
