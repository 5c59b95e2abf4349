import { isStructured } from '../../http/codecs/registry.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import { codeName, statusName } from '../../policy/error-code.ts';
import type { Condition } from '../../policy/behaviour.ts';
import { acceptsValue } from '../../schema/compile.ts';
import { readPattern } from '../../schema/pattern.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import { pointerTokens } from '../../json/pointer.ts';
import type { ConnectionFault, RequestProblem } from '../message.ts';
import { type SentMedia, writeContent } from './representation.ts';
import { fitLength } from '../../schema/value/text.ts';
import { sampleValue, typeOf } from '../../schema/value/sample-value.ts';
import { mergeSchema } from '../../schema/merge.ts';

/** The facts that an error body can contain. */
export interface ErrorFacts {
  readonly status: number;
  /** The number of the error: the status, or the policy's number for the condition. */
  readonly code: number;
  /** `forced` if a fault or a preference selected the response, and only its status is known. */
  readonly condition: Condition | ConnectionFault | 'forced';
  readonly message: string;
  /** Returns the problems of the request. It is called if a body lists them. */
  readonly problems?: (() => readonly RequestProblem[]) | undefined;
  /** The problem that an entry of a list describes. */
  readonly problem?: RequestProblem;
}

/** The titles of problems that are only known by status (RFC 9457 §4.2.1, RFC 9110 §15). */
const statusTitles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/** Returns an RFC 9457 §3 problem with the condition, for programs, and the policy's number for it. */
export const problemOf = ({ status, code, condition, message }: ErrorFacts): JsonObject => ({
  type: 'about:blank',
  title: statusTitles[status] ?? condition.replaceAll('-', ' '),
  status,
  detail: message,
  condition,
  ...(code === status ? {} : { code }),
});

/** Writes the body of an error. */
export type WriteError = (facts: ErrorFacts) => string | Uint8Array;

type Fill = (facts: ErrorFacts) => JsonValue | undefined;

/** The values that contain the reason if a schema has no member for it: the first that it accepts is used. */
const bareWays: readonly Fill[] = [
  problemOf,
  ({ message }) => ({ message }),
  ({ message }) => message,
  (facts) => [problemOf(facts)],
];

const plainFacts: ErrorFacts = {
  status: 400,
  code: 400,
  condition: 'invalid-body',
  message: 'The body is not valid.',
  problems: () => [{ pointer: '/name', reason: 'must be a string' }],
};

/**
 * Prepares the error bodies of a declared media type, filled by role.
 *
 * A body is validated against the declared schema during preparation and when it is written. If the current message
 * does not fit, the prepared body replaces it. Undefined if the schema accepts none.
 *
 * @param options.takesAll - whether values other than texts may be written. @defaultValue true for structured content
 * @param options.isDeclaredFor - whether the document declares the body for a status. Its examples have codes and
 * titles for those statuses; for another status, only their form is used
 */
export function createErrorBody(
  sent: SentMedia,
  {
    takesAll = isStructured(sent),
    isDeclaredFor = () => false,
  }: {
    readonly takesAll?: boolean;
    readonly isDeclaredFor?: (status: number) => boolean;
  } = {},
): WriteError | undefined {
  const { media } = sent;
  const compiled = media.schema;
  const examples = media.examples.flatMap((example) =>
    [true, false].map(
      (fillsNull): Fill =>
        (facts) =>
          fillExample(example, facts, { fillsNull, keepsCodes: isDeclaredFor(facts.status) }),
    ),
  );
  if (compiled === undefined) {
    if (!takesAll) return ({ message }) => message;
    const [way = problemOf] = examples;
    return (facts) => writeContent(sent, way(facts) ?? problemOf(facts));
  }
  const accepts = (body: JsonValue | undefined): body is JsonValue =>
    body !== undefined && (takesAll || typeof body === 'string') && acceptsValue(compiled, body);
  const given = [
    ...examples,
    ...media.examples.map(
      (example): Fill =>
        () =>
          example,
    ),
  ];
  const named = waysToFill(compiled.schema);
  const ways = [...given, ...(isBare(compiled.schema) ? [...bareWays, ...named] : [...named, ...bareWays])];
  const possible = (takesAll ? ways : [({ message }: ErrorFacts) => message, ...given]).filter((fill) =>
    accepts(fill(plainFacts)),
  );
  const way = possible.find((fill) => !isEmpty(fill(plainFacts))) ?? possible[0];
  const fallback = way?.(plainFacts);
  if (way === undefined || fallback === undefined) return undefined;
  return (facts) => {
    const body = way(facts);
    return writeContent(sent, accepts(body) ? body : fallback);
  };
}

