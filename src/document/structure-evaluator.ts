import { appendPointer, type JsonPointer, pointerTokens, resolvePointer } from '../json/pointer.ts';
import { toText } from '../json/print.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../json/value.ts';
import { type FoundReference, Interpreter } from '../schema/interpret.ts';
import { type ErrorTree, toErrorTrees } from '../schema/problems.ts';
import {
  excludedProperties,
  missingProperty,
  other,
  patternWords,
  type StructureProblem,
  unknownProperty,
  wrongType,
  wrongValue,
} from './structure-problems.ts';

interface StructureOutcome {
  readonly problems: readonly StructureProblem[];
  readonly references: readonly FoundReference[];
}

/** The keywords whose problems have words, and annotations. A test checks the published schemas against this list. */
export const structureKeywords: ReadonlySet<string> = new Set(
  (
    '$comment $defs $dynamicAnchor $id $ref $schema additionalProperties allOf anyOf const default definitions dependentSchemas ' +
    'description else enum exclusiveMinimum format id if items maxProperties minItems minProperties minimum not oneOf pattern ' +
    'patternProperties properties propertyNames required then title type unevaluatedProperties uniqueItems x-cloche-target'
  ).split(' '),
);

const interpreters = new WeakMap<JsonObject, Interpreter>();

function interpreterOf(structure: JsonObject): Interpreter {
  const known =
    interpreters.get(structure) ??
    new Interpreter(
      structure,
      { formats: formatTests, integers: 'by-value' },
      { steps: Infinity, isPlain: false, isTrusted: true },
    );
  interpreters.set(structure, known);
  return known;
}

/**
 * Checks a part of a document against the schema of OpenAPI documents (`structure`), or against the definition in it
 * that `definition` refers to. It interprets the schema, because compiling it takes longer than reading a document, and
 * reduces the errors to one problem for each mistake.
 */
export function evaluateStructure(input: {
  readonly structure: JsonObject;
  readonly definition?: string;
  readonly value: JsonValue;
  readonly pointer: JsonPointer;
}): StructureOutcome {
  const { structure, definition, value, pointer } = input;
  const references: FoundReference[] = [];
  const errors = interpreterOf(structure).list(value, {
    ...(definition !== undefined && { definition }),
    onReference: (found) => references.push({ ...found, pointer: pointer + found.pointer }),
  });
  return { problems: toProblems(errors, input), references };
}

/** The checked value, its place in the document, and the schema. */
interface Judged {
  readonly structure: JsonObject;
  readonly value: JsonValue;
  readonly pointer: JsonPointer;
}

function valueAt({ value, pointer }: Judged, place: JsonPointer): JsonValue {
  return resolvePointer(value, place.slice(pointer.length)) ?? null;
}

/** Describes errors. A value of the wrong type is reported for that, and for another list of values. */
function toProblems(errors: ErrorTree['branches'][number], judged: Judged): readonly StructureProblem[] {
  const trees = toErrorTrees(errors);
  const mistyped = trees.flatMap(({ error }) => (error.keyword === 'type' ? [error] : []));
  const isConsequence = ({
    error: { keyword, instancePath, parentSchema, propertyName },
  }: ErrorTree): boolean =>
    keyword !== 'type' &&
    propertyName === undefined &&
    mistyped.some(
      (error) =>
        error.instancePath === instancePath &&
        (error.parentSchema === parentSchema || (keyword !== 'const' && keyword !== 'enum')),
    );
  return trees.filter((tree) => !isConsequence(tree)).flatMap((tree) => describe(tree, judged));
}

