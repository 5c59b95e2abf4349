import { isStructured } from '../../http/codecs/registry.ts';
import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import { codeName, statusName } from '../../policy/error-code.ts';
import type { Condition } from '../../policy/question.ts';
import { readPattern } from '../../schema/pattern.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import { pointerTokens } from '../../json/pointer.ts';
import type { ConnectionFault, RequestProblem } from '../message.ts';
import { type SentMedia, writeContent } from './representation.ts';
import { fitLength } from '../../schema/value/text.ts';
import { sampleValue, typeOf } from '../../schema/value/sample-value.ts';
import { mergeSchema } from '../../schema/merge.ts';

/** What an error body can say. */
export interface ErrorFacts {
  readonly status: number;
  /** The number of the error: the status, or what the policy gives the condition. */
  readonly code: number;
  /** `forced` where a fault or a preference decided the answer, and its status says no more. */
  readonly condition: Condition | ConnectionFault | 'forced';
  readonly message: string;
  /** What of the request is wrong, made when a body lists it. */
  readonly problems?: (() => readonly RequestProblem[]) | undefined;
  /** The one that an entry of such a list is about. */
  readonly problem?: RequestProblem;
}

/** The titles of problems that say no more than their status (RFC 9457 §4.2.1, RFC 9110 §15). */
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

/** An error as RFC 9457 §3 has it, with the condition for programs, and the number that a policy gives it. */
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

/** What carries the reason where a schema names nothing that could: the first that it takes. */
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
 * A body is checked with the declared schema before it is used, both now and when it is written; where the
 * sentence of the moment does not fit, the body made now stands in for it. Undefined where the schema accepts none.
 *
 * @param options.takesAll - whether values other than texts may be written. @defaultValue true for structured content
 * @param options.isDeclaredFor - whether the document declares the body for a status. Its examples have codes and titles for
 *   those statuses; for another status they show no more than the form
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
  const validate = compiled.validator({ formats: 'assert', integers: 'by-value' });
  function accepts(body: JsonValue | undefined): body is JsonValue {
    return (
      body !== undefined &&
      (takesAll || typeof body === 'string') &&
      validate.accepts(body, holdsExactNumber(body))
    );
  }
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

/** Whether a schema names no place that a reason could have. */
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

/** How an example is filled. */
interface ExampleRules {
  /** Whether the sentence takes the place of a null. */
  readonly fillsNull: boolean;
  /** Whether texts that clients tell errors by stay: `code`, `title`, `type`. */
  readonly keepsCodes: boolean;
}

/** An error that the document gives as an example, with the sentence and the numbers of the moment in their places. */
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
  // A number such as 400 in the example of several statuses is the status of the response.
  const isCode = typeof value === 'number' && codeName.test(name);
  return isCode && (code !== status || (value >= 400 && value < 600)) ? code : value;
}

/** Names of the member that says which part of a request is wrong. */
const placeNames =
  /^(?:attribute|field|input|key|loc|location|param|parameter|path|pointer|property)(?:_?name)?$/iu;

/** Where a problem lies, as a member has it that shows a place: a list of names, a JSON Pointer, or names joined by dots. */
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

/** Whether an object has a member that shows a place, itself or one level below, as `source.pointer` of JSON:API. */
function showsPlace(entry: JsonValue | undefined, levels = 2): boolean {
  return (
    levels > 0 &&
    isJsonObject(entry) &&
    Object.entries(entry).some(([name, value]) => placeNames.test(name) || showsPlace(value, levels - 1))
  );
}

/** One entry for each problem of a request, if the entries of a list show the places of problems. */
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

/** The member of an error that says in a sentence what is wrong: by its name, and one of several by their order here. */
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

  /** A list of problems: an entry for each, as an example of one is filled; or a map of them by their places. */
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

/** An empty value of the type of a place. */
function emptyPlace(part: JsonObject): JsonValue | undefined {
  const type = typeOf(part);
  if (type === 'array') return [];
  return type === 'string' ? '' : undefined;
}

/** Names of the member that says what is wrong, those first that say it most often. */
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
 * Fills a property of an error body by its role: a number called status takes the HTTP status, one called
 * code or error the number of the error; a text called message, detail or the like takes the sentence, one
 * called title or code the condition. One without such a role is left to be sampled.
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