/** Returns whether a schema has no place for a reason. */
function isBare(schema: JsonSchema): boolean {
  if (isJsonObject(schema)) {
    const merged = mergeSchema(schema, schema);
    if ('properties' in merged || 'enum' in merged || 'const' in merged) return false;
  }
  const made = sampleValue(schema);
  return typeof made === 'string' || isEmpty(made);
}

const isContainer = (value: JsonValue | undefined): value is JsonObject | JsonValue[] =>
  isJsonObject(value) || Array.isArray(value);

const isEmpty = (value: JsonValue | undefined): boolean =>
  isContainer(value) && Object.keys(value).length === 0;

/** The rules for filling an example. */
interface ExampleRules {
  /** Whether the message replaces a null. */
  readonly fillsNull: boolean;
  /** Whether texts that identify errors are kept: `code`, `title`, `type`. */
  readonly keepsCodes: boolean;
}

/** Fills an error example of the document with the current message and numbers. */
function fillExample(example: JsonValue, facts: ErrorFacts, rules: ExampleRules): JsonValue {
  if (Array.isArray(example)) {
    const entries = fillEntries(facts, example[0], (entry, own) => fillExample(entry, own, rules));
    return entries ?? example.map((item) => fillExample(item, facts, rules));
  }
  if (!isJsonObject(example)) return example;
  const message = findMessage(example, rules.fillsNull);
  const filled: JsonObject = {};
  for (const entry of Object.entries(example)) {
    setOwn(filled, entry[0], entry[0] === message ? facts.message : fillMember(entry, facts, rules));
  }
  return filled;
}

function fillMember(
  [name, value]: readonly [string, JsonValue],
  facts: ErrorFacts,
  rules: ExampleRules,
): JsonValue {
  const place = placeFor(name, value, facts);
  if (place !== undefined) return place;
  if (isContainer(value)) return fillExample(value, facts, rules);
  const { status, code } = facts;
  if (statusName.test(name) && /^[45]\d\d$/u.test(String(value)))
    return typeof value === 'string' ? String(status) : status;
  if (!rules.keepsCodes) return fillErrorProperty(name, { type: typeof value }, facts) ?? value;
  // A number like 400 in an example for several statuses is the status of the response.
  const isCode = typeof value === 'number' && codeName.test(name);
  return isCode && (code !== status || (value >= 400 && value < 600)) ? code : value;
}

/** Names of members for the invalid part of a request. */
const placeNames =
  /^(?:attribute|field|input|key|loc|location|param|parameter|path|pointer|property)(?:_?name)?$/iu;

/** Returns the location of a problem in the form of a member: a list of names, a JSON Pointer, or a dotted path. */
function placeFor(name: string, value: JsonValue, { problem }: ErrorFacts): JsonValue | undefined {
  if (problem === undefined || !placeNames.test(name)) return undefined;
  const { parameter, pointer = '' } = problem;
  const tokens = parameter === undefined ? pointerTokens(pointer) : [parameter.name];
  const place = parameter?.in ?? 'body';
  if (Array.isArray(value)) return [place, ...tokens];
  if (typeof value !== 'string') return undefined;
  if (value.startsWith('/') || /pointer/iu.test(name))
    return parameter === undefined ? pointer : `/${parameter.name}`;
  return tokens.join('.') || place;
}

/** Returns whether an object has a location member, itself or one level below (`source.pointer` of JSON:API). */
function showsPlace(entry: JsonValue | undefined, levels = 2): boolean {
  return (
    levels > 0 &&
    isJsonObject(entry) &&
    Object.entries(entry).some(([name, value]) => placeNames.test(name) || showsPlace(value, levels - 1))
  );
}

/** Returns one entry for each problem of a request, if the entries of a list have a location. */
function fillEntries(
  facts: ErrorFacts,
  entry: JsonValue | undefined,
  fill: (entry: JsonValue, facts: ErrorFacts) => JsonValue,
): JsonValue[] | undefined {
  if (entry === undefined || facts.problem !== undefined || !showsPlace(entry)) return undefined;
  const problems = facts.problems?.() ?? [];
  if (problems.length === 0) return undefined;
  return problems.map((problem) => fill(entry, { ...facts, problem, message: problem.reason }));
}

