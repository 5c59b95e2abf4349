import type { Operation } from '../../contract/contract.ts';
import type { DocumentProblem } from '../../document/document.ts';
import { closestWord } from '../../errors/suggest.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import { appendPointer, type JsonPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import {
  type Delay,
  type Fault,
  faultIdForm,
  type FaultRule,
  type ForcedAnswer,
  framingFields,
  isForcibleStatus,
  tokenForm,
} from './fault.ts';

/** An hour: whoever waits longer waits for nothing. */
const longestDelay = 3_600_000;

/** Whether a number of milliseconds can be waited for. */
function isDelayTime(time: unknown): time is number {
  return typeof time === 'number' && time >= 0 && time <= longestDelay;
}

/**
 * Reads a delay as it is written on a command line or in a header field: `200`, or `200..400` for a range, in
 * milliseconds.
 *
 * @returns undefined where it is none
 */
export function parseDelay(text: string): Delay | undefined {
  const [, first, last] = /^(\d+(?:\.\d+)?)(?:\.\.(\d+(?:\.\d+)?))?$/u.exec(text.trim()) ?? [];
  const from = Number(first ?? Number.NaN);
  if (last === undefined) return isDelayTime(from) ? from : undefined;
  const to = Number(last);
  return isDelayTime(from) && isDelayTime(to) && from <= to ? [from, to] : undefined;
}

