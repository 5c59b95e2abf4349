import { ExactNumber } from '../../json/exact-number.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { MockAnswer } from '../steps/mock-answer.ts';
import type { ControlResult } from './control-act.ts';

/** A value as JSON can have it: without the members that are undefined. */
function toJson(value: unknown): JsonValue {
  if (Array.isArray(value)) {
    return value.map(toJson);
  }
  if (typeof value === 'object' && value !== null && !(value instanceof ExactNumber)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(members.map(([name, member]) => [name, toJson(member)]));
  }
  // `as`: what operations answer is made of JSON's own values.
  return value as JsonValue;
}

/** Writes what an operation of the control interface answers, its numbers digit for digit. */
export function renderControlAnswer({ status, body }: ControlResult): MockAnswer {
  return body === undefined
    ? { status, headers: [], body: status === 204 ? undefined : '', note: {} }
    : { status, headers: ['Content-Type', 'application/json'], body: stringifyJson(toJson(body)), note: {} };
}