/** Finds the member with the message of an error: by its name; the order of the names decides between several. */
function findMessage(error: JsonObject, fillsNull: boolean): string | undefined {
  const names = Object.keys(error).filter((name) => {
    const value = error[name];
    if (value === null) return fillsNull && isMessageName(name);
    // `error: NOT_FOUND` is a code.
    return (
      typeof value === 'string' &&
      isMessageName(name) &&
      !/^(?:[A-Z\d_]+|[a-z\d]+(?:[_-][a-z\d]+)+)$/u.test(value)
    );
  });
  const rank = (name: string): number => messageNames.findIndex((pattern) => pattern.test(name));
  return names.toSorted((left, right) => rank(left) - rank(right))[0];
}

function waysToFill(schema: JsonSchema): readonly Fill[] {
  const root = isJsonObject(schema) ? schema : {};

  /** Fills a list of problems, with an entry for each, like an example, or a map of problems by location. */
  function fillProblems(property: JsonObject, facts: ErrorFacts): JsonValue | undefined {
    const { items, additionalProperties: members } = property;
    if (isJsonObject(items)) {
      const entry = sampleValue({ ...mergeSchema(root, items), $defs: root['$defs'] ?? {} }, (name, part) => {
        if (placeNames.test(name)) return emptyPlace(part);
        return isMessageName(name) ? 'text' : undefined;
      });
      const rules = { fillsNull: false, keepsCodes: false };
      return fillEntries(facts, entry, (each, own) => fillExample(each, own, rules));
    }
    const isMap = isJsonObject(members) && typeOf(mergeSchema(root, members)) === 'array';
    const problems = isMap ? (facts.problems?.() ?? []) : [];
    if (problems.length === 0) return undefined;
    const map: JsonObject = {};
    for (const problem of problems) {
      const { parameter, pointer = '' } = problem;
      setOwn(map, parameter?.name ?? pointerTokens(pointer).join('.'), [problem.reason]);
    }
    return map;
  }

  return [
    (facts) =>
      sampleValue(
        schema,
        (name, property) => fillProblems(property, facts) ?? fillErrorProperty(name, property, facts),
      ),
    (facts) => sampleValue(schema, (name, property) => fillErrorProperty(name, property, facts)),
    (facts) =>
      sampleValue(schema, (name, property) => {
        const value = fillErrorProperty(name, property, facts);
        return typeof value === 'string' ? value : undefined;
      }),
    () => sampleValue(schema),
  ];
}

/** Returns an empty value of the type of a location. */
function emptyPlace(part: JsonObject): JsonValue | undefined {
  const type = typeOf(part);
  if (type === 'array') return [];
  return type === 'string' ? '' : undefined;
}

/** Names of the member for the message, the most common first. */
const messageNames = [
  /^(?:error_?)?(?:message|msg)$/iu,
  /^details?$/iu,
  /^(?:error_?)?description$/iu,
  /^reason$/iu,
  /^text$/iu,
  /^error$/iu,
];
const isMessageName = (name: string): boolean => messageNames.some((pattern) => pattern.test(name));
const titleName = /^(?:title|summary)$/iu;
const kindName = /^(?:code|error_?code|kind|type|name)$/iu;

/**
 * Fills a property of an error body by its role. A number named status is the HTTP status; one named code or error is
 * the number of the error. A text named message, detail or similar is the message; one named title or code is the
 * condition. A property without a role is left to the sample.
 */
function fillErrorProperty(name: string, schema: JsonObject, facts: ErrorFacts): JsonValue | undefined {
  const { enum: listed, ...further } = schema;
  if ('const' in schema) return undefined;
  if (Array.isArray(listed)) {
    const fact = fillErrorProperty(name, further, facts);
    return fact !== undefined && listed.includes(fact) ? fact : undefined;
  }
  const types = [schema['type']].flat();
  if (types.includes('integer') || types.includes('number')) {
    if (statusName.test(name)) return facts.status;
    return codeName.test(name) ? facts.code : undefined;
  }
  if (!types.includes('string') || 'format' in schema) return undefined;
  const text = textFor(name, facts);
  const fitted = statusName.test(name) || text === undefined ? text : fitLength(text, schema);
  const { pattern } = schema;
  const fits = fitted !== undefined && (typeof pattern !== 'string' || readPattern(pattern).test(fitted));
  return fits ? fitted : undefined;
}

function textFor(name: string, { status, condition, message }: ErrorFacts): string | undefined {
  if (isMessageName(name)) return message;
  if (titleName.test(name)) return condition.replaceAll('-', ' ');
  if (statusName.test(name)) return String(status);
  return kindName.test(name) ? condition : undefined;
}
