import type { Body } from './body.ts';
import { joinParts } from './join-parts.ts';
import type { PlainBody } from './plain-body.ts';
import { plainTokens } from './plain-tokens.ts';
import { simplestValues } from './simplest-values.ts';
import { simplifyPieces } from './simplify-pieces.ts';
import { simplifyValue } from './simplify-value.ts';
import { createSlotMarks } from './slot-marks.ts';

/**
 * Lists bodies with less in them than a given one, those first that are the simplest body but for as little
 * as can be; some are no smaller. A key that is drawn fresh stays so, or goes with its whole property; no
 * other key is made up.
 *
 * @param plain - what the operation takes, where it takes JSON
 */
export function* simplifyBody(body: Body, plain: PlainBody | undefined): Generator<Body> {
  const marks = createSlotMarks();
  const value = marks.toValue(body);
  if (value === undefined) {
    yield* simplifyPieces(body);
    return;
  }
  const simplest = plain === undefined ? [] : simplestValues(plain);
  const models = simplest.flatMap((model) => {
    const marked = plain && marks.toValue(joinParts(plainTokens(plain, model)));
    return marked === undefined ? [] : [marked];
  });
  const fixedProperty = plain?.key?.property;
  const isFixed = (text: string): boolean => marks.isMarked(text);
  for (const smaller of simplifyValue(value, { models, isFixed, fixedProperty })) {
    yield marks.toBody(smaller);
  }
}