function describe({ error, branches }: ErrorTree, judged: Judged): readonly StructureProblem[] {
  const { keyword, instancePath, propertyName: name } = error;
  // `as`: the types of the compiler have `any` for JSON.
  const schema = error.parentSchema as JsonObject;
  const params = error.params as JsonObject;
  const holder = judged.pointer + instancePath;
  const pointer = name === undefined ? holder : appendPointer(holder, name);
  const value = name ?? valueAt(judged, pointer);
  const asked = toText(schema[keyword] ?? '');
  switch (keyword) {
    case 'type':
      return [wrongType(pointer, namesAt(schema, 'type'), value)];
    case 'const':
    case 'enum':
      return [wrongValue(pointer, listAt(params, 'values'), value)];
    case 'pattern':
      return [other(pointer, patternWords[asked] ?? `must match ${asked}`)];
    case 'format':
      return [other(pointer, formats[asked]?.words ?? '')];
    case 'minimum':
      return [other(pointer, `must be at least ${asked}`)];
    case 'exclusiveMinimum':
      return [other(pointer, `must be greater than ${asked}`)];
    case 'minItems':
      return [other(pointer, 'must not be empty', 'Add an item, or remove it')];
    case 'uniqueItems':
      return listRepeated(value).map((index) => ({
        ...other(appendPointer(pointer, index), 'is in the list twice', 'Remove one of them'),
        keyword: 'repeated',
      }));
    case 'required':
      return [missingProperty(pointer, [toText(params['missingProperty'] ?? '')])];
    case 'minProperties':
      return [other(pointer, 'must not be empty', 'Add a member')];
    case 'maxProperties': {
      const { length } = Object.keys(value ?? {});
      return [other(pointer, `must have only one member, but has ${length}`, 'Remove the others')];
    }
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return [
        unknownProperty(
          pointer,
          toText(params[keyword.replace('ies', 'y')] ?? ''),
          knownNames(judged, schema),
        ),
      ];
    case 'not':
      return [describeExcluded(pointer, schema, params['never'] === true)];
    case 'anyOf':
    case 'oneOf':
      if (Number(params['matching']) > 0) return describeAmbiguous(pointer, value, listAt(schema, keyword));
      return chooseBranch(
        branches.map((branch) => toProblems(branch, judged)),
        pointer,
        judged,
      );
    default:
      // The errors of the name itself accompany `propertyNames`.
      return [];
  }
}

function describeExcluded(pointer: JsonPointer, { not }: JsonObject, isNever: boolean): StructureProblem {
  if (isNever) return other(pointer, 'is not supported', 'Use $ref');
  const unwanted = isJsonObject(not) ? namesAt(not, 'required') : [];
  return unwanted.length > 0 ? excludedProperties(pointer, unwanted) : other(pointer, 'is not allowed here');
}

/** Describes a value that matches several branches of a `oneOf`. */
function describeAmbiguous(
  pointer: JsonPointer,
  value: JsonValue,
  branches: readonly JsonValue[],
): readonly StructureProblem[] {
  const names = branches.filter(isJsonObject).flatMap((branch) => namesAt(branch, 'required'));
  // The property that distinguishes the branches may be missing, which is then the mistake.
  const isMissing = isJsonObject(value) && names.every((name) => !Object.hasOwn(value, name));
  return isMissing ? [] : [excludedProperties(pointer, names)];
}

/** Returns the indices of the items that equal an earlier one. */
function listRepeated(list: JsonValue): readonly number[] {
  const items = Array.isArray(list) ? list : [];
  return [...items.keys()].filter(
    (index) => items.findIndex((earlier) => jsonEqual(earlier, items[index] ?? null)) < index,
  );
}

/** The formats that are checked, and the words for a violation. They are lenient like most readers. */
const formats: Readonly<
  Record<string, { readonly words: string; readonly test: (text: string) => boolean }>
> = {
  email: { words: 'must be an e-mail address', test: (text) => /^[^\s@]+@[^\s@]+$/u.test(text) },
  regex: { words: 'must be a regular expression', test: isPattern },
  uri: { words: 'must be a URL', test: isUrl },
  'uri-reference': { words: 'must be a URL', test: isUrl },
};

const formatTests = new Map(Object.entries(formats).map(([name, { test }]) => [name, test]));