/** What stands between separators, but for those in quotes. */
const memberForm = /(?:[^,;"]|"(?:[^"\\]|\\.)*"?)+/gu;

/** A name, perhaps with a value. Nothing in it takes longer the more blanks there are. */
const pairForm = /^([!#$%&'*+\-.^_`|~\w]+)(?:\s*=(?:\s*"((?:[^"\\]|\\.)*)"|([^"]*)))?$/u;

/** A name in lower case and its value, if it has one; a text that cannot be read stands as a name that is no token. */
type Member = readonly [name: string, value: string | undefined];

/** The text of a field whose bytes are UTF-8, as curl sends it; else it is Latin-1 (RFC 9110 §5.5). */
function decode(field: string): string {
  if (!/[\u0080-\u00FF]/u.test(field)) return field;
  const bytes = Uint8Array.from(field, (character) => character.charCodeAt(0));
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return field;
  }
}

/**
 * Splits a field like `code=404, example="not there"` into its members. Their value may be in quotes, and need not be a
 * token, as an example may have a name with blanks in it. A semicolon separates as a comma does: whoever writes one
 * means both sides of it.
 */
export function parseMembers(field: string): readonly Member[] {
  return (decode(field).match(memberForm) ?? [])
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text): Member => {
      const [, name, quoted, plain] = pairForm.exec(text) ?? [];
      return name === undefined
        ? [text, undefined]
        : [name.toLowerCase(), quoted?.replaceAll(/\\(.)/gu, '$1') ?? plain?.trim()];
    });
}

/** What a Cloche-Fault field says. */
type FaultFieldReading =
  | { readonly kind: 'fault'; readonly fault: Fault }
  /** What is wrong with it, as a part of a sentence. */
  | { readonly kind: 'problem'; readonly reason: string };

const wanted =
  'it takes delay=MS or delay=FROM..TO, status=CODE, example=NAME, retry-after=SECONDS, drop, truncate';

const knownDirectives = ['delay', 'status', 'example', 'retry-after', 'drop', 'truncate'];

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : /^\d{1,9}$/u.test(text) ? Number(text) : Number.NaN;
}

/** What a field says, as far as it can be read. */
interface Members {
  readonly names: readonly string[];
  /** The names of those that have a value. */
  readonly valued: readonly string[];
  readonly delay: Delay | undefined;
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;
  readonly example: string | undefined;
}

function findProblem({ names, valued, delay, status, retryAfter, example }: Members): string | undefined {
  const unknown = names.find((name) => !knownDirectives.includes(name));
  if (unknown !== undefined || names.length === 0) {
    return `${unknown === undefined ? 'it is empty' : `it says "${unknown}"`}: ${wanted}`;
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `it says "${twice}" twice`;
  const told = valued.find((name) => name === 'drop' || name === 'truncate');
  if (told !== undefined) return `"${told}" takes no value`;
  if (names.includes('delay') && delay === undefined) {
    return 'a delay is milliseconds from 0 to 3600000, or a range as in 200..400';
  }
  if (status !== undefined && !isForcibleStatus(status)) return 'a status is a whole number from 200 to 599';
  if (retryAfter !== undefined && !isRetryAfter(retryAfter)) {
    return 'retry-after takes whole seconds from 0 to 31536000';
  }
  if (example !== undefined && status === undefined) return 'an example needs a status';
  return names.includes('drop') && (status !== undefined || names.includes('truncate'))
    ? 'what is dropped has no answer'
    : undefined;
}

function toAnswer({ status, example, retryAfter }: Members): { readonly answer?: ForcedAnswer } {
  return status === undefined
    ? {}
    : {
        answer: {
          status,
          ...(example === undefined ? {} : { example }),
          ...(retryAfter === undefined ? {} : { retryAfter }),
        },
      };
}

/**
 * Reads a Cloche-Fault field, by which a request says itself what is to go wrong with its answer:
 * `delay=200..400, status=503, retry-after=3`, `drop`, `truncate`. `retry-after` without a status is one of 429.
 */
export function parseFaultField(field: string): FaultFieldReading {
  const parsed = parseMembers(field);
  const written = new Map(parsed.map(([name, value]) => [name, value]));
  const retryAfter = toNumber(written.get('retry-after'));
  const members: Members = {
    names: parsed.map(([name]) => name),
    valued: parsed.filter(([, value]) => value !== undefined).map(([name]) => name),
    delay: parseDelay(written.get('delay') ?? ''),
    status: toNumber(written.get('status')) ?? (retryAfter === undefined ? undefined : 429),
    retryAfter,
    example: written.get('example'),
  };
  const reason = findProblem(members);
  if (reason !== undefined) return { kind: 'problem', reason };
  const late = members.delay === undefined ? {} : { delay: members.delay };
  if (written.has('drop')) return { kind: 'fault', fault: { ...late, connection: 'drop' } };
  const cut = written.has('truncate') ? ({ connection: 'truncate' } as const) : {};
  return { kind: 'fault', fault: { ...late, ...toAnswer(members), ...cut } };
}

const knownRuleFields = [
  'id',
  'operation',
  'method',
  'path',
  'delay',
  'answer',
  'connection',
  'times',
  'share',
  'enabled',
];

/** What a rule that was listed says besides; whoever sends it back changed is not to take it out first. */
const counted = ['seen', 'applied'];

/** A rule that was read, or what is wrong with it. */
type FaultRuleReading =
  | { readonly kind: 'rule'; readonly rule: FaultRule }
  | { readonly kind: 'problems'; readonly problems: readonly DocumentProblem[] };

/** The problem of a value, a reason and a remedy; undefined where there is none. */
type Check = (value: JsonValue) => readonly [reason: string, remedy: string] | undefined;

function checkDelay(value: JsonValue): ReturnType<Check> {
  if (isDelayTime(value)) return undefined;
  const [from, to] = Array.isArray(value) && value.length === 2 ? value : [];
  return isDelayTime(from) && isDelayTime(to)
    ? undefined
    : [
        'must be milliseconds from 0 to 3600000, or two of them for a range',
        'Write 200, or [200, 400] for a range',
      ];
}

function checkOperation(value: JsonValue, operations: readonly Operation[]): ReturnType<Check> {
  const ids = operations.map(({ id }) => id);
  if (typeof value !== 'string') {
    return ['must be the id of an operation, a text', `It takes ${ids.join(', ')}`];
  }
  if (ids.includes(value)) return undefined;
  const near = closestWord(value, ids);
  const remedy = near === undefined ? `It takes ${ids.join(', ')}` : `Perhaps "${near}" was meant`;
  return [`there is no operation "${value}"`, remedy];
}

const checks: Readonly<Record<string, Check>> = {
  id: (value) =>
    typeof value === 'string' && faultIdForm.test(value)
      ? undefined
      : [
          'must be 1 to 64 letters, digits, or - _ . ~, and not begin with a point',
          'Choose another, or leave it out for one that is made',
        ],
  method: (value) =>
    isToken(value)
      ? undefined
      : ['must be the name of a method', 'Write it as in "POST", or leave it out for any'],
  path: (value) =>
    typeof value === 'string' && /^\/[^?#\s]*$/u.test(value)
      ? undefined
      : [
          'must be a path without its query',
          'Write it as in "/orders/7", or as the document has it, as in "/orders/{id}"',
        ],
  delay: checkDelay,
  connection: (value) =>
    value === 'drop' || value === 'truncate'
      ? undefined
      : ['must be "drop" or "truncate"', 'Write one of them, or leave it out for an answer that comes whole'],
  times: (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value > 0
      ? undefined
      : ['must be a whole number from 1 on', 'Say how many requests go wrong, or leave it out for all'],
  share: (value) =>
    typeof value === 'number' && value >= 0 && value <= 1
      ? undefined
      : ['must be a number from 0 to 1', 'Write 0.25 for one in four, or leave it out for all'],
  enabled: (value) =>
    typeof value === 'boolean' ? undefined : ['must be true or false', 'Leave it out for true'],
};

function checkTogether({ delay, answer, connection }: JsonObject): ReturnType<Check> {
  if (delay === undefined && answer === undefined && connection === undefined) {
    return ['does nothing', 'Give it "delay", "answer" or "connection"'];
  }
  return connection === 'drop' && answer !== undefined
    ? ['has an answer, and drops the connection before one', 'Leave one of them out, or write "truncate"']
    : undefined;
}

/** Looks whether any request can be one of the operation and of the method. */
function checkMethodOf(
  { operation: id, method }: JsonObject,
  operations: readonly Operation[],
): ReturnType<Check> {
  const named = operations.find((operation) => operation.id === id);
  return named === undefined || typeof method !== 'string' || method.toUpperCase() === named.method
    ? undefined
    : [
        `is for no request: the method of ${named.id} is ${named.method}`,
        'Leave the method out, or the operation',
      ];
}

/** A rule with plain numbers, however they were written; the content of its answer keeps its digits. */
function toPlainRule(rule: JsonObject): JsonObject {
  const plain = (value: JsonValue): JsonValue => (value instanceof ExactNumber ? Number(value.text) : value);
  return Object.fromEntries(
    Object.entries(rule).map(([name, member]): [string, JsonValue] => {
      if (name === 'answer' && isJsonObject(member)) {
        const entries = Object.entries(member);
        return [
          name,
          Object.fromEntries(entries.map(([key, value]) => [key, key === 'body' ? value : plain(value)])),
        ];
      }
      return [name, Array.isArray(member) ? member.map(plain) : plain(member)];
    }),
  );
}

/**
 * Reads a rule from JSON, as {@link FaultRule} describes it.
 *
 * @param value - the rule
 * @param context.operations - those that a rule may name
 * @param context.pointer - where the rule stands, in front of the pointers of problems; '' where left out
 */
export function parseFaultRule(
  value: JsonValue,
  context: { readonly operations: readonly Operation[]; readonly pointer?: JsonPointer },
): FaultRuleReading {
  const { operations, pointer = '' } = context;
  const problems: DocumentProblem[] = [];
  function complain(place: JsonPointer, problem: ReturnType<Check>): void {
    if (problem !== undefined) {
      problems.push({ pointer: place, reason: problem[0], remedy: problem[1] });
    }
  }
  if (!isJsonObject(value)) {
    complain(pointer, ['must be an object', 'Write a rule as {"operation": "…", "answer": {"status": 503}}']);
    return { kind: 'problems', problems };
  }
  const rule = toPlainRule(value);
  for (const [name, member] of Object.entries(rule)) {
    const place = appendPointer(pointer, name);
    if (name === 'answer') {
      problems.push(...checkForcedAnswer(member, place));
    } else if (name === 'operation') {
      complain(place, checkOperation(member, operations));
    } else if (knownRuleFields.includes(name)) {
      complain(place, checks[name]?.(member));
    } else if (!counted.includes(name)) {
      const near = closestWord(name, knownRuleFields);
      const remedy =
        near === undefined ? `It takes ${knownRuleFields.join(', ')}` : `Perhaps "${near}" was meant`;
      complain(place, [`there is no "${name}"`, remedy]);
    }
  }
  complain(pointer, checkTogether(value));
  complain(pointer, checkMethodOf(value, operations));
  if (problems.length > 0) return { kind: 'problems', problems };
  const members = Object.entries(rule).filter(([name]) => !counted.includes(name));
  // `as`: every member was checked, and no other is there.
  return { kind: 'rule', rule: Object.fromEntries(members) as FaultRule };
}

/**
 * Looks whether an answer can be forced, as {@link import('./fault-rule.ts').ForcedAnswer} describes it.
 *
 * @param pointer - where it stands
 */
function checkForcedAnswer(answer: JsonValue, pointer: JsonPointer): readonly DocumentProblem[] {
  if (!isJsonObject(answer)) {
    return [{ pointer, reason: 'must be an object', remedy: 'Write {"status": 503}' }];
  }
  const unknown = Object.keys(answer)
    .filter((name) => !knownAnswerFields.includes(name))
    .map((name) => {
      const near = closestWord(name, knownAnswerFields);
      return {
        pointer: appendPointer(pointer, name),
        reason: `there is no "${name}"`,
        remedy:
          near === undefined ? `It takes ${knownAnswerFields.join(', ')}` : `Perhaps "${near}" was meant`,
      };
    });
  return [...unknown, ...checkMembers(answer, pointer)];
}

function checkMembers(answer: JsonObject, pointer: JsonPointer): readonly DocumentProblem[] {
  const { status, example, retryAfter, headers, body } = answer;
  const problems: DocumentProblem[] = [];
  function complain(name: string, reason: string, remedy: string): void {
    problems.push({ pointer: appendPointer(pointer, name), reason, remedy });
  }
  if (status === undefined) {
    problems.push({ pointer, reason: 'must have "status"', remedy: 'Give it one, as in {"status": 503}' });
  } else if (!isForcibleStatus(status)) {
    complain('status', 'must be a whole number from 200 to 599', 'Write one as in 503');
  }
  if (example !== undefined && (typeof example !== 'string' || example === '')) {
    complain('example', 'must be the name of an example', 'Name one that the document has for this status');
  }
  if (example !== undefined && body !== undefined) {
    complain('example', 'has no say beside "body"', 'Leave one of them out');
  }
  if (body !== undefined && typeof status === 'number' && bodyless.includes(status)) {
    complain('body', `has no place in an answer ${status}, which has no content`, 'Leave it out');
  }
  if (retryAfter !== undefined && !isRetryAfter(retryAfter)) {
    complain('retryAfter', 'must be whole seconds from 0 to 31536000', 'Write them as in 3');
  }
  return headers === undefined
    ? problems
    : [...problems, ...checkHeaders(headers, appendPointer(pointer, 'headers'))];
}

function checkHeaders(headers: JsonValue, pointer: JsonPointer): readonly DocumentProblem[] {
  if (!isJsonObject(headers)) {
    return [{ pointer, reason: 'must be an object', remedy: 'Write {"X-Name": "value"}' }];
  }
  return Object.entries(headers).flatMap(([name, value]) => {
    const problem = checkField(name, value);
    return problem === undefined
      ? []
      : [{ pointer: appendPointer(pointer, name), reason: problem[0], remedy: problem[1] }];
  });
}

/** Whether a number can stand in Retry-After (RFC 9110 §10.2.3), within a year. */
function isRetryAfter(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 0 && seconds <= 31_536_000;
}

/** Statuses whose answer has no content (RFC 9110 §15.3.5, §15.3.6, §15.4.5). */
const bodyless = [204, 205, 304];

const knownAnswerFields = ['status', 'example', 'retryAfter', 'headers', 'body'];

/**
 * Looks whether a header field can be sent (RFC 9110 §5).
 *
 * @returns a reason and a remedy where it cannot
 */
function checkField(name: string, value: JsonValue): readonly [reason: string, remedy: string] | undefined {
  if (!tokenForm.test(name)) {
    return [`"${name}" is no name of a header field`, 'Write it as in "X-Request-Id"'];
  }
  if (framingFields.includes(name.toLowerCase())) {
    return [
      'the mock itself says how an answer is framed',
      'Leave it out; "truncate" makes Content-Length lie',
    ];
  }
  return typeof value === 'string' && /^[\t\u0020-\u007E\u0080-\u00FF]*$/u.test(value)
    ? undefined
    : ['must be a text without line breaks, in Latin-1', 'Encode what it holds, as with percent signs'];
}

/** Whether a value is a token: the name of a method or of a header field (RFC 9110 §5.6.2). */
function isToken(value: JsonValue): value is string {
  return typeof value === 'string' && tokenForm.test(value);
}
