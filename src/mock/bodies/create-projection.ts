import type { JsonObject } from '../../json/json-value.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { declaredNames } from './declared-names.ts';
import { hideProperties } from './hide-properties.ts';
import { setOwn } from './set-own.ts';

/** Leaves of an object what belongs into one of its representations. */
export type Projection = (value: JsonObject) => JsonObject;

/**
 * Prepares the picking of the properties that a schema declares for an object; where it declares none, all
 * are picked. Values are taken as they are, except for what is hidden in them, see hideProperties.
 *
 * @param hidden - the keyword that marks what is left out
 * @returns a function that makes a new object each time
 */
export function createProjection(schema: JsonSchema, hidden: 'readOnly' | 'writeOnly'): Projection {
  const hide = hideProperties(schema, hidden);
  const declared = declaredNames(schema);
  if (declared === undefined) {
    return hide ?? ((value) => ({ ...value }));
  }
  const names = [...declared];
  // What every object inherits has to be asked for; of the rest, what is there is its own.
  const pick = names.some((name) => name in Object.prototype) ? pickOwn : pickPlain;
  return hide === undefined ? (value) => pick(value, names) : (value) => pick(hide(value), names);
}

function pickPlain(source: JsonObject, names: readonly string[]): JsonObject {
  const picked: JsonObject = {};
  for (const name of names) {
    const member = source[name];
    if (member !== undefined) {
      picked[name] = member;
    }
  }
  return picked;
}

function pickOwn(source: JsonObject, names: readonly string[]): JsonObject {
  const picked: JsonObject = {};
  for (const name of names) {
    const member = Object.hasOwn(source, name) ? source[name] : undefined;
    if (member !== undefined) {
      setOwn(picked, name, member);
    }
  }
  return picked;
}
