import { compareNumbers } from '../../json/compare-numbers.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import { appendPointer, type JsonPointer } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { isJsonObject } from '../is-json-object.ts';
import { resolvePointer } from '../resolve-pointer.ts';
import { chooseBranch } from './choose-branch.ts';
import { evaluateFormat } from './evaluate-format.ts';
import { isOfType } from './is-of-type.ts';
import type { StructureProblem } from './structure-problem.ts';
import {
  excludedProperties,
  missingProperty,
  other,
  unknownProperty,
  wrongType,
  wrongValue,
} from './structure-words.ts';

/** A reference that was met, and the structure that what it leads to must have. */
export interface ExpectedTarget {
  readonly pointer: JsonPointer;
  readonly reference: string;
  readonly target: JsonValue;
}

/** What came of judging one value by one schema. */
export interface StructureOutcome {
  readonly problems: StructureProblem[];
  readonly targets: ExpectedTarget[];
  /** The properties that some schema spoke about, valid or not: a wrong one is not an unknown one too. */
  readonly evaluated: Set<string>;
  /** The properties and patterns that would have been spoken about. */
  readonly known: Set<string>;
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
  const { structure, schema, value, pointer } = input;
  const outcome: StructureOutcome = { problems: [], targets: [], evaluated: new Set(), known: new Set() };
  const { problems } = outcome;

  function judge(part: JsonValue, member: JsonValue, place: JsonPointer): StructureOutcome {
    return evaluateStructure({ structure, schema: part, value: member, pointer: place });
  }
  /** Takes over what a schema finds that judges the same value. */
  function apply(part: JsonValue): void {
    adopt(judge(part, value, pointer));
  }
  function adopt(inner: StructureOutcome): void {
    problems.push(...inner.problems);
    outcome.targets.push(...inner.targets);
    inner.evaluated.forEach((name) => outcome.evaluated.add(name));
    inner.known.forEach((name) => outcome.known.add(name));
  }
  function descend(part: JsonValue, member: JsonValue, place: JsonPointer): void {
    const inner = judge(part, member, place);
    problems.push(...inner.problems);
    outcome.targets.push(...inner.targets);
  }

