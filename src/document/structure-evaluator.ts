import { compareNumbers, ExactNumber, isInteger } from '../json/exact-number.ts';
import { appendPointer, type JsonPointer, pointerTokens, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../json/value.ts';
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

type Branch = readonly StructureProblem[];

function isMistyped(branch: Branch, pointer: JsonPointer): boolean {
  return branch.some(({ keyword, judged }) => keyword === 'type' && judged === pointer);
}

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
 *
 * @param input.at - the pointer that the branches judged
 * @param input.valueAt - gives the value at a pointer
 */
function chooseBranch(input: {
  readonly branches: readonly Branch[];
  readonly at: JsonPointer;
  readonly valueAt: (pointer: JsonPointer) => JsonValue;
}): readonly StructureProblem[] {
  const { branches, at, valueAt } = input;
  const typed = branches.filter((branch) => !isMistyped(branch, at));
  if (typed.length === 0) {
    return [wrongType({ pointer: at, types: unite(branches.flat()), value: valueAt(at) })];
  }
  const told = typed.filter((branch) => otherValue(branch, at) === undefined);
  if (told.length === 0) {
    const values = typed.flatMap((branch) => otherValue(branch, at) ?? []);
    const [first] = values;
    return first === undefined
      ? []
      : [wrongValue({ pointer: first.judged, allowed: unite(values), value: valueAt(first.judged) })];
  }
  const missing = told.flat();
  const isMissingOnly =
    told.length > 1 && missing.every(({ keyword, judged }) => keyword === 'missing' && judged === at);
  if (isMissingOnly && missing.length === told.length) return [missingProperty(at, unite(missing))];
  const [best = []] = told.toSorted((a, b) => a.length - b.length);
  return best;
}

/** All that would do, in the order of the branches. Types and names are strings. */
function unite(problems: readonly StructureProblem[]): string[] {
  const expected = problems.flatMap((problem) => problem.expected);
  return [...new Set(expected.filter((item) => typeof item === 'string'))];
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}

/**
 * Whether a text has a format that the schema of OpenAPI documents names. It forgives what readers forgive,
 * such as braces in a URL.
 *
 * @returns what the text must be, or undefined where it is that, or the format is not known
 */
function evaluateFormat(format: string, text: string): string | undefined {
  switch (format) {
    case 'regex':
      return isPattern(text) ? undefined : 'must be a regular expression';
    case 'email':
      return /^[^\s@]+@[^\s@]+$/u.test(text) ? undefined : 'must be an e-mail address';
    case 'uri':
    case 'uri-reference':
      return /^[^\s<>"\\^`]*$/u.test(text) ? undefined : 'must be a URL';
    default:
      return undefined;
  }
}

/** Whether a value has a type of JSON Schema (2020-12 validation §6.1.1). */
function isOfType(value: JsonValue, type: string): boolean {
  const isNumber = typeof value === 'number' || value instanceof ExactNumber;
  switch (type) {
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return isNumber && isInteger(value);
    case 'null':
      return value === null;
    case 'number':
      return isNumber;
    case 'object':
      return isJsonObject(value);
    default:
      return typeof value === type;
  }
}

/** What is wrong with a value by the keywords that do not look into it: `enum`, `const`, `pattern`, `format`, bounds. */
function judgeScalar(input: {
  readonly schema: JsonObject;
  readonly value: JsonValue;
  readonly pointer: JsonPointer;
}): readonly StructureProblem[] {
  const { schema, value, pointer } = input;
  const found: StructureProblem[] = [];
  const allowed = Array.isArray(schema['enum'])
    ? schema['enum']
    : [schema['const']].filter((item) => item !== undefined);
  if (allowed.length > 0 && !allowed.some((item) => jsonEqual(item, value))) {
    found.push(wrongValue({ pointer, allowed, value }));
  }
  const { pattern, format, minimum, exclusiveMinimum } = schema;
  if (typeof value === 'string') {
    if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) {
      found.push(
        other(pointer, { reason: patternWords[pattern] ?? `must match ${pattern}`, remedy: 'Correct it' }),
      );
    }
    const words = typeof format === 'string' ? evaluateFormat(format, value) : undefined;
    if (words !== undefined) {
      found.push(other(pointer, { reason: words, remedy: 'Correct it' }));
    }
  }
  if (typeof value === 'number' || value instanceof ExactNumber) {
    // In draft 4, which the schema of 3.0 is written in, exclusiveMinimum is a boolean beside minimum.
    const isExclusive = exclusiveMinimum === true || typeof exclusiveMinimum === 'number';
    const bound = typeof exclusiveMinimum === 'number' ? exclusiveMinimum : minimum;
    const order = typeof bound === 'number' ? compareNumbers(value, bound) : 1;
    if (order < 0 || (isExclusive && order === 0)) {
      const words = isExclusive ? 'greater than' : 'at least';
      found.push(other(pointer, { reason: `must be ${words} ${Number(bound)}`, remedy: 'Correct it' }));
    }
  }
  return found;
}

/** The items of a keyword that takes one or several, or may be absent. */
function toList(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** References in the published schemas run in circles, though never for one value. */
const deepest = 8;

/**
 * The properties and patterns that a schema speaks about, whatever the value: one of them may have been
 * meant by a property that it does not know.
 *
 * @param definitionOf - gives what a reference in the schema leads to
 */
function knownNames(schema: JsonValue, definitionOf: (reference: string) => JsonValue): ReadonlySet<string> {
  const names = new Set<string>();

  function gather(part: JsonValue, depth: number): void {
    if (!isJsonObject(part) || depth > deepest) return;
    const { $ref, properties, patternProperties, dependentSchemas } = part;
    for (const named of [properties, patternProperties]) {
      Object.keys(isJsonObject(named) ? named : {}).forEach((name) => names.add(name));
    }
    const inPlace = [
      ...(typeof $ref === 'string' ? [definitionOf($ref)] : []),
      ...['allOf', 'anyOf', 'oneOf', 'then', 'else'].flatMap((keyword) => toList(part[keyword])),
      ...(isJsonObject(dependentSchemas) ? Object.values(dependentSchemas) : []),
    ];
    inPlace.forEach((inner) => gather(inner, depth + 1));
  }

  gather(schema, 0);
  return names;
}

/** A reference that was met, and the structure that what it leads to must have. */
export interface ExpectedTarget {
  readonly pointer: JsonPointer;
  readonly reference: string;
  readonly target: JsonValue;
}

/** What came of judging a value by a schema. */
interface StructureOutcome {
  readonly problems: StructureProblem[];
  readonly targets: ExpectedTarget[];
}

/** A value that is being judged. */
interface Judged {
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
 * Judges a part of a document by a part of the schema of OpenAPI documents.
 *
 * It is no general validator: it knows the keywords of those schemas ({@link structureKeywords}), and in
 * return needs no compiling, which takes longer than reading a document, and gives problems as a tree that
 * can be boiled down to one for each mistake.
 *
 * @param input.structure - the whole schema, for the references in it
 * @param input.schema - the part to judge by
 * @param input.pointer - the place of the value in the document
 */
export function evaluateStructure(input: {
  readonly structure: JsonObject;
  readonly schema: JsonValue;
  readonly value: JsonValue;
  readonly pointer: JsonPointer;
}): StructureOutcome {
  const { structure, schema: whole, value: root, pointer: start } = input;
  const definitions = new Map<string, JsonValue>();

  function definitionOf(reference: string): JsonValue {
    const definition = definitions.get(reference) ?? resolvePointer(structure, reference.slice(1)) ?? true;
    definitions.set(reference, definition);
    return definition;
  }

  function judge(schema: JsonValue, judged: Judged): void {
    const { value, pointer, outcome } = judged;
    if (schema === false) {
      outcome.problems.push(other(pointer, { reason: 'is not supported', remedy: 'Use $ref' }));
    }
    if (!isJsonObject(schema)) return;
    if (!hasType(schema, judged)) return;
    const isClosed = schema['unevaluatedProperties'] === false && isJsonObject(value);
    const inner = isClosed ? { ...judged, evaluated: new Set<string>() } : judged;
    if (typeof schema['$ref'] === 'string') {
      judge(definitionOf(schema['$ref']), inner);
    }
    outcome.problems.push(...judgeScalar({ schema, value, pointer }));
    if (Array.isArray(value)) {
      judgeArray(schema, value, inner);
    } else if (isJsonObject(value)) {
      judgeObject(schema, value, inner);
    }
    judgeInPlace(schema, inner);
    if (isClosed) {
      for (const name of Object.keys(value)) {
        if (inner.evaluated?.has(name) === true) {
          judged.evaluated?.add(name);
        } else {
          outcome.problems.push(unknownProperty({ pointer, name, known: knownNames(schema, definitionOf) }));
        }
      }
    }
  }

  /** Judges a member on its own. */
  function descend(schema: JsonValue, value: JsonValue, around: Judged, key: string | number): void {
    const pointer = appendPointer(around.pointer, key);
    judge(schema, { value, pointer, outcome: around.outcome, evaluated: undefined });
  }

  /** Judges without saying so yet. */
  function attempt(schema: JsonValue, judged: Judged): Judged {
    const tried: Judged = {
      ...judged,
      outcome: { problems: [], targets: [] },
      evaluated: judged.evaluated === undefined ? undefined : new Set(),
    };
    judge(schema, tried);
    return tried;
  }

  function adopt(tried: Judged, judged: Judged): void {
    judged.outcome.targets.push(...tried.outcome.targets);
    tried.evaluated?.forEach((name) => judged.evaluated?.add(name));
  }

  function judgeArray(schema: JsonObject, items: readonly JsonValue[], judged: Judged): void {
    const { pointer, outcome } = judged;
    if (items.length < Number(schema['minItems'] ?? 0)) {
      outcome.problems.push(
        other(pointer, { reason: 'must not be empty', remedy: 'Add an item, or remove it' }),
      );
    }
    const part = schema['items'];
    for (const [index, item] of items.entries()) {
      if (schema['uniqueItems'] === true && items.findIndex((earlier) => jsonEqual(earlier, item)) < index) {
        const words = { reason: 'stands in the list twice', remedy: 'Remove one of them' };
        outcome.problems.push(other(appendPointer(pointer, index), words));
      }
      if (part !== undefined) {
        descend(part, item, judged, index);
      }
    }
  }

  function judgeObject(schema: JsonObject, object: JsonObject, judged: Judged): void {
    const { pointer, outcome } = judged;
    if (typeof object['$ref'] === 'string' && schema['target'] !== undefined) {
      outcome.targets.push({ pointer, reference: object['$ref'], target: schema['target'] });
    }
    for (const name of toList(schema['required'])) {
      if (typeof name === 'string' && !Object.hasOwn(object, name)) {
        outcome.problems.push(missingProperty(pointer, [name]));
      }
    }
    judgeSize(schema, Object.keys(object).length, judged);
    const { properties, patternProperties, additionalProperties, propertyNames, dependentSchemas } = schema;
    const byName = isJsonObject(properties) ? properties : {};
    const byPattern = isJsonObject(patternProperties) ? Object.entries(patternProperties) : [];
    for (const [name, member] of Object.entries(object)) {
      const own = Object.hasOwn(byName, name) ? byName[name] : undefined;
      const parts = byPattern.filter(([pattern]) => patternOf(pattern).test(name)).map(([, part]) => part);
      if (own !== undefined) {
        parts.push(own);
      }
      if (parts.length === 0 && additionalProperties === false) {
        outcome.problems.push(unknownProperty({ pointer, name, known: knownNames(schema, definitionOf) }));
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

  function judgeInPlace(schema: JsonObject, judged: Judged): void {
    const { not, if: condition, then: whenTrue = true, else: whenFalse = true } = schema;
    for (const part of toList(schema['allOf'])) {
      judge(part, judged);
    }
    judgeBranches(toList(schema['anyOf']), Infinity, judged);
    judgeBranches(toList(schema['oneOf']), 1, judged);
    if (not !== undefined && attempt(not, judged).outcome.problems.length === 0) {
      judged.outcome.problems.push(describeExcluded(not, judged.pointer));
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

  function judgeBranches(branches: readonly JsonValue[], most: number, judged: Judged): void {
    if (branches.length === 0) return;
    const { value, pointer, outcome } = judged;
    const tried = branches.map((branch) => attempt(branch, judged));
    const matching = tried.filter((branch) => branch.outcome.problems.length === 0);
    for (const branch of matching.length > 0 ? matching : tried) {
      adopt(branch, judged);
    }
    if (matching.length > most) {
      const names = branches.flatMap((branch) => (isJsonObject(branch) ? toList(branch['required']) : []));
      outcome.problems.push(
        excludedProperties(
          pointer,
          names.filter((name) => typeof name === 'string'),
        ),
      );
    }
    if (matching.length === 0) {
      const problems = tried.map((branch) => branch.outcome.problems);
      const valueAt = (place: JsonPointer): JsonValue =>
        resolvePointer(value, place.slice(pointer.length)) ?? null;
      outcome.problems.push(...chooseBranch({ branches: problems, at: pointer, valueAt }));
    }
  }

  const outcome: StructureOutcome = { problems: [], targets: [] };
  judge(whole, { value: root, pointer: start, outcome, evaluated: undefined });
  return outcome;
}

function hasType(schema: JsonObject, { value, pointer, outcome }: Judged): boolean {
  const types = toList(schema['type']).filter((type) => typeof type === 'string');
  const isRight = types.length === 0 || types.some((type) => isOfType(value, type));
  if (!isRight) {
    outcome.problems.push(wrongType({ pointer, types, value }));
  }
  return isRight;
}

function judgeSize(schema: JsonObject, size: number, { pointer, outcome }: Judged): void {
  if (size < Number(schema['minProperties'] ?? 0)) {
    outcome.problems.push(other(pointer, { reason: 'must not be empty', remedy: 'Add a member' }));
  }
  if (size > Number(schema['maxProperties'] ?? Infinity)) {
    const reason = `must have only one member, but has ${size}`;
    outcome.problems.push(other(pointer, { reason, remedy: 'Remove the others' }));
  }
}

function describeExcluded(not: JsonValue, pointer: JsonPointer): StructureProblem {
  const names = isJsonObject(not) ? toList(not['required']).filter((name) => typeof name === 'string') : [];
  return names.length > 0
    ? excludedProperties(pointer, names)
    : other(pointer, { reason: 'may not stand here', remedy: 'Correct it' });
}

const patterns = new Map<string, RegExp>();

/** The patterns are few, and making one takes longer than trying it. */
function patternOf(text: string): RegExp {
  const pattern = patterns.get(text) ?? new RegExp(text, 'u');
  patterns.set(text, pattern);
  return pattern;
}
