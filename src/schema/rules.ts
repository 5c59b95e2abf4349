import type { ErrorObject } from 'ajv';
import { ExactNumber } from '../json/exact-number.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { checks } from './exact-keywords.ts';
import { formats, userFormats } from './formats.ts';
import type { Judge, Part, Rule, Run } from './judge.ts';
import { readPattern } from './pattern.ts';

/** Creates the rule of a keyword. */
type MakeRule = (asked: JsonValue, part: Part, keyword: string) => Rule | undefined;

const listOf = (asked: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(asked) ? asked : []);
const textOf = (asked: JsonValue): string => (typeof asked === 'string' ? asked : '');
const objectOf = (asked: JsonValue | undefined): JsonObject => (isJsonObject(asked) ? asked : {});

function fitsFormat(name: string, text: string): boolean {
  const format = formats.get(name) ?? userFormats.get(name)?.test;
  if (format === undefined || typeof format === 'boolean' || typeof format === 'string') return true;
  if (format instanceof RegExp) return format.test(text);
  if (typeof format === 'function') return format(text);
  const { type, validate } = format;
  if (type === 'number' || validate === undefined) return true;
  // `as`: no format here is asynchronous (`async`), and formats of numbers are excluded above.
  return validate instanceof RegExp ? validate.test(text) : (validate as (of: string) => boolean)(text);
}

/** Applies a schema to the same value as its parent schema. */
function judgeInPlace(judge: Judge, value: JsonValue, { place, errors, evaluated }: Run): void {
  const found = judge(value, place, errors);
  if (evaluated !== undefined) found?.forEach((token) => evaluated.add(token));
}

function judgeMember(judge: Judge, token: string | number, run: Run): void {
  const { value } = run;
  const member = Array.isArray(value) ? value[Number(token)] : objectOf(value)[token];
  judge(member ?? null, { above: run.place, token }, run.errors);
  run.evaluated?.add(token);
}

/** Returns the errors of a schema that is only a condition. */
function probe(judge: Judge, value: JsonValue, run: Run): readonly ErrorObject[] {
  const errors: ErrorObject[] = [];
  judgeInPlace(judge, value, { ...run, errors });
  return errors;
}

/** Creates the rule of a keyword with the same check as in the compiler. */
function checked(check: keyof typeof checks): MakeRule {
  return (asked, { report, reading }, keyword) => {
    const digits = reading.integers === 'digits';
    const find = checks[check](check === 'type' ? { types: asked, digits } : asked);
    return (value, run) => {
      for (const params of find(value)) report(run, keyword, params);
    };
  };
}

/** Creates the rule of a size limit. */
function limited(sizeOf: (value: JsonValue) => number | undefined): MakeRule {
  return (asked, { report }, keyword) => {
    const limit = asked instanceof ExactNumber ? Number(asked.text) : asked;
    if (typeof limit !== 'number') return undefined;
    const isLeast = keyword.startsWith('min');
    return (value, run) => {
      const size = sizeOf(value);
      if (size !== undefined && (isLeast ? size < limit : size > limit)) report(run, keyword, { limit });
    };
  };
}

// In Unicode characters (JSON Schema 2020-12 validation §6.3.1).
const ofText = limited((value) => (typeof value === 'string' ? [...value].length : undefined));
const ofArray = limited((value) => (Array.isArray(value) ? value.length : undefined));
const ofObject = limited((value) => (isJsonObject(value) ? Object.keys(value).length : undefined));

/** `anyOf` and `oneOf`: the error contains the number of matching branches and the position after each one's errors. */
const branches: MakeRule = (asked, { judge, report }, keyword) => {
  const judges = listOf(asked).map((branch, index) => judge(branch, keyword, index));
  return (value, run) => {
    const { errors } = run;
    const start = errors.length;
    let matching = 0;
    const ends = judges.map((each) => {
      const found = probe(each, value, run);
      matching += found.length === 0 ? 1 : 0;
      return errors.push(...found) - start;
    });
    if (keyword === 'anyOf' ? matching > 0 : matching === 1) errors.length = start;
    else report(run, keyword, { matching, ends });
  };
};

