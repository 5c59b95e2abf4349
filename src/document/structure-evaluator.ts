import { compareNumbers, isInteger } from '../json/exact-number.ts';
import { appendPointer, type JsonPointer, pointerTokens, resolvePointer } from '../json/pointer.ts';
import { isJsonNumber, isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../json/value.ts';
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

/** A reference that was met, and the structure that what it leads to must have. */
export interface ExpectedTarget {
  readonly pointer: JsonPointer;
  readonly reference: string;
  readonly target: JsonValue;
}

interface StructureOutcome {
  readonly problems: StructureProblem[];
  readonly targets: ExpectedTarget[];
}

interface CheckedExchange {
  readonly value: JsonValue;
  readonly pointer: JsonPointer;
  readonly outcome: StructureOutcome;
  /** Takes the properties that some schema spoke about, where that matters: a wrong one is not an unknown one too. */
  readonly evaluated: Set<string> | undefined;
}

/** The keywords that the evaluator follows or may pass over. A test holds the published schemas to them. */
export const structureKeywords: ReadonlySet<string> = new Set(
  (
    '$comment $defs $dynamicAnchor $id $ref $schema additionalProperties allOf anyOf const default definitions dependentSchemas ' +
    'description else enum exclusiveMinimum format id if items maxProperties minItems minProperties minimum not oneOf pattern ' +
    'patternProperties properties propertyNames required target then title type unevaluatedProperties uniqueItems'
  ).split(' '),
);

/**
 * Judges a part of a document by a part (`schema`) of the schema of OpenAPI documents (`structure`). It is no
 * general validator: it knows the keywords of those schemas ({@link structureKeywords}), and in return needs
 * no compiling, which takes longer than reading a document, and gives problems as a tree that can be boiled
 * down to one for each mistake.
 */
export function evaluateStructure(input: {
  readonly structure: JsonObject;
  readonly schema: JsonValue;
  readonly value: JsonValue;
  readonly pointer: JsonPointer;
}): StructureOutcome {
  const { structure, schema: whole, ...start } = input;

  function judge(schema: JsonValue, judged: CheckedExchange): void {
    const { value, pointer, outcome } = judged;
    if (schema === false) {
      outcome.problems.push(other(pointer, 'is not supported', 'Use $ref'));
    }
    if (!isJsonObject(schema)) return;
    const types = namesAt(schema, 'type');
    if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
      outcome.problems.push(wrongType(pointer, types, value));
      return;
    }
    const isClosed = schema['unevaluatedProperties'] === false && isJsonObject(value);
    const inner = isClosed ? { ...judged, evaluated: new Set<string>() } : judged;
    if (typeof schema['$ref'] === 'string') {
      judge(definitionAt(structure, schema['$ref']), inner);
    }
    outcome.problems.push(...judgeScalar(schema, value, pointer));
    if (Array.isArray(value)) {
      judgeArray(schema, value, inner);
    } else if (isJsonObject(value)) {
      judgeObject(schema, value, inner);
    }
    judgeInPlace(schema, inner);
    for (const name of isClosed ? Object.keys(value) : []) {
      if (inner.evaluated?.has(name) === true) {
        judged.evaluated?.add(name);
      } else {
        outcome.problems.push(unknownProperty(pointer, name, knownNames(structure, schema)));
      }
    }
  }

  /** Judges a member on its own. */
  function descend(schema: JsonValue, value: JsonValue, around: CheckedExchange, key: string | number): void {
    const pointer = appendPointer(around.pointer, key);
    judge(schema, { value, pointer, outcome: around.outcome, evaluated: undefined });
  }

  /** Judges without saying so yet. */
  function attempt(schema: JsonValue, judged: CheckedExchange): CheckedExchange {
    const evaluated = judged.evaluated && new Set<string>();
    const tried: CheckedExchange = { ...judged, outcome: { problems: [], targets: [] }, evaluated };
    judge(schema, tried);
    return tried;
  }

  function adopt(tried: CheckedExchange, judged: CheckedExchange): void {
    judged.outcome.targets.push(...tried.outcome.targets);
    tried.evaluated?.forEach((name) => judged.evaluated?.add(name));
  }

  function judgeArray(schema: JsonObject, items: readonly JsonValue[], judged: CheckedExchange): void {
    const { pointer, outcome } = judged;
    if (items.length < Number(schema['minItems'] ?? 0)) {
      outcome.problems.push(other(pointer, 'must not be empty', 'Add an item, or remove it'));
    }
    for (const [index, item] of items.entries()) {
      if (schema['uniqueItems'] === true && items.findIndex((earlier) => jsonEqual(earlier, item)) < index) {
        const place = appendPointer(pointer, index);
        const twice = other(place, 'stands in the list twice', 'Remove one of them');
        outcome.problems.push({ ...twice, keyword: 'repeated' });
      }
      descend(schema['items'] ?? true, item, judged, index);
    }
  }

  function judgeObject(schema: JsonObject, object: JsonObject, judged: CheckedExchange): void {
    const { pointer, outcome } = judged;
    if (typeof object['$ref'] === 'string' && schema['target'] !== undefined) {
      outcome.targets.push({ pointer, reference: object['$ref'], target: schema['target'] });
    }
    for (const name of namesAt(schema, 'required')) {
      if (!Object.hasOwn(object, name)) {
        outcome.problems.push(missingProperty(pointer, [name]));
      }
    }
    const size = Object.keys(object).length;
    if (size < Number(schema['minProperties'] ?? 0)) {
      outcome.problems.push(other(pointer, 'must not be empty', 'Add a member'));
    }
    if (size > Number(schema['maxProperties'] ?? Infinity)) {
      outcome.problems.push(
        other(pointer, `must have only one member, but has ${size}`, 'Remove the others'),
      );
    }
    const { properties, patternProperties, additionalProperties, propertyNames, dependentSchemas } = schema;
    const byPattern = isJsonObject(patternProperties) ? Object.entries(patternProperties) : [];
    for (const [name, member] of Object.entries(object)) {
      const parts = byPattern.filter(([pattern]) => patternOf(pattern).test(name)).map(([, part]) => part);
      if (isJsonObject(properties) && Object.hasOwn(properties, name)) {
        parts.push(properties[name] ?? true);
      }
      if (parts.length === 0 && additionalProperties === false) {
        outcome.problems.push(unknownProperty(pointer, name, knownNames(structure, schema)));
      } else if (parts.length === 0 && additionalProperties !== undefined) {
        parts.push(additionalProperties);
      }
      for (const part of parts) {
        descend(part, member, judged, name);
        judged.evaluated?.add(name);
      }
      if (propertyNames !== undefined) {
        descend(propertyNames, name, judged, name);
      }
    }
    for (const [name, part] of isJsonObject(dependentSchemas) ? Object.entries(dependentSchemas) : []) {
      if (Object.hasOwn(object, name)) {
        judge(part, judged);
      }
    }
  }

  function judgeInPlace(schema: JsonObject, judged: CheckedExchange): void {
    const { not, if: condition, then: whenTrue = true, else: whenFalse = true } = schema;
    for (const part of listAt(schema, 'allOf')) {
      judge(part, judged);
    }
    judgeBranches(listAt(schema, 'anyOf'), Infinity, judged);
    judgeBranches(listAt(schema, 'oneOf'), 1, judged);
    if (not !== undefined && attempt(not, judged).outcome.problems.length === 0) {
      const names = isJsonObject(not) ? namesAt(not, 'required') : [];
      judged.outcome.problems.push(
        names.length > 0
          ? excludedProperties(judged.pointer, names)
          : other(judged.pointer, 'may not stand here'),
      );
    }
    if (condition !== undefined) {
      const tried = attempt(condition, judged);
      const isTrue = tried.outcome.problems.length === 0;
      if (isTrue) {
        adopt(tried, judged);
      }
      judge(isTrue ? whenTrue : whenFalse, judged);
    }
  }

  function judgeBranches(branches: readonly JsonValue[], most: number, judged: CheckedExchange): void {
    if (branches.length === 0) return;
    const { value, pointer, outcome } = judged;
    const tried = branches.map((branch) => attempt(branch, judged));
    const matching = tried.filter((branch) => branch.outcome.problems.length === 0);
    for (const branch of matching.length > 0 ? matching : tried) {
      adopt(branch, judged);
    }
    if (matching.length > most) {
      const names = branches.filter(isJsonObject).flatMap((branch) => namesAt(branch, 'required'));
      // What would tell the branches apart may be missing, which is the mistake then.
      if (isJsonObject(value) && names.every((name) => !Object.hasOwn(value, name))) return;
      outcome.problems.push(excludedProperties(pointer, names));
    }
    if (matching.length === 0) {
      const problems = tried.map((branch) => branch.outcome.problems);
      const valueAt = (place: JsonPointer): JsonValue =>
        resolvePointer(value, place.slice(pointer.length)) ?? null;
      outcome.problems.push(...chooseBranch(problems, pointer, valueAt));
    }
  }

  const outcome: StructureOutcome = { problems: [], targets: [] };
  judge(whole, { ...start, outcome, evaluated: undefined });
  return outcome;
}

