import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/core.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { inPlaceKeywords, type JsonSchema, mapSubschemas, subschemasAt } from './walk.ts';

const prefix = '#/$defs/';

/** Judging one value by so many definitions is no matter. */
const mostJudged = 256;
/** Nobody reads more errors of one definition than these; each that has the next one twice doubles them. */
const mostErrors = 256;

/**
 * Whether definitions refer to each other for the same value so often that judging it by all of them would take very long:
 * thirty that each have the next one twice in `anyOf` come to 2^30.
 */
export function areJudgedOften(definitions: Readonly<Record<string, JsonSchema>>): boolean {
  const counts = new Map<string, number>();

  function count(name: string): number {
    const known = counts.get(name);
    if (known !== undefined) return known;
    // One that refers to itself for the same value is refused elsewhere.
    counts.set(name, 0);
    const sum = 1 + targetsInPlace(definitions[name] ?? true).reduce((all, target) => all + count(target), 0);
    counts.set(name, sum);
    return sum;
  }

  return Object.keys(definitions).some((name) => count(name) > mostJudged);
}

function targetsInPlace(schema: JsonValue): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const parts = subschemasAt(schema, [...inPlaceKeywords, 'not']);
  return [...targetOf(schema), ...parts.flatMap(targetsInPlace)];
}

function targetsAnywhere(schema: JsonSchema): readonly string[] {
  if (!isJsonObject(schema)) return [];
  const found = [...targetOf(schema)];
  mapSubschemas(schema, (child) => {
    found.push(...targetsAnywhere(child));
    return child;
  });
  return found;
}

function targetOf({ $ref: reference }: JsonObject): readonly string[] {
  return typeof reference === 'string' && reference.startsWith(prefix)
    ? [reference.slice(prefix.length)]
    : [];
}

/** Has a compiler judge a value by each of its definitions once where it would do so again and again. */
export function rememberJudgements(compiler: Ajv2020, definitions: ReadonlyMap<string, JsonObject>): void {
  const passed = new Set<string>();

  // The last ones first: what refers to a definition calls it as it is by then.
  function pass(name: string): void {
    const definition = definitions.get(name);
    if (definition === undefined || passed.has(name)) return;
    passed.add(name);
    targetsAnywhere(definition).forEach(pass);
    const validate = compiler.getSchema(prefix + name);
    const compiled = compiler.schemas[prefix + name];
    // `as`: no schema here is one that is judged later (`$async`).
    if (validate !== undefined && compiled !== undefined)
      compiled.validate = remember(validate as ValidateFunction);
  }

  [...definitions.keys()].forEach(pass);
}

let current = 0;

/** Says that what is judged from now on is another value, or one that may have changed since. */
export function beginJudgement(): void {
  current += 1;
}

function remember(validate: ValidateFunction): ValidateFunction {
  let last:
    | {
        readonly judgement: number;
        readonly data: unknown;
        readonly path: string | undefined;
        readonly isValid: boolean;
      }
    | undefined;

  function judge(data: unknown, context?: { readonly instancePath: string }): boolean {
    const path = context?.instancePath;
    if (last?.judgement === current && last.data === data && last.path === path) return last.isValid;
    // `as`: what calls this is what would have called the other.
    const isValid = validate(data, context as Parameters<ValidateFunction>[1]);
    remembered.errors = shorten(validate.errors);
    last = { judgement: current, data, path, isValid };
    return isValid;
  }

  // `as`: it is called as the other is, and has what that has.
  const remembered = Object.assign(judge, validate) as unknown as ValidateFunction;
  return remembered;
}

/** Of very many errors the last alone, which says what they come to. */
export function shorten(errors: ValidateFunction['errors']): ErrorObject[] | null {
  const last = errors?.at(-1);
  if (!errors || last === undefined || errors.length <= mostErrors) return errors ?? null;
  const ends: unknown = last.params['ends'];
  return [Array.isArray(ends) ? { ...last, params: { ...last.params, ends: ends.map(() => 0) } } : last];
}