const contains: MakeRule = (asked, { schema, judge, report }, keyword) => {
  const matches = judge(asked, keyword);
  const { minContains: least = 1, maxContains: most = Infinity } = schema;
  return (value, run) => {
    if (!Array.isArray(value)) return;
    const start = run.errors.length;
    let count = 0;
    for (const index of value.keys()) {
      const before = run.errors.length;
      // The compiler marks each item as evaluated here.
      judgeMember(matches, index, run);
      count += run.errors.length === before ? 1 : 0;
      if (count > Number(most)) break;
    }
    if (count >= Number(least) && count <= Number(most)) run.errors.length = start;
    else report(run, keyword, { minContains: least });
  };
};

/** Creates the rule of a keyword for the properties or items that other keywords did not evaluate. */
function rest(find: (part: Part) => (value: JsonValue, run: Run) => readonly (string | number)[]): MakeRule {
  return (asked, part, keyword) => {
    const judge = part.judge(asked === false ? true : asked, keyword);
    const list = find(part);
    return (value, run) => {
      const tokens = list(value, run);
      for (const token of asked === false ? tokens : []) {
        if (typeof token === 'string') {
          part.report(run, keyword, { additionalProperty: token, unevaluatedProperty: token });
        } else if (token === tokens[0]) part.report(run, keyword, { limit: token });
      }
      tokens.forEach((token) => judgeMember(judge, token, run));
    };
  };
}

const indicesOf = (value: JsonValue): readonly number[] => (Array.isArray(value) ? [...value.keys()] : []);
const namesOf = (value: JsonValue): readonly string[] => Object.keys(objectOf(value));

/** Creates the rule of a keyword with schemas by name or index. */
function named(find: (name: string, part: Part) => (value: JsonValue) => readonly string[]): MakeRule {
  return (asked, part, keyword) => {
    const judges = Object.entries(objectOf(asked)).map(
      ([name, schema]) => [find(name, part), part.judge(schema, keyword, name)] as const,
    );
    return (value, run) => {
      for (const [list, judge] of judges) {
        for (const name of list(value)) judgeMember(judge, name, run);
      }
    };
  };
}

/** Represents `format` for numbers, which the compiler checks before their bounds. */
export const integerFormat = 'format of integers';