  if (schema === false) {
    problems.push(other(pointer, { reason: 'is not supported', remedy: 'Use $ref' }));
  }
  if (!isJsonObject(schema)) {
    return outcome;
  }
  const types = toList(schema['type']).filter((type) => typeof type === 'string');
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) {
    problems.push(wrongType(pointer, types, value));
    return outcome;
  }
  if (typeof schema['$ref'] === 'string') {
    apply(resolvePointer(structure, schema['$ref'].slice(1)) ?? true);
  }
  problems.push(...judgeScalar(schema, value, pointer));
  if (Array.isArray(value)) {
    judgeArray(schema, value);
  }
  if (isJsonObject(value)) {
    judgeObject(schema, value);
  }
  judgeInPlace(schema);
  if (isJsonObject(value) && schema['unevaluatedProperties'] === false) {
    const unknown = Object.keys(value).filter((name) => !outcome.evaluated.has(name));
    problems.push(...unknown.map((name) => unknownProperty(pointer, name, [...outcome.known])));
  }
  return outcome;

  function judgeArray(asked: JsonObject, items: readonly JsonValue[]): void {
    if (items.length < Number(asked['minItems'] ?? 0)) {
      problems.push(other(pointer, { reason: 'must not be empty', remedy: 'Add an item, or remove it' }));
    }
    const twice = items.findIndex((item, index) => items.slice(0, index).some((earlier) => jsonEqual(item, earlier)));
    if (asked['uniqueItems'] === true && twice !== -1) {
      problems.push(other(appendPointer(pointer, twice), { reason: 'stands in the list twice', remedy: 'Remove one of them' }));
    }
    const { items: part } = asked;
    if (part !== undefined) {
      items.forEach((item, index) => descend(part, item, appendPointer(pointer, index)));
    }
  }

  function judgeObject(asked: JsonObject, object: JsonObject): void {
    if (typeof object['$ref'] === 'string' && asked['target'] !== undefined) {
      outcome.targets.push({ pointer, reference: object['$ref'], target: asked['target'] });
    }
    const names = Object.keys(object);
    const missing = toList(asked['required']).filter((name) => typeof name === 'string' && !Object.hasOwn(object, name));
    problems.push(...missing.map((name) => missingProperty(pointer, [String(name)])));
    if (names.length < Number(asked['minProperties'] ?? 0)) {
      problems.push(other(pointer, { reason: 'must not be empty', remedy: 'Add a member' }));
    }
    if (names.length > Number(asked['maxProperties'] ?? Infinity)) {
      problems.push(other(pointer, { reason: `must have only one member, but has ${names.length}`, remedy: 'Remove the others' }));
    }
    const { properties = {}, patternProperties = {}, additionalProperties, propertyNames } = asked;
    const byName = isJsonObject(properties) ? properties : {};
    const byPattern = Object.entries(isJsonObject(patternProperties) ? patternProperties : {});
    [...Object.keys(byName), ...byPattern.map(([pattern]) => pattern)].forEach((name) => outcome.known.add(name));
    for (const [name, member] of Object.entries(object)) {
      const place = appendPointer(pointer, name);
      const own = Object.hasOwn(byName, name) ? byName[name] : undefined;
      const parts = [own, ...byPattern.filter(([pattern]) => new RegExp(pattern, 'u').test(name)).map(([, part]) => part)];
      const spoken = parts.filter((part) => part !== undefined);
      if (spoken.length === 0 && additionalProperties === false) {
        problems.push(unknownProperty(pointer, name, [...outcome.known]));
      } else if (spoken.length === 0 && additionalProperties !== undefined) {
        spoken.push(additionalProperties);
      }
      spoken.forEach((part) => descend(part, member, place));
      if (spoken.length > 0) {
        outcome.evaluated.add(name);
      }
      if (propertyNames !== undefined) {
        descend(propertyNames, name, place);
      }
    }
    for (const [name, part] of Object.entries(isJsonObject(asked['dependentSchemas']) ? asked['dependentSchemas'] : {})) {
      if (Object.hasOwn(object, name)) {
        apply(part);
      }
    }
  }

  function judgeInPlace(asked: JsonObject): void {
    toList(asked['allOf']).forEach(apply);
    judgeBranches(asked['anyOf'], Infinity);
    judgeBranches(asked['oneOf'], 1);
    const { not, if: condition, then: whenTrue = true, else: whenFalse = true } = asked;
    if (not !== undefined && judge(not, value, pointer).problems.length === 0) {
      problems.push(describeExcluded(not));
    }
    if (condition !== undefined) {
      const tried = judge(condition, value, pointer);
      if (tried.problems.length === 0) {
        adopt(tried);
      }
      apply(tried.problems.length === 0 ? whenTrue : whenFalse);
    }
  }

  function judgeBranches(asked: JsonValue | undefined, most: number): void {
    const tried = toList(asked).map((part) => judge(part, value, pointer));
    const matching = tried.filter((inner) => inner.problems.length === 0);
    if (tried.length === 0) {
      return;
    }
    matching.forEach(adopt);
    if (matching.length > most) {
      const names = toList(asked).flatMap((part) => (isJsonObject(part) ? toList(part['required']) : []));
      problems.push(excludedProperties(pointer, names.filter((name) => typeof name === 'string')));
    }
    if (matching.length === 0) {
      tried.forEach((inner) => adopt({ ...inner, problems: [], targets: [] }));
      const valueAt = (place: JsonPointer): JsonValue =>
        resolvePointer(value, place.slice(pointer.length)) ?? null;
      problems.push(...chooseBranch(tried.map((inner) => inner.problems), pointer, valueAt));
    }
  }

  function describeExcluded(not: JsonValue): StructureProblem {
    const names = isJsonObject(not) ? toList(not['required']).filter((name) => typeof name === 'string') : [];
    return names.length > 0
      ? excludedProperties(pointer, names)
      : other(pointer, { reason: 'may not stand here', remedy: 'Correct it' });
  }
}

/** What the words of an author can be wrong about in a value that is neither array nor object. */
function judgeScalar(schema: JsonObject, value: JsonValue, pointer: JsonPointer): readonly StructureProblem[] {
  const found: StructureProblem[] = [];
  const allowed = Array.isArray(schema['enum']) ? schema['enum'] : toList(schema['const']);
  if (allowed.length > 0 && !allowed.some((item) => jsonEqual(item, value))) {
    found.push(wrongValue(pointer, allowed, value));
  }
  const { pattern, format, minimum, exclusiveMinimum } = schema;
  if (typeof value === 'string') {
    if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(value)) {
      found.push(other(pointer, { reason: patternWords[pattern] ?? `must match ${pattern}`, remedy: 'Correct it' }));
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
      found.push(other(pointer, { reason: `must be ${words} ${String(bound)}`, remedy: 'Correct it' }));
    }
  }
  return found;
}

const patternWords: Readonly<Record<string, string>> = {
  '^[a-zA-Z0-9._-]+$': 'may be made of letters, digits, ".", "_" and "-" only',
  '^[^{}]+$': 'must not hold braces',
};

function toList(value: JsonValue | undefined): readonly JsonValue[] {
  if (value === undefined) {
    return [];
  }
  return Array.isArray(value) ? value : [value];
}
