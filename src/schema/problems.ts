import type { ErrorObject } from 'ajv';
import { ExactNumber } from '../json/exact-number.ts';
import { appendPointer, type JsonPointer, pointerTokens } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { exactKeywordNames } from './exact-keywords.ts';

interface Detail<Keyword, Params> {
  readonly keyword: Keyword;
  readonly params: Params;
}

type BoundKeyword = 'minimum' | 'exclusiveMinimum' | 'maximum' | 'exclusiveMaximum' | 'multipleOf';
type SizeKeyword = `${'min' | 'max'}${'Length' | 'Items' | 'Properties' | 'Contains'}`;
type NamingKeyword =
  | 'required'
  | 'dependentRequired'
  | 'additionalProperties'
  | 'unevaluatedProperties'
  | 'propertyNames';

interface Alternatives {
  /** The number of alternatives that the value matches. */
  readonly matching: number;
  /** Missing properties, each of which would make the value valid. */
  readonly properties: readonly string[];
}

/** The facts about a violated keyword that messages need. */
type ProblemDetail =
  | Detail<'type', { readonly types: readonly string[] }>
  | Detail<NamingKeyword, { readonly property: string }>
  | Detail<BoundKeyword, { readonly limit: number | ExactNumber }>
  | Detail<SizeKeyword, { readonly limit: number }>
  | Detail<'pattern' | 'format', { readonly name: string }>
  | Detail<'enum' | 'const', { readonly values: readonly JsonValue[] }>
  | Detail<'uniqueItems', { readonly indices: readonly [number, number] }>
  | Detail<'anyOf' | 'oneOf', Alternatives>
  | Detail<'not' | 'never', Readonly<Record<string, never>>>;

/** A violation of a schema by a value. `never` represents the schema `false`. */
export type SchemaProblem = ProblemDetail & {
  /** The place in the value. For a missing or forbidden property it is that of the object. */
  readonly pointer: JsonPointer;
  /** The place in the schema, including the keyword. */
  readonly schemaPointer: JsonPointer;
  /** Types of a value that other alternatives of an `anyOf` or `oneOf` accept. */
  readonly otherTypes?: readonly string[];
};

type Branch = readonly SchemaProblem[];
type AlternativesProblem = Extract<SchemaProblem, { readonly keyword: 'anyOf' | 'oneOf' }>;

/** Finds the problem that shows that a branch is for another constant. */
function otherConstant(branch: Branch, pointer: string): SchemaProblem | undefined {
  return branch.find(
    (problem) =>
      (problem.keyword === 'const' || problem.keyword === 'enum') &&
      problem.pointer.startsWith(pointer) &&
      !problem.pointer.slice(pointer.length + 1).includes('/'),
  );
}

function depthOf(branch: Branch): number {
  return branch.reduce((deepest, { pointer }) => Math.max(deepest, pointerTokens(pointer).length), 0);
}

/** Merges branches that report one place and differ only in its allowed values. */
function merge(whole: AlternativesProblem, branches: readonly Branch[]): SchemaProblem | undefined {
  const alone = branches.flatMap((branch) => (branch.length === 1 ? branch : []));
  const [first] = alone;
  if (first === undefined || alone.length < branches.length) return undefined;
  if (alone.some(({ pointer }) => pointer !== first.pointer)) return undefined;
  const types = alone.flatMap(({ params }) => ('types' in params ? [params.types] : []));
  if (first.keyword === 'type') {
    return types.length === alone.length
      ? { ...first, params: { types: [...new Set(types.flat())] } }
      : undefined;
  }
  if (first.keyword === 'required') {
    const properties = alone.flatMap((each) => (each.keyword === 'required' ? [each.params.property] : []));
    return properties.length === alone.length && properties.length > 1
      ? { ...whole, params: { matching: 0, properties } }
      : undefined;
  }
  const values = alone.flatMap(({ params }) => ('values' in params ? [params.values] : []));
  const { pointer, schemaPointer } = first;
  return values.length === alone.length
    ? { pointer, schemaPointer, keyword: 'enum', params: { values: values.flat() } }
    : undefined;
}

/**
 * Chooses the problems to report for a value that no branch of an `anyOf` or `oneOf` accepts: those of the most likely
 * branch. Branches for another type or another constant are unlikely. Among the others, the branch with the deepest
 * problem is preferred, and then the one with the fewest problems. If no branch is better, the problem of `anyOf` or
 * `oneOf` is reported. A single problem of the value itself also names the types that other branches accept.
 */