/** The validating keywords, in the order in which the compiler applies them. */
export const ruleMakers: Readonly<Record<string, MakeRule>> = {
  $dynamicRef() {
    throw new Error('$dynamicRef is not supported; use $ref');
  },
  $ref(asked, { follow }) {
    const judge = follow(textOf(asked));
    return (value, run) => {
      // In the compiler, a reference drops the name that is checked.
      const { name, ...here } = run.place;
      judgeInPlace(judge, value, name === undefined ? run : { ...run, place: here });
    };
  },
  type: checked('type'),
  const: checked('const'),
  enum: checked('enum'),
  not(asked, { judge, report }, keyword) {
    const each = judge(asked, keyword);
    const never = asked === true || !namesOf(asked).some((name) => Object.hasOwn(ruleMakers, name));
    return (value, run) => {
      if (probe(each, value, { ...run, evaluated: undefined }).length === 0) report(run, keyword, { never });
    };
  },
  allOf(asked, { judge }, keyword) {
    const judges = listOf(asked).map((part, index) => judge(part, keyword, index));
    return (value, run) => judges.forEach((each) => judgeInPlace(each, value, run));
  },
  if(asked, { schema, judge }, keyword) {
    // Like the compiler: an `if` alone only adds annotations.
    if (schema['then'] === undefined && schema['else'] === undefined) return undefined;
    const condition = judge(asked, keyword);
    const [then, otherwise] = [judge(schema['then'], 'then'), judge(schema['else'], 'else')];
    return (value, run) =>
      judgeInPlace(probe(condition, value, run).length === 0 ? then : otherwise, value, run);
  },
  anyOf: branches,
  oneOf: branches,
  multipleOf: checked('multipleOf'),
  uniqueItems: checked('uniqueItems'),
  [integerFormat](asked, part) {
    return part.reading.formats === 'assert' ? checked('integerFormat')(asked, part, 'format') : undefined;
  },
  maximum: checked('maximum'),
  minimum: checked('minimum'),
  exclusiveMaximum: checked('exclusiveMaximum'),
  exclusiveMinimum: checked('exclusiveMinimum'),
  maxLength: ofText,
  minLength: ofText,
  pattern(asked, { report, matches }, keyword) {
    const pattern = readPattern(textOf(asked));
    return (value, run) => {
      if (typeof value === 'string' && !matches(pattern, value)) report(run, keyword, { pattern: asked });
    };
  },
  format(asked, { reading, report }, keyword) {
    if (typeof asked !== 'string' || reading.formats === 'ignore') return undefined;
    return (value, run) => {
      if (typeof value === 'string' && !fitsFormat(asked, value)) report(run, keyword, { format: asked });
    };
  },
  maxItems: ofArray,
  minItems: ofArray,
  prefixItems(asked, { judge }, keyword) {
    const judges = listOf(asked).map((schema, index) => judge(schema, keyword, index));
    return (value, run) => {
      judges.slice(0, indicesOf(value).length).forEach((each, index) => judgeMember(each, index, run));
    };
  },
  items: rest(({ schema }) => {
    const { length } = listOf(schema['prefixItems']);
    return (value) => indicesOf(value).slice(length);
  }),
  contains,
  unevaluatedItems: rest(
    () =>
      (value, { evaluated }) =>
        indicesOf(value).filter((each) => evaluated?.has(each) !== true),
  ),
  maxProperties: ofObject,
  minProperties: ofObject,
  required: checked('required'),
  propertyNames(asked, { judge, report }, keyword) {
    const each = judge(asked, keyword);
    return (value, run) => {
      for (const name of namesOf(value)) {
        const before = run.errors.length;
        each(name, { ...run.place, name }, run.errors);
        if (run.errors.length > before) report(run, keyword, { propertyName: name });
      }
    };
  },
  additionalProperties: rest(({ schema, matches }) => {
    const properties = objectOf(schema['properties']);
    const patterns = namesOf(schema['patternProperties'] ?? null).map(readPattern);
    return (value) =>
      namesOf(value).filter(
        (name) => !Object.hasOwn(properties, name) && !patterns.some((pattern) => matches(pattern, name)),
      );
  }),
  properties: named((name) => (value) => (isJsonObject(value) && Object.hasOwn(value, name) ? [name] : [])),
  patternProperties: named((text, { matches }) => {
    const pattern = readPattern(text);
    return (value) => namesOf(value).filter((name) => matches(pattern, name));
  }),
  dependentRequired:
    (asked, { report }, keyword) =>
    (value, run) => {
      for (const [name, wanted] of isJsonObject(value) ? Object.entries(objectOf(asked)) : []) {
        if (!Object.hasOwn(objectOf(value), name)) continue;
        for (const { missingProperty = null } of checks.required(wanted)(value))
          report(run, keyword, { missingProperty });
      }
    },
  dependentSchemas(asked, { judge }, keyword) {
    const judges = Object.entries(objectOf(asked)).map(
      ([name, schema]) => [name, judge(schema, keyword, name)] as const,
    );
    return (value, run) => {
      for (const [name, each] of judges) {
        if (Object.hasOwn(objectOf(value), name)) judgeInPlace(each, value, run);
      }
    };
  },
  unevaluatedProperties: rest(
    () =>
      (value, { evaluated }) =>
        namesOf(value).filter((each) => evaluated?.has(each) !== true),
  ),
};