function definitionAt(structure: JsonObject, reference: string): JsonValue {
  return resolvePointer(structure, reference.slice(1)) ?? true;
}

/** The items of a keyword that takes one or several, or may be absent. */
function listAt(schema: JsonObject, keyword: string): readonly JsonValue[] {
  const value = schema[keyword];
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function namesAt(schema: JsonObject, keyword: string): readonly string[] {
  return listAt(schema, keyword).filter((item) => typeof item === 'string');
}

function isOfType(value: JsonValue, type: string): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return isJsonNumber(value) && isInteger(value);
    case 'null':
      return value === null;
    case 'number':
      return isJsonNumber(value);
    case 'object':
      return isJsonObject(value);
    default:
      return typeof value === type;
  }
}

/** What is wrong with a value by the keywords that do not look into it: `enum`, `const`, `pattern`, `format`, bounds. */
function judgeScalar(
  schema: JsonObject,
  value: JsonValue,
  pointer: JsonPointer,
): readonly StructureProblem[] {
  const { const: constant, enum: values = constant, pattern, format, minimum, exclusiveMinimum } = schema;
  const found: StructureProblem[] = [];
  const allowed = values === undefined ? [] : Array.isArray(values) ? values : [values];
  if (allowed.length > 0 && !allowed.some((item) => jsonEqual(item, value))) {
    found.push(wrongValue(pointer, allowed, value));
  }
  if (typeof value === 'string' && typeof pattern === 'string' && !patternOf(pattern).test(value)) {
    found.push(other(pointer, patternWords[pattern] ?? `must match ${pattern}`));
  }
  const words = typeof value === 'string' ? evaluateFormat(format, value) : undefined;
  if (words !== undefined) {
    found.push(other(pointer, words));
  }
  if (isJsonNumber(value)) {
    // In draft 4, which the schema of 3.0 is written in, exclusiveMinimum is a boolean beside minimum.
    const isExclusive = exclusiveMinimum === true || typeof exclusiveMinimum === 'number';
    const bound = typeof exclusiveMinimum === 'number' ? exclusiveMinimum : minimum;
    const order = typeof bound === 'number' ? compareNumbers(value, bound) : 1;
    if (order < 0 || (isExclusive && order === 0)) {
      found.push(other(pointer, `must be ${isExclusive ? 'greater than' : 'at least'} ${Number(bound)}`));
    }
  }
  return found;
}

