import type { ErrorObject } from 'ajv';
import { ExactNumber } from '../json/exact-number.ts';
import { appendPointer, type JsonPointer } from '../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { exactKeywordNames } from './exact-keyword-names.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import type { SchemaProblem } from './schema-problem.ts';

const stockNames: ReadonlyMap<string, string> = new Map([
  ...Object.entries(exactKeywordNames).map(([stock, own]) => [own, stock] as const),
  ['integerFormat', 'format'],
  ['false schema', 'never'],
]);

function toNumber(value: JsonValue | undefined): number | ExactNumber {
  return value instanceof ExactNumber ? value : Number(value);
}

function toText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function toList(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : value === undefined ? [] : [value];
}

/**
 * What the compiler says is wrong, as a problem.
 *
 * @param error - with `parentSchema`
 * @param places - the places of the objects of the prepared schema
 * @returns undefined where the error only accompanies others
 */
export function toSchemaProblem(
  error: ErrorObject,
  places: WeakMap<object, JsonPointer>,
): SchemaProblem | undefined {
  // What the compiler hands out of the JSON that it was given, it types as `any`: hence the type here and the `as`.
  const asked: JsonObject | undefined = error.parentSchema;
  const params = error.params as JsonObject;
  const keyword = stockNames.get(error.keyword) ?? error.keyword;
  const place = asked === undefined ? undefined : places.get(asked);
  const at = {
    pointer: error.instancePath,
    schemaPointer: place === undefined ? error.schemaPath.slice(1) : appendPointer(place, keyword),
  };
  const limit = params['limit'];
  switch (keyword) {
    case 'type':
      return { ...at, keyword, params: { types: toList(params['type']).map(toText) } };
    case 'required':
    case 'dependentRequired':
      return { ...at, keyword, params: { property: toText(params['missingProperty']) } };
    case 'dependencies':
      return { ...at, keyword: 'dependentRequired', params: { property: toText(params['missingProperty']) } };
    case 'additionalProperties':
      return { ...at, keyword, params: { property: toText(params['additionalProperty']) } };
    case 'unevaluatedProperties':
      return { ...at, keyword, params: { property: toText(params['unevaluatedProperty']) } };
    case 'propertyNames':
      return { ...at, keyword, params: { property: toText(params['propertyName']) } };
    case 'minimum':
    case 'exclusiveMinimum':
    case 'maximum':
    case 'exclusiveMaximum':
    case 'multipleOf':
      return { ...at, keyword, params: { limit: toNumber(limit) } };
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
    case 'minProperties':
    case 'maxProperties':
      return { ...at, keyword, params: { limit: Number(limit) } };
    case 'items':
    case 'unevaluatedItems':
      return { ...at, keyword: 'maxItems', params: { limit: Number(params['limit'] ?? params['len']) } };
    case 'contains': {
      const most = asked?.['maxContains'];
      const least = Number(params['minContains'] ?? 1);
      return typeof most === 'number'
        ? { ...at, keyword: 'maxContains', params: { limit: most } }
        : { ...at, keyword: 'minContains', params: { limit: least } };
    }
    case 'pattern':
    case 'format':
      return { ...at, keyword, params: { name: toText(params[keyword]) } };
    case 'enum':
      return { ...at, keyword, params: { values: toList(params['allowedValues'] ?? params['values']) } };
    case 'const':
      return {
        ...at,
        keyword,
        params: { values: 'values' in params ? toList(params['values']) : [params['allowedValue'] ?? null] },
      };
    case 'uniqueItems':
      return { ...at, keyword, params: { indices: [Number(params['i']), Number(params['j'])] } };
    case 'anyOf':
    case 'oneOf':
      return { ...at, keyword, params: { matching: Number(params['matching']), properties: [] } };
    case 'not': {
      const isNever = isJsonObject(asked?.['not']) && Object.keys(asked['not']).length === 0;
      return { ...at, keyword: isNever ? 'never' : 'not', params: {} };
    }
    case 'never':
      return { ...at, keyword, params: {} };
    default:
      // `if` only says which of `then` and `else` failed, and its errors are there.
      return undefined;
  }
}