function chooseBranch(whole: AlternativesProblem, branches: readonly Branch[]): readonly SchemaProblem[] {
  const { pointer } = whole;
  const typesOf = (branch: Branch): readonly string[] =>
    branch.flatMap((found) =>
      found.keyword === 'type' && found.pointer === pointer ? found.params.types : [],
    );
  const typed = branches.filter((branch) => typesOf(branch).length === 0);
  const chosen = chooseOfType(whole, typed.length > 0 ? typed : branches);
  const [problem, ...more] = chosen;
  if (problem?.pointer !== pointer || more.length > 0 || typed.length === 0) return chosen;
  // A string type is usually an enum, whose values are not known here.
  const otherTypes = new Set(
    branches.flatMap(typesOf).filter((type) => type !== 'null' && type !== 'string'),
  );
  return otherTypes.size === 0 ? chosen : [{ ...problem, otherTypes: [...otherTypes] }];
}

function chooseOfType(problem: AlternativesProblem, ofType: readonly Branch[]): readonly SchemaProblem[] {
  const { pointer } = problem;
  const enforced = ofType.filter((branch) => otherConstant(branch, pointer) === undefined);
  const meant = enforced.length > 0 ? enforced : ofType;
  const constants = ofType.map((branch) => {
    const constant = otherConstant(branch, pointer);
    return constant === undefined ? [] : [constant];
  });
  const merged = merge(problem, enforced.length > 0 ? enforced : constants);
  if (merged !== undefined) return [merged];
  const [best] = meant.toSorted((a, b) => depthOf(b) - depthOf(a) || a.length - b.length);
  const isAloneAtPlace =
    meant.length === 1 || (best !== undefined && depthOf(best) > pointerTokens(pointer).length);
  return best !== undefined && best.length > 0 && isAloneAtPlace ? best : [problem];
}

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
  return value === undefined ? [] : [value].flat();
}

/** Converts an error of the compiler to a problem; undefined if the error only accompanies others. */
function toSchemaProblem(
  error: ErrorObject,
  places: WeakMap<object, JsonPointer>,
): SchemaProblem | undefined {
  // `as`: the compiler types parts of its JSON input as `any`.
  const asked: JsonObject | undefined = error.parentSchema;
  const params = error.params as JsonObject;
  const keyword = stockNames.get(error.keyword) ?? error.keyword;
  const place = asked === undefined ? undefined : places.get(asked);
  const at = {
    pointer: error.instancePath,
    schemaPointer: place === undefined ? error.schemaPath.slice(1) : appendPointer(place, keyword),
  };
  switch (keyword) {
    case 'type':
      return { keyword, params: { types: toList(params['type']).map(toText) }, ...at };
    case 'required':
    case 'dependentRequired':
      return { keyword, params: { property: toText(params['missingProperty']) }, ...at };
    case 'additionalProperties':
      return { keyword, params: { property: toText(params['additionalProperty']) }, ...at };
    case 'unevaluatedProperties':
      return { keyword, params: { property: toText(params['unevaluatedProperty']) }, ...at };
    case 'propertyNames':
      return { keyword, params: { property: toText(params['propertyName']) }, ...at };
    case 'minimum':
    case 'exclusiveMinimum':
    case 'maximum':
    case 'exclusiveMaximum':
    case 'multipleOf':
      return { keyword, params: { limit: toNumber(params['limit']) }, ...at };
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
    case 'minProperties':
    case 'maxProperties':
      return { keyword, params: { limit: Number(params['limit']) }, ...at };
    case 'items':
    case 'unevaluatedItems':
      return { keyword: 'maxItems', params: { limit: Number(params['limit'] ?? params['len']) }, ...at };
    case 'contains': {
      const most = asked?.['maxContains'];
      const least = Number(params['minContains'] ?? 1);
      return typeof most === 'number'
        ? { keyword: 'maxContains', params: { limit: most }, ...at }
        : { keyword: 'minContains', params: { limit: least }, ...at };
    }
    case 'pattern':
    case 'format':
      return { keyword, params: { name: toText(params[keyword]) }, ...at };
    case 'enum':
      return { keyword, params: { values: toList(params['allowedValues'] ?? params['values']) }, ...at };
    case 'const':
      return {
        keyword,
        params: { values: 'values' in params ? toList(params['values']) : [params['allowedValue'] ?? null] },
        ...at,
      };
    case 'uniqueItems':
      return { keyword, params: { indices: [Number(params['i']), Number(params['j'])] }, ...at };
    case 'anyOf':
    case 'oneOf':
      return { keyword, params: { matching: Number(params['matching']), properties: [] }, ...at };
    case 'not': {
      const isEmpty = isJsonObject(asked?.['not']) && Object.keys(asked['not']).length === 0;
      const isNever = params['never'] ?? isEmpty;
      return { keyword: isNever ? 'never' : 'not', params: {}, ...at };
    }
    case 'never':
      return { keyword, params: {}, ...at };
    default:
      // `if` only reports which of `then` and `else` failed. Their errors are in the list.
      return undefined;
  }
}

