import { appendPointer, type JsonPointer, pointerTokens, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, jsonEqual, type JsonObject, type JsonValue } from '../json/value.ts';
import {
  excludedProperties,
  missingProperty,
  other,
  type StructureProblem,
  unknownProperty,
  wrongType,
  wrongValue,
} from './structure-problems.ts';
import { isOfType, toScalarChecks } from './structure-scalars.ts';

/** A reference in the document, and the structure that its target must have. */
export interface ExpectedTarget {
  readonly pointer: JsonPointer;
  readonly reference: string;
  readonly target: JsonValue;
}

interface StructureOutcome {
  readonly problems: StructureProblem[];
  readonly targets: ExpectedTarget[];
}

interface Judged {
  readonly value: JsonValue;
  readonly pointer: JsonPointer;
  readonly outcome: StructureOutcome;
  /** Collects the evaluated properties, if that matters. A wrong one is not also reported as unknown. */
  readonly evaluated: Set<string> | undefined;
}

/** A compiled part of the schema of OpenAPI documents. */
interface Rule {
  /**
   * Returns whether a value is valid, if that can be decided without looking into it, as for most values. It is cheaper
   * than `judge`, which builds pointers and messages that many callers do not need.
   */
  settles(value: JsonValue): boolean | undefined;
  judge(judged: Judged): void;
}

/** The keywords that the evaluator follows or may ignore. A test checks the published schemas against this list. */
export const structureKeywords: ReadonlySet<string> = new Set(
  (
    '$comment $defs $dynamicAnchor $id $ref $schema additionalProperties allOf anyOf const default definitions dependentSchemas ' +
    'description else enum exclusiveMinimum format id if items maxProperties minItems minProperties minimum not oneOf pattern ' +
    'patternProperties properties propertyNames required target then title type unevaluatedProperties uniqueItems'
  ).split(' '),
);

/**
 * Checks a part of a document against a part (`schema`) of the schema of OpenAPI documents (`structure`). It is not a
 * general validator: it supports only the keywords of those schemas ({@link structureKeywords}). In return it needs no
 * compiler, which takes longer than reading a document, and its problems can be reduced to one for each mistake.
 */
export function evaluateStructure(input: {
  readonly structure: JsonObject;
  readonly schema: JsonValue;
  readonly value: JsonValue;
  readonly pointer: JsonPointer;
}): StructureOutcome {
  const { structure, schema, value, pointer } = input;
  const rules = rulesOf.get(structure) ?? createRules(structure);
  rulesOf.set(structure, rules);
  const outcome: StructureOutcome = { problems: [], targets: [] };
  rules(schema).judge({ value, pointer, outcome, evaluated: undefined });
  return outcome;
}

type Rules = (schema: JsonValue) => Rule;

const rulesOf = new WeakMap<JsonObject, Rules>();

const anything: Rule = { settles: () => true, judge: () => undefined };

const nothing: Rule = {
  settles: () => false,
  judge: ({ pointer, outcome }) => {
    outcome.problems.push(other(pointer, 'is not supported', 'Use $ref'));
  },
};

function createRules(structure: JsonObject): Rules {
  const known = new WeakMap<JsonObject, Rule>();

  /** Schemas are recursive. Therefore rules are created on first use. */
  function toRule(schema: JsonValue): Rule {
    if (!isJsonObject(schema)) return schema === false ? nothing : anything;
    const rule = known.get(schema) ?? createRule(structure, schema, toRule);
    known.set(schema, rule);
    return rule;
  }

  return toRule;
}

/** Keywords that need no look into the value, and annotations. */
const outerKeywords = new Set(
  '$comment const default description enum exclusiveMinimum format minimum pattern required title type'.split(
    ' ',
  ),
);

function createRule(structure: JsonObject, schema: JsonObject, toRule: Rules): Rule {
  const types = namesAt(schema, 'type');
  const required = namesAt(schema, 'required');
  const checks = toScalarChecks(schema);
  const isOuter = Object.keys(schema).every((keyword) => outerKeywords.has(keyword));
  const reference = typeof schema['$ref'] === 'string' ? schema['$ref'] : undefined;
  let referred: Rule | undefined;
  const follow = (): Rule | undefined =>
    (referred ??= reference === undefined ? undefined : toRule(definitionAt(structure, reference)));
  let judgeParts: Judge | undefined;
  const isTyped = (value: JsonValue): boolean =>
    types.length === 0 || types.some((type) => isOfType(value, type));
  return {
    settles(value) {
      const isWrong =
        !isTyped(value) ||
        checks.some((check) => !check.passes(value)) ||
        (isJsonObject(value) && required.some((name) => !Object.hasOwn(value, name)));
      if (isWrong) return false;
      return isOuter ? true : undefined;
    },
    judge(judged) {
      const { value, pointer, outcome } = judged;
      if (!isTyped(value)) {
        outcome.problems.push(wrongType(pointer, types, value));
        return;
      }
      const isClosed = schema['unevaluatedProperties'] === false && isJsonObject(value);
      const inner = isClosed ? { ...judged, evaluated: new Set<string>() } : judged;
      follow()?.judge(inner);
      for (const check of checks) {
        if (!check.passes(value)) outcome.problems.push(check.describe(value, pointer));
      }
      judgeParts ??= createPartsJudge(structure, schema, toRule);
      judgeParts(inner);
      for (const name of isClosed ? Object.keys(value) : []) {
        if (inner.evaluated?.has(name) === true) {
          judged.evaluated?.add(name);
        } else {
          outcome.problems.push(unknownProperty(pointer, name, knownNames(structure, schema)));
        }
      }
    },
  };
}

