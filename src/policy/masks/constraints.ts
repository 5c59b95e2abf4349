import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { FindMask } from '../mask.ts';

function longestText(constraints: JsonValue | undefined): number {
  const fragments = isJsonObject(constraints) ? Object.values(constraints) : [];
  const lengths = fragments.flatMap((fragment) => {
    const length = isJsonObject(fragment) ? fragment['maxLength'] : undefined;
    return typeof length === 'number' ? [length] : [];
  });
  return Math.max(0, ...lengths);
}

/** A text that is too long for its body never gets as far. */
export const constraintsMask: FindMask = (answers) => {
  const limit = answers['body-limit'];
  const bytes = isJsonObject(limit) ? limit['bytes'] : undefined;
  return typeof bytes === 'number' && longestText(answers.constraints) >= bytes
    ? { by: 'body-limit', why: 'bodies that are longer than the texts it bounds are not read' }
    : undefined;
};