/** Accepts braces in a URL. References are already decoded here. */
function isUrl(text: string): boolean {
  return /^[^\s<>"\\^`#]*(?:#.*)?$/su.test(text);
}

function isPattern(text: string): boolean {
  // `a\-b` compiles only without the flag `u`, `[\u{10000}-\u{10FFFF}]` only with it.
  return ['u', ''].some((flags) => {
    try {
      return new RegExp(text, flags) instanceof RegExp;
    } catch {
      return false;
    }
  });
}

/** Returns the items of a keyword that accepts one or several, or may be absent. */
function listAt(schema: JsonObject, keyword: string): readonly JsonValue[] {
  const value = schema[keyword];
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Returns the members of a keyword that accepts an object, or may be absent. */
function entriesAt(schema: JsonObject, keyword: string): readonly (readonly [string, JsonValue])[] {
  const value = schema[keyword];
  return isJsonObject(value) ? Object.entries(value) : [];
}

function namesAt(schema: JsonObject, keyword: string): readonly string[] {
  return listAt(schema, keyword).filter((item) => typeof item === 'string');
}

/** References in the published schemas are recursive, but never for one value. */
const deepest = 8;

/**
 * Returns the properties and patterns that a schema mentions for any value. An unknown property may be a typo of
 * one of them.
 */
function knownNames(judged: Judged, schema: JsonValue, depth = 0): readonly string[] {
  if (!isJsonObject(schema) || depth > deepest) return [];
  const { $ref } = schema;
  const inPlace = [
    ...(typeof $ref === 'string' ? [resolvePointer(judged.structure, $ref.slice(1)) ?? true] : []),
    ...['allOf', 'anyOf', 'oneOf', 'then', 'else'].flatMap((keyword) => listAt(schema, keyword)),
    ...entriesAt(schema, 'dependentSchemas').map(([, part]) => part),
  ];
  const own = ['properties', 'patternProperties'].flatMap((keyword) => entriesAt(schema, keyword));
  const names = inPlace.flatMap((part) => knownNames(judged, part, depth + 1));
  return [...new Set([...own.map(([name]) => name), ...names])];
}

type Branch = readonly StructureProblem[];

/** Finds the problem that a branch requires another value of a discriminating property: `in`, `type`. */
function otherValue(branch: Branch, pointer: JsonPointer): StructureProblem | undefined {
  const depth = pointerTokens(pointer).length;
  return branch.find(
    ({ keyword, judged }) => keyword === 'value' && pointerTokens(judged).length <= depth + 1,
  );
}

/**
 * Chooses the problems to report for a value that no branch of an `anyOf` or `oneOf` accepts: those of the most likely
 * branch, or one problem that summarizes all branches.
 */
function chooseBranch(
  branches: readonly Branch[],
  at: JsonPointer,
  judged: Judged,
): readonly StructureProblem[] {
  const typed = branches.filter(
    (branch) => !branch.some(({ keyword, judged }) => keyword === 'type' && judged === at),
  );
  if (typed.length === 0) {
    return [wrongType(at, unite(branches.flat()), valueAt(judged, at))];
  }
  const enforced = typed.filter((branch) => otherValue(branch, at) === undefined);
  if (enforced.length === 0) {
    const values = typed.flatMap((branch) => otherValue(branch, at) ?? []);
    const [first] = values;
    // If the branches differ in several members, a member that is wrong in only one branch shows which one was meant.
    const alone = values.filter(
      ({ judged }) => values.filter((other) => other.judged === judged).length === 1,
    );
    if (alone.length === 1 && values.length > 2) return alone;
    return first === undefined
      ? []
      : [wrongValue(first.judged, unite(values), valueAt(judged, first.judged))];
  }
  const missing = enforced.flat();
  const isMissingOnly =
    enforced.length > 1 && missing.every(({ keyword, judged }) => keyword === 'missing' && judged === at);
  if (isMissingOnly && missing.length === enforced.length) return [missingProperty(at, unite(missing))];
  const [best = []] = enforced.toSorted((a, b) => a.length - b.length);
  return best;
}

/** Returns all valid alternatives, in the order of the branches. Types and names are strings. */
function unite(problems: readonly StructureProblem[]): string[] {
  const expected = problems.flatMap((problem) => problem.expected);
  return [...new Set(expected.filter((item) => typeof item === 'string'))];
}
