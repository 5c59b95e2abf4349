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
  /** How many of the alternatives the value matches. */
  readonly matching: number;
  /** Properties of which it lacks each, where having one of them would do. */
  readonly properties: readonly string[];
}

/** What a keyword of a schema asks for, as far as a sentence about it needs it. */
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

/** One thing about a value that its schema does not allow. `never` stands for the schema `false`. */
export type SchemaProblem = ProblemDetail & {
  /** Where in the value; of a property that is missing or not allowed, the object that it belongs to. */
  readonly pointer: JsonPointer;
  /** Where in the schema, the keyword included. */
  readonly schemaPointer: JsonPointer;
  /** Types of a value that other alternatives of an `anyOf` or `oneOf` accept. */
  readonly otherTypes?: readonly string[];
};

type Branch = readonly SchemaProblem[];
type AlternativesProblem = Extract<SchemaProblem, { readonly keyword: 'anyOf' | 'oneOf' }>;

/** Why a branch is for another value of a property that tells branches apart. */
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

/** Branches that name one place and differ in what may stand there: said in one sentence. */
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
 * What to say of a value that no branch of an `anyOf` or `oneOf` accepts: the problems of the branch that
 * was most likely meant. A branch for another type, or for another value of a property that tells branches
 * apart, was not meant; of the others it is the one that came furthest into the value, then the one with
 * the fewest problems. Where there is nothing better to say, it is the problem of `anyOf` or `oneOf` itself.
 * A single problem of the value itself names the types that the other branches accept.
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
  // A string is mostly one of few words, which are not known here.
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

/** What the compiler says is wrong, as a problem; undefined where the error only accompanies others. */
function toSchemaProblem(
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
  switch (keyword) {
    case 'type':
      return { ...at, keyword, params: { types: toList(params['type']).map(toText) } };
    case 'required':
    case 'dependentRequired':
      return { ...at, keyword, params: { property: toText(params['missingProperty']) } };
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
      return { ...at, keyword, params: { limit: toNumber(params['limit']) } };
    case 'minLength':
    case 'maxLength':
    case 'minItems':
    case 'maxItems':
    case 'minProperties':
    case 'maxProperties':
      return { ...at, keyword, params: { limit: Number(params['limit']) } };
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
      const isEmpty = isJsonObject(asked?.['not']) && Object.keys(asked['not']).length === 0;
      const isNever = params['never'] ?? isEmpty;
      return { ...at, keyword: isNever ? 'never' : 'not', params: {} };
    }
    case 'never':
      return { ...at, keyword, params: {} };
    default:
      // `if` only says which of `then` and `else` failed, and its errors are there.
      return undefined;
  }
}

/** How many of the compiler's errors are looked at; a long array can hold one in each item. */
const mostErrors = 1000;

/**
 * The compiler's errors as problems, one for each cause, by the places of the objects of the prepared schema.
 *
 * A failed `anyOf` or `oneOf` is stood for by its likeliest branch; a value of the wrong type by that alone;
 * what `unevaluatedProperties` says of an object that has other problems is left out, since it comes of them.
 */
export function listSchemaProblems(
  errors: readonly ErrorObject[],
  places: WeakMap<object, JsonPointer>,
): readonly SchemaProblem[] {
  return oneForEachCause(toProblems(cutBetweenTrees(errors), places));
}

/** An error of `anyOf` stands after those of its branches, so a list can be cut before but not inside them. */
function cutBetweenTrees(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  let start = errors.length;
  while (start > mostErrors) {
    start -= 1 + countChildren(errors[start - 1]);
  }
  return start > 0 ? errors.slice(0, start) : errors;
}

function toProblems(errors: readonly ErrorObject[], places: WeakMap<object, JsonPointer>): SchemaProblem[] {
  const found: (readonly SchemaProblem[])[] = [];
  // From the end, as an error of `anyOf` stands behind those of its branches.
  for (let end = errors.length; end > 0;) {
    const error = errors[end - 1];
    const start = end - 1 - countChildren(error);
    // Of a name that is wrong, the error of `propertyNames` itself follows.
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

/** What tells two problems of one keyword at one place apart. */
function detailOf({ schemaPointer, params }: SchemaProblem): readonly string[] {
  if ('types' in params) return params.types;
  return 'property' in params ? [params.property] : [schemaPointer];
}
