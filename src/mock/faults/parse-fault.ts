import type { Operation } from '../../contract/contract.ts';
import type { DocumentProblem } from '../../document/document.ts';
import { closestWord } from '../../errors/suggest.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import { appendPointer, type JsonPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type Delay, type Fault, faultIdForm, type FaultRule, isForcibleStatus } from './fault.ts';
import { framingFields, tokenForm } from '../../http/message.ts';

/** The longest delay, an hour; no client waits longer. */
const longestDelay = 3_600_000;

function isDelayTime(time: unknown): time is number {
  return typeof time === 'number' && time >= 0 && time <= longestDelay;
}

/** Parses a delay in milliseconds from a command line or a header field: `200`, or `200..400` for a range. */
export function parseDelay(text: string): Delay | undefined {
  const [, first, last] = /^(\d+(?:\.\d+)?)(?:\.\.(\d+(?:\.\d+)?))?$/u.exec(text.trim()) ?? [];
  const from = Number(first ?? Number.NaN);
  if (last === undefined) return isDelayTime(from) ? from : undefined;
  const to = Number(last);
  return isDelayTime(from) && isDelayTime(to) && from <= to ? [from, to] : undefined;
}

/** The text between separators; separators in quotes do not count. */
const memberForm = /(?:[^,;"]|"(?:[^"\\]|\\.)*"?)+/gu;

/** A name, optionally with a value. The matching time does not grow with the number of spaces. */
const pairForm = /^([!#$%&'*+\-.^_`|~\w]+)(?:\s*=(?:\s*"((?:[^"\\]|\\.)*)"|([^"]*)))?$/u;

/** A name in lower case and its value, if any; unreadable text becomes a name that is no token. */
type Member = readonly [name: string, value: string | undefined];

/** Decodes a field as UTF-8, as curl sends it, or else as Latin-1 (RFC 9110 §5.5). */
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
 * Splits a field like `code=404, example="not there"` into its members. A value may be in quotes, and need not be a
 * token, as an example may have a name with spaces. A semicolon separates members like a comma.
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

/** The fault of a Cloche-Fault field, or the problem with the field, as a part of a sentence. */
type FaultFieldReading =
  | { readonly kind: 'fault'; readonly fault: Fault }
  | { readonly kind: 'problem'; readonly reason: string };

const directives = ['delay', 'status', 'example', 'retry-after', 'drop', 'truncate'];
const wanted =
  'it takes delay=MS or delay=FROM..TO, status=CODE, example=NAME, retry-after=SECONDS, drop, truncate';

/**
 * Parses a Cloche-Fault field, with which a request chooses its fault: `delay=200..400, status=503, retry-after=3`,
 * `drop`, `truncate`. `retry-after` without a status implies 429.
 */
export function parseFaultField(field: string): FaultFieldReading {
  const members = parseMembers(field);
  const names = members.map(([name]) => name);
  const written = new Map(members);
  const delay = parseDelay(written.get('delay') ?? '');
  const retryAfter = toNumber(written.get('retry-after'));
  const status = toNumber(written.get('status')) ?? (retryAfter === undefined ? undefined : 429);
  const example = written.get('example');
  const refuse = (reason: string): FaultFieldReading => ({ kind: 'problem', reason });

  if (names.length === 0) return refuse(`it is empty: ${wanted}`);
  const unknown = names.find((name) => !directives.includes(name));
  if (unknown !== undefined) return refuse(`it says "${unknown}": ${wanted}`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return refuse(`it says "${twice}" twice`);
  const valued = names.find((name) => /^(?:drop|truncate)$/u.test(name) && written.get(name) !== undefined);
  if (valued !== undefined) return refuse(`"${valued}" takes no value`);
  if (written.has('delay') && delay === undefined) {
    return refuse('a delay is milliseconds from 0 to 3600000, or a range as in 200..400');
  }
  if (status !== undefined && !isForcibleStatus(status)) {
    return refuse('a status is a whole number from 200 to 599');
  }
  if (retryAfter !== undefined && !isRetryAfter(retryAfter)) {
    return refuse('retry-after takes whole seconds from 0 to 31536000');
  }
  if (example !== undefined && status === undefined) return refuse('an example needs a status');
  if (written.has('drop') && (status !== undefined || written.has('truncate'))) {
    return refuse('what is dropped has no answer');
  }

  const late = delay === undefined ? {} : { delay };
  if (written.has('drop')) return { kind: 'fault', fault: { ...late, connection: 'drop' } };
  const answer = status !== undefined && {
    status,
    ...(example !== undefined && { example }),
    ...(retryAfter !== undefined && { retryAfter }),
  };
  const cut = written.has('truncate') && ({ connection: 'truncate' } as const);
  return { kind: 'fault', fault: { ...late, ...(answer && { answer }), ...cut } };
}

function toNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  return /^\d{1,9}$/u.test(text) ? Number(text) : Number.NaN;
}

const answerFields = ['status', 'example', 'retryAfter', 'headers', 'body'];

/** Further properties of a listed rule; a client may send them back with a changed rule. */
const counted = ['seen', 'applied'];

/** Statuses of responses without content (RFC 9110 §15.3.5, §15.3.6, §15.4.5). */
const bodyless = [204, 205, 304];

type FaultRuleReading =
  | { readonly kind: 'rule'; readonly rule: FaultRule }
  | { readonly kind: 'problems'; readonly problems: readonly DocumentProblem[] };

/** The problem with a value, and its fix; undefined if the value is valid. */
type Complaint = readonly [reason: string, remedy: string] | undefined;

type Complain = (place: JsonPointer, complaint: Complaint) => void;

/** Parses a rule from JSON, as {@link FaultRule} describes it; the pointer is its position in a document. */
export function parseFaultRule(
  value: JsonValue,
  { operations, pointer = '' }: { readonly operations: readonly Operation[]; readonly pointer?: JsonPointer },
): FaultRuleReading {
  const problems: DocumentProblem[] = [];
  const complain: Complain = (place, complaint) => {
    if (complaint !== undefined) {
      problems.push({ pointer: place, reason: complaint[0], remedy: complaint[1] });
    }
  };
  if (!isJsonObject(value)) {
    complain(pointer, ['must be an object', 'Write a rule as {"operation": "…", "answer": {"status": 503}}']);
    return { kind: 'problems', problems };
  }
  const members = Object.entries(value)
    .filter(([name]) => !counted.includes(name))
    .map(([name, member]) => [name, toPlainMember(name, member)] as const);
  for (const [name, member] of members) {
    const place = appendPointer(pointer, name);
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    complain(
      place,
      check === undefined
        ? [`there is no "${name}"`, suggest(name, Object.keys(checks))]
        : check(member, { operations, place, complain }),
    );
  }
  complain(pointer, checkTogether(value));
  complain(pointer, checkMethod(value, operations));
  // `as`: every member was checked, and there are no others.
  return problems.length > 0
    ? { kind: 'problems', problems }
    : { kind: 'rule', rule: Object.fromEntries(members) as FaultRule };
}

/** Converts a member of a rule to plain numbers; the content of a response keeps its digits. */
function toPlainMember(name: string, member: JsonValue): JsonValue {
  if (name === 'answer' && isJsonObject(member)) {
    const entries = Object.entries(member);
    return Object.fromEntries(entries.map(([key, value]) => [key, key === 'body' ? value : toPlain(value)]));
  }
  return Array.isArray(member) ? member.map(toPlain) : toPlain(member);
}

function toPlain(value: JsonValue): JsonValue {
  return value instanceof ExactNumber ? Number(value.text) : value;
}

function suggest(word: string, known: readonly string[]): string {
  const near = closestWord(word, known);
  return near === undefined ? `It takes ${known.join(', ')}` : `Perhaps "${near}" was meant`;
}

function checkOperation(value: JsonValue, { operations }: Context): Complaint {
  const ids = operations.map(({ id }) => id);
  if (typeof value !== 'string') {
    return ['must be the id of an operation, a text', `It takes ${ids.join(', ')}`];
  }
  return ids.includes(value) ? undefined : [`there is no operation "${value}"`, suggest(value, ids)];
}

/** The context of the check of a member. */
interface Context {
  readonly operations: readonly Operation[];
  readonly place: JsonPointer;
  readonly complain: Complain;
}

/** The checks of the members of a rule, in the order in which remedies list them. */
const checks: Readonly<Record<string, (value: JsonValue, context: Context) => Complaint>> = {
  id: (value) =>
    typeof value === 'string' && faultIdForm.test(value)
      ? undefined
      : [
          'must be 1 to 64 letters, digits, or - _ . ~, and not begin with a point',
          'Choose another, or leave it out for one that is made',
        ],
  operation: checkOperation,
  method: (value) =>
    typeof value === 'string' && tokenForm.test(value)
      ? undefined
      : ['must be the name of a method', 'Write it as in "POST", or leave it out for any'],
  path: (value) =>
    typeof value === 'string' && /^\/[^?#\s]*$/u.test(value)
      ? undefined
      : [
          'must be a path without its query',
          'Write it as in "/orders/7", or as the document has it, as in "/orders/{id}"',
        ],
  delay: (value) =>
    isDelayTime(value) || (Array.isArray(value) && value.length === 2 && value.every(isDelayTime))
      ? undefined
      : [
          'must be milliseconds from 0 to 3600000, or two of them for a range',
          'Write 200, or [200, 400] for a range',
        ],
  answer: checkAnswer,
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

/** Checks the response of a rule; a problem with one of its members is reported at that member. */
function checkAnswer(answer: JsonValue, { place, complain }: Context): Complaint {
  if (!isJsonObject(answer)) return ['must be an object', 'Write {"status": 503}'];
  const at = (name: string): JsonPointer => appendPointer(place, name);
  for (const name of Object.keys(answer)) {
    if (!answerFields.includes(name)) {
      complain(at(name), [`there is no "${name}"`, suggest(name, answerFields)]);
    }
  }
  const { status, example, retryAfter, headers, body } = answer;
  if (status === undefined) {
    complain(place, ['must have "status"', 'Give it one, as in {"status": 503}']);
  } else if (!isForcibleStatus(status)) {
    complain(at('status'), ['must be a whole number from 200 to 599', 'Write one as in 503']);
  }
  if (example !== undefined && (typeof example !== 'string' || example === '')) {
    const remedy = 'Name one that the document has for this status';
    complain(at('example'), ['must be the name of an example', remedy]);
  }
  if (example !== undefined && body !== undefined) {
    complain(at('example'), ['has no say beside "body"', 'Leave one of them out']);
  }
  if (body !== undefined && typeof status === 'number' && bodyless.includes(status)) {
    complain(at('body'), [`has no place in an answer ${status}, which has no content`, 'Leave it out']);
  }
  if (retryAfter !== undefined && !isRetryAfter(retryAfter)) {
    complain(at('retryAfter'), ['must be whole seconds from 0 to 31536000', 'Write them as in 3']);
  }
  if (headers !== undefined && !isJsonObject(headers)) {
    complain(at('headers'), ['must be an object', 'Write {"X-Name": "value"}']);
  }
  for (const [name, value] of Object.entries(isJsonObject(headers) ? headers : {})) {
    complain(appendPointer(at('headers'), name), checkField(name, value));
  }
  return undefined;
}

/** Returns true if Retry-After can carry a number (RFC 9110 §10.2.3), up to a year. */
function isRetryAfter(seconds: unknown): seconds is number {
  return typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 0 && seconds <= 31_536_000;
}

/** Checks that a header field can be sent (RFC 9110 §5). */
function checkField(name: string, value: JsonValue): Complaint {
  if (!tokenForm.test(name)) {
    return [`"${name}" is no name of a header field`, 'Write it as in "X-Request-Id"'];
  }
  if (framingFields.has(name.toLowerCase())) {
    const reason = 'the mock itself says how an answer is framed';
    return [reason, 'Leave it out; "truncate" makes Content-Length lie'];
  }
  return typeof value === 'string' && /^[\t\u0020-\u007E\u0080-\u00FF]*$/u.test(value)
    ? undefined
    : ['must be a text without line breaks, in Latin-1', 'Encode what it holds, as with percent signs'];
}

function checkTogether({ delay, answer, connection }: JsonObject): Complaint {
  if (delay === undefined && answer === undefined && connection === undefined) {
    return ['does nothing', 'Give it "delay", "answer" or "connection"'];
  }
  return connection === 'drop' && answer !== undefined
    ? ['has an answer, and drops the connection before one', 'Leave one of them out, or write "truncate"']
    : undefined;
}

/** Checks that the operation of a rule has its method. */
function checkMethod({ operation: id, method }: JsonObject, operations: readonly Operation[]): Complaint {
  const named = operations.find((operation) => operation.id === id);
  return named === undefined || typeof method !== 'string' || method.toUpperCase() === named.method
    ? undefined
    : [
        `is for no request: the method of ${named.id} is ${named.method}`,
        'Leave the method out, or the operation',
      ];
}
