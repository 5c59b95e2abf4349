import { ExactNumber } from '../../json/exact-number.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';

const codeName = /^(?:error|error_?code|code|number|errno|error_?number)$/iu;
const statusName = /^(?:http_?)?status(?:_?code)?$/iu;

/** By its value: `4e2` is 400. */
function numberOf(value: JsonValue): number {
  return value instanceof ExactNumber ? Number(value.text) : typeof value === 'number' ? value : Number.NaN;
}

/**
 * The number by which an error body names its error: that of a property which is called so, else the only
 * integer there is, a repeated status aside.
 */
export function readCode(body: JsonValue | undefined): number | undefined {
  const integers = isJsonObject(body)
    ? Object.entries(body).flatMap(([name, value]) =>
        Number.isInteger(numberOf(value)) && !statusName.test(name) ? [{ name, value: numberOf(value) }] : [],
      )
    : [];
  const named = integers.find(({ name }) => codeName.test(name));
  return (named ?? (integers.length === 1 ? integers[0] : undefined))?.value;
}
