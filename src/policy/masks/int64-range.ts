import { isJsonObject } from '../../json/is-json-object.ts';
import type { FindMask } from '../mask.ts';

/** A number that is bounded closer is refused for that. */
export const int64RangeMask: FindMask = ({ constraints }) => {
  const bounded = Object.entries(isJsonObject(constraints) ? constraints : {}).find(
    ([, fragment]) => isJsonObject(fragment) && ('maximum' in fragment || 'exclusiveMaximum' in fragment),
  );
  return bounded === undefined
    ? undefined
    : { by: 'constraints', why: `"${bounded[0]}" is bounded within the range` };
};
