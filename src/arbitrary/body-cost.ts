import type { Body } from './body.ts';
import { createSlotMarks } from './slot-marks.ts';
import { valueCost } from './value-cost.ts';

/** What is no JSON, or is written in an odd way, says more than any plain JSON. */
const noJson = 1_000_000;

function partCost(part: Body[number]): number {
  return typeof part === 'string' || part instanceof Uint8Array ? part.length : 1;
}

/** How much there is to read in a body; the place of a key costs as little as anything. */
export function bodyCost(body: Body): number {
  const marks = createSlotMarks();
  const value = marks.toValue(body);
  return value === undefined
    ? noJson + body.reduce<number>((sum, part) => sum + partCost(part), 0)
    : valueCost(value, (text) => marks.isMarked(text));
}