/** The maximum number of compiler errors to process: a long array may have one per item. */
const mostErrors = 1000;

/**
 * Converts compiler errors to problems, one for each cause, by the places of the objects of the prepared schema.
 *
 * A failed `anyOf` or `oneOf` is reported by its most likely branch. A value of the wrong type is reported only for
 * that. Problems of `unevaluatedProperties` are omitted for objects with other problems, which cause them.
 */
export function listSchemaProblems(
  errors: readonly ErrorObject[],
  places: WeakMap<object, JsonPointer>,
): readonly SchemaProblem[] {
  return oneForEachCause(toProblems(cutBetweenTrees(errors), places));
}

/** Cuts off surplus errors between trees, not inside: an error of `anyOf` follows those of its branches. */
function cutBetweenTrees(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  let start = errors.length;
  while (start > mostErrors) {
    start -= 1 + countChildren(errors[start - 1]);
  }
  return start > 0 ? errors.slice(0, start) : errors;
}

function toProblems(errors: readonly ErrorObject[], places: WeakMap<object, JsonPointer>): SchemaProblem[] {
  const found: (readonly SchemaProblem[])[] = [];
  // From the end, because an error of `anyOf` follows those of its branches.
  for (let end = errors.length; end > 0;) {
    const error = errors[end - 1];
    const start = end - 1 - countChildren(error);
    // For an invalid name, the error of `propertyNames` follows.
    const problem = error?.propertyName === undefined ? error && toSchemaProblem(error, places) : undefined;
    if ((problem?.keyword === 'anyOf' || problem?.keyword === 'oneOf') && problem.params.matching === 0) {
      const ends = [0, ...branchEnds(error)].map((each) => start + each);
      const branches = ends
        .slice(1)
        .map((to, index) => listSchemaProblems(errors.slice(ends[index], to), places));
      found.push(chooseBranch(problem, branches));
    } else if (problem !== undefined) {
      found.push([problem]);
    }
    end = start;
  }
  return found.toReversed().flat();
}

function branchEnds(error: ErrorObject | undefined): readonly number[] {
  const ends: unknown = error?.params['ends'];
  return Array.isArray(ends) ? ends.map(Number) : [];
}

function countChildren(error: ErrorObject | undefined): number {
  return branchEnds(error).at(-1) ?? 0;
}

function isUnevaluated({ keyword, schemaPointer }: SchemaProblem): boolean {
  return keyword === 'unevaluatedProperties' || schemaPointer.endsWith('/unevaluatedItems');
}

function oneForEachCause(problems: readonly SchemaProblem[]): readonly SchemaProblem[] {
  const mistyped = new Set(
    problems.filter(({ keyword }) => keyword === 'type').map(({ pointer }) => pointer),
  );
  const seen = new Set<string>();
  const others = problems.filter((problem) => !isUnevaluated(problem));
  return problems.filter((problem) => {
    const { keyword, pointer } = problem;
    const key = JSON.stringify([pointer, keyword, ...detailOf(problem)]);
    const isHidden =
      seen.has(key) ||
      (keyword !== 'type' && mistyped.has(pointer)) ||
      (isUnevaluated(problem) && others.some((other) => other.pointer.startsWith(pointer)));
    seen.add(key);
    return !isHidden;
  });
}

/** Returns the details that distinguish problems of one keyword at one place. */
function detailOf({ schemaPointer, params }: SchemaProblem): readonly string[] {
  if ('types' in params) return params.types;
  return 'property' in params ? [params.property] : [schemaPointer];
}
