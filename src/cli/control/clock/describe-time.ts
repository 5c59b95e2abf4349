import type { JsonValue } from '../../../json/json-value.ts';
import type { ActionResult } from '../action.ts';

/** What time it is at a mock, as its control interface says it. */
export function describeTime(value: JsonValue | undefined): ActionResult {
  // `as`: the document of the control interface says so.
  const { now, frozen } = value as unknown as { readonly now: string; readonly frozen: boolean };
  return { value, lines: [`${now}${frozen ? ', and it stands still' : ''}`] };
}