/** A member of an array or an object. */
interface Member {
  readonly value: JsonValue;
  readonly key: string | number;
}

/** Checks a member separately. */
function descend(rule: Rule, { value, key }: Member, { pointer, outcome }: Judged): void {
  if (rule.settles(value) === true) return;
  rule.judge({ value, pointer: appendPointer(pointer, key), outcome, evaluated: undefined });
}

/** Checks a value without reporting the problems yet. */
function attempt(rule: Rule, judged: Judged): Judged {
  const evaluated = judged.evaluated && new Set<string>();
  const tried: Judged = { ...judged, outcome: { problems: [], targets: [] }, evaluated };
  rule.judge(tried);
  return tried;
}

/** Checks a value without describing problems; returns undefined if there are any. */
function attemptInShort(rule: Rule, judged: Judged): Judged | undefined {
  if (rule.settles(judged.value) === false) return undefined;
  const tried = attempt(rule, judged);
  return tried.outcome.problems.length === 0 ? tried : undefined;
}

function adopt(tried: Judged, judged: Judged): void {
  judged.outcome.targets.push(...tried.outcome.targets);
  tried.evaluated?.forEach((name) => judged.evaluated?.add(name));
}

type Judge = Rule['judge'];

/** Prepares the keywords for members, and those that apply other schemas to the value. */
function createPartsJudge(structure: JsonObject, schema: JsonObject, toRule: Rules): Judge {
  const judgeArray = createArrayJudge(schema, toRule);
  const judgeObject = createObjectJudge(structure, schema, toRule);
  const { not, if: condition, then: whenTrue = true, else: whenFalse = true } = schema;
  const all = listAt(schema, 'allOf').map(toRule);
  const judgeAny = createBranches(listAt(schema, 'anyOf'), Infinity, toRule);
  const judgeOne = createBranches(listAt(schema, 'oneOf'), 1, toRule);
  const excluded = not === undefined ? undefined : toRule(not);
  const conditional =
    condition === undefined
      ? undefined
      : { condition: toRule(condition), whenTrue: toRule(whenTrue), whenFalse: toRule(whenFalse) };

  return (judged) => {
    const { value, pointer, outcome } = judged;
    if (Array.isArray(value)) {
      judgeArray(value, judged);
    } else if (isJsonObject(value)) {
      judgeObject(value, judged);
    }
    all.forEach((rule) => rule.judge(judged));
    judgeAny(judged);
    judgeOne(judged);
    if (excluded !== undefined && attemptInShort(excluded, judged) !== undefined) {
      const unwanted = isJsonObject(not) ? namesAt(not, 'required') : [];
      outcome.problems.push(
        unwanted.length > 0 ? excludedProperties(pointer, unwanted) : other(pointer, 'is not allowed here'),
      );
    }
    if (conditional !== undefined) {
      const tried = attemptInShort(conditional.condition, judged);
      if (tried !== undefined) adopt(tried, judged);
      (tried === undefined ? conditional.whenFalse : conditional.whenTrue).judge(judged);
    }
  };
}

/** Prepares the keywords of arrays. */
function createArrayJudge(
  schema: JsonObject,
  toRule: Rules,
): (list: readonly JsonValue[], judged: Judged) => void {
  const items = toRule(schema['items'] ?? true);
  const leastItems = Number(schema['minItems'] ?? 0);
  const isOfUnique = schema['uniqueItems'] === true;
  return (list, judged) => {
    const { pointer, outcome } = judged;
    if (list.length < leastItems) {
      outcome.problems.push(other(pointer, 'must not be empty', 'Add an item, or remove it'));
    }
    const texts = new Set<JsonValue>();
    for (const [index, item] of list.entries()) {
      const isTwice =
        typeof item === 'string'
          ? texts.has(item)
          : isOfUnique && list.findIndex((earlier) => jsonEqual(earlier, item)) < index;
      if (isTwice) {
        const place = appendPointer(pointer, index);
        const twice = other(place, 'is in the list twice', 'Remove one of them');
        outcome.problems.push({ ...twice, keyword: 'repeated' });
      }
      if (isOfUnique) texts.add(item);
      descend(items, { value: item, key: index }, judged);
    }
  };
}