const patterns = new Map<string, RegExp>();

/** The patterns are few, and making one takes longer than trying it. */
function patternOf(text: string): RegExp {
  const pattern = patterns.get(text) ?? new RegExp(text, 'u');
  patterns.set(text, pattern);
  return pattern;
}

/** What a text must be to have a format, where it has not; it forgives what readers forgive, such as braces in a URL. */
function evaluateFormat(format: JsonValue | undefined, text: string): string | undefined {
  switch (format) {
    case 'regex':
      return isPattern(text) ? undefined : 'must be a regular expression';
    case 'email':
      return /^[^\s@]+@[^\s@]+$/u.test(text) ? undefined : 'must be an e-mail address';
    case 'uri':
    case 'uri-reference':
      // References are decoded by now.
      return /^[^\s<>"\\^`#]*(?:#.*)?$/su.test(text) ? undefined : 'must be a URL';
    default:
      return undefined;
  }
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}

/** References in the published schemas run in circles, though never for one value. */
const deepest = 8;

/**
 * The properties and patterns that a schema speaks about, whatever the value: one of them may have been
 * meant by a property that it does not know.
 */
function knownNames(structure: JsonObject, schema: JsonValue, depth = 0): readonly string[] {
  if (!isJsonObject(schema) || depth > deepest) return [];
  const { $ref, properties, patternProperties, dependentSchemas } = schema;
  const inPlace = [
    ...(typeof $ref === 'string' ? [definitionAt(structure, $ref)] : []),
    ...['allOf', 'anyOf', 'oneOf', 'then', 'else'].flatMap((keyword) => listAt(schema, keyword)),
    ...(isJsonObject(dependentSchemas) ? Object.values(dependentSchemas) : []),
  ];
  const own = [properties, patternProperties].flatMap((named) =>
    isJsonObject(named) ? Object.keys(named) : [],
  );
  const names = [...own, ...inPlace.flatMap((part) => knownNames(structure, part, depth + 1))];
  return [...new Set(names)];
}

type Branch = readonly StructureProblem[];

/** Why a branch is for another value of a property that tells branches apart: `in`, `type`. */
function otherValue(branch: Branch, pointer: JsonPointer): StructureProblem | undefined {
  const depth = pointerTokens(pointer).length;
  return branch.find(
    ({ keyword, judged }) => keyword === 'value' && pointerTokens(judged).length <= depth + 1,
  );
}

/**
 * What to say of a value that no branch of an `anyOf` or `oneOf` accepts: the problems of the branch that
 * was most likely meant, or one problem that says what all branches have in common.
 */
function chooseBranch(
  branches: readonly Branch[],
  at: JsonPointer,
  valueAt: (pointer: JsonPointer) => JsonValue,
): readonly StructureProblem[] {
  const typed = branches.filter(
    (branch) => !branch.some(({ keyword, judged }) => keyword === 'type' && judged === at),
  );
  if (typed.length === 0) {
    return [wrongType(at, unite(branches.flat()), valueAt(at))];
  }
  const enforced = typed.filter((branch) => otherValue(branch, at) === undefined);
  if (enforced.length === 0) {
    const values = typed.flatMap((branch) => otherValue(branch, at) ?? []);
    const [first] = values;
    // Where they differ in several members, one that is right for all branches but one tells which was meant.
    const alone = values.filter(
      ({ judged }) => values.filter((other) => other.judged === judged).length === 1,
    );
    if (alone.length === 1 && values.length > 2) return alone;
    return first === undefined ? [] : [wrongValue(first.judged, unite(values), valueAt(first.judged))];
  }
  const missing = enforced.flat();
  const isMissingOnly =
    enforced.length > 1 && missing.every(({ keyword, judged }) => keyword === 'missing' && judged === at);
  if (isMissingOnly && missing.length === enforced.length) return [missingProperty(at, unite(missing))];
  const [best = []] = enforced.toSorted((a, b) => a.length - b.length);
  return best;
}

/** All that would do, in the order of the branches. Types and names are strings. */
function unite(problems: readonly StructureProblem[]): string[] {
  const expected = problems.flatMap((problem) => problem.expected);
  return [...new Set(expected.filter((item) => typeof item === 'string'))];
}
