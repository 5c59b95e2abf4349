import type { Operation } from '../contract/operation.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { judgeValue } from './judge-value.ts';
import { plainRequest } from './plain-request.ts';
import type { RequestCase } from './request-case.ts';
import { createSlotMarks } from './slot-marks.ts';

/**
 * Whether a request carries JSON, however it is spelled, that the schema of its operation accepts, whatever
 * key is drawn for it.
 */
export function hasValidBody(request: RequestCase, operation: Operation): boolean {
  const { body: plain } = plainRequest(operation);
  if (plain.kind !== 'body' || request.body === undefined) {
    return false;
  }
  const { schema, key } = plain.body;
  const marks = createSlotMarks();
  const value = marks.readValue(request.body);
  if (key === undefined || !isJsonObject(value) || !marks.isSlot(value[key.property])) {
    return value !== undefined && judgeValue(schema, value) === 'valid';
  }
  const anyKey = key.classes.get('plain') ?? null;
  return judgeValue(schema, { ...value, [key.property]: anyKey }) === 'valid';
}
