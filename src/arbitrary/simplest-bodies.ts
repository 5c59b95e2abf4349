import { isJsonObject } from '../json/is-json-object.ts';
import type { Body } from './body.ts';
import { joinParts } from './join-parts.ts';
import type { PlainBody } from './plain-body.ts';
import { plainTokens } from './plain-tokens.ts';
import { simplestValues } from './simplest-values.ts';
import { createSlotMarks } from './slot-marks.ts';

/** The simplest bodies, with the key of a given one in them where that is drawn fresh as the request leaves. */
export function simplestBodies(body: Body, plain: PlainBody): readonly Body[] {
  const marks = createSlotMarks();
  const value = marks.toValue(body);
  const { key } = plain;
  const own = key !== undefined && isJsonObject(value) ? value[key.property] : undefined;
  return simplestValues(plain).map((simplest) => {
    const made = joinParts(plainTokens(plain, simplest));
    const model = marks.toValue(made);
    return key !== undefined && own !== undefined && marks.isSlot(own) && isJsonObject(model)
      ? marks.toBody({ ...model, [key.property]: own })
      : made;
  });
}