/** Prepares the keywords of objects. */
function createObjectJudge(
  structure: JsonObject,
  schema: JsonObject,
  toRule: Rules,
): (object: JsonObject, judged: Judged) => void {
  const { target } = schema;
  const required = namesAt(schema, 'required');
  const leastMembers = Number(schema['minProperties'] ?? 0);
  const mostMembers = Number(schema['maxProperties'] ?? Infinity);
  const { additionalProperties, propertyNames } = schema;
  const byPattern = entriesAt(schema, 'patternProperties').map(([pattern, part]) => ({
    pattern: new RegExp(pattern, 'u'),
    rule: toRule(part),
  }));
  const matching = (name: string): Rule[] =>
    byPattern.filter(({ pattern }) => pattern.test(name)).map(({ rule }) => rule);
  const declared = new Map(
    entriesAt(schema, 'properties').map(([name, part]) => [name, [...matching(name), toRule(part)]]),
  );
  const others = additionalProperties === undefined ? [] : [toRule(additionalProperties)];
  const names = propertyNames === undefined ? undefined : toRule(propertyNames);
  const dependent = entriesAt(schema, 'dependentSchemas').map(([name, part]) => ({
    name,
    rule: toRule(part),
  }));
  return (object, judged) => {
    const { pointer, outcome, evaluated } = judged;
    if (typeof object['$ref'] === 'string' && target !== undefined) {
      outcome.targets.push({ pointer, reference: object['$ref'], target });
    }
    for (const name of required) {
      if (!Object.hasOwn(object, name)) {
        outcome.problems.push(missingProperty(pointer, [name]));
      }
    }
    const keys = Object.keys(object);
    if (keys.length < leastMembers) {
      outcome.problems.push(other(pointer, 'must not be empty', 'Add a member'));
    }
    if (keys.length > mostMembers) {
      outcome.problems.push(
        other(pointer, `must have only one member, but has ${keys.length}`, 'Remove the others'),
      );
    }
    const seen = new Set<JsonValue>();
    for (const name of keys) {
      const own = declared.get(name) ?? matching(name);
      if (own.length === 0 && additionalProperties === false) {
        outcome.problems.push(unknownProperty(pointer, name, knownNames(structure, schema)));
      } else {
        const value = object[name] ?? null;
        // The media types of a 2.0 document share one object.
        const isShared = own.length === 0 && typeof value === 'object' && seen.has(value);
        seen.add(value);
        for (const rule of own.length === 0 ? others : own) {
          if (!isShared) descend(rule, { value, key: name }, judged);
          evaluated?.add(name);
        }
      }
      if (names !== undefined) {
        descend(names, { value: name, key: name }, judged);
      }
    }
    for (const { name, rule } of dependent) if (Object.hasOwn(object, name)) rule.judge(judged);
  };
}

/** Checks the branches of an `anyOf` or `oneOf`. A value may match at most `most` of them. */
function createBranches(branches: readonly JsonValue[], most: number, toRule: Rules): Judge {
  const rules = branches.map(toRule);
  if (rules.length === 0) return () => undefined;
  return (judged) => {
    const { value, pointer, outcome } = judged;
    const matching = rules.flatMap((rule) => attemptInShort(rule, judged) ?? []);
    matching.forEach((branch) => adopt(branch, judged));
    if (matching.length > most) {
      const names = branches.filter(isJsonObject).flatMap((branch) => namesAt(branch, 'required'));
      // The property that distinguishes the branches may be missing, which is then the mistake.
      if (isJsonObject(value) && names.every((name) => !Object.hasOwn(value, name))) return;
      outcome.problems.push(excludedProperties(pointer, names));
    }
    if (matching.length === 0) {
      const tried = rules.map((rule) => attempt(rule, judged));
      tried.forEach((branch) => adopt(branch, judged));
      const problems = tried.map((branch) => branch.outcome.problems);
      const valueAt = (place: JsonPointer): JsonValue =>
        resolvePointer(value, place.slice(pointer.length)) ?? null;
      outcome.problems.push(...chooseBranch(problems, pointer, valueAt));
    }
  };
}

function definitionAt(structure: JsonObject, reference: string): JsonValue {
  return resolvePointer(structure, reference.slice(1)) ?? true;
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
function knownNames(structure: JsonObject, schema: JsonValue, depth = 0): readonly string[] {
  if (!isJsonObject(schema) || depth > deepest) return [];
  const { $ref } = schema;
  const inPlace = [
    ...(typeof $ref === 'string' ? [definitionAt(structure, $ref)] : []),
    ...['allOf', 'anyOf', 'oneOf', 'then', 'else'].flatMap((keyword) => listAt(schema, keyword)),
    ...entriesAt(schema, 'dependentSchemas').map(([, part]) => part),
  ];
  const own = ['properties', 'patternProperties'].flatMap((keyword) => entriesAt(schema, keyword));
  const names = inPlace.flatMap((part) => knownNames(structure, part, depth + 1));
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
    // If the branches differ in several members, a member that is wrong in only one branch shows which one was meant.
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

/** Returns all valid alternatives, in the order of the branches. Types and names are strings. */
function unite(problems: readonly StructureProblem[]): string[] {
  const expected = problems.flatMap((problem) => problem.expected);
  return [...new Set(expected.filter((item) => typeof item === 'string'))];
}
