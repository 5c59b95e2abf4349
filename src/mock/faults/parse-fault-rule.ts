import type { Operation } from '../../contract/operation.ts';
import type { DocumentProblem } from '../../document/document-problem.ts';
import { closestWord } from '../../errors/closest-word.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { appendPointer, type JsonPointer } from '../../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../../json/json-value.ts';
import { checkForcedAnswer } from './check-forced-answer.ts';
import { faultIdForm } from './fault-id-form.ts';
import type { FaultRule } from './fault-rule.ts';
import { isToken } from './is-token.ts';
import { isDelayTime } from './parse-delay.ts';

const known = [
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
export type FaultRuleReading =
  | { readonly kind: 'rule'; readonly rule: FaultRule }
  | { readonly kind: 'problems'; readonly problems: readonly DocumentProblem[] };

/** The problem of a value, a reason and a remedy; undefined where there is none. */
type Check = (value: JsonValue) => readonly [reason: string, remedy: string] | undefined;

function checkDelay(value: JsonValue): ReturnType<Check> {
  if (isDelayTime(value)) {
    return undefined;
  }
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
  if (ids.includes(value)) {
    return undefined;
  }
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
    } else if (known.includes(name)) {
      complain(place, checks[name]?.(member));
    } else if (!counted.includes(name)) {
      const near = closestWord(name, known);
      const remedy = near === undefined ? `It takes ${known.join(', ')}` : `Perhaps "${near}" was meant`;
      complain(place, [`there is no "${name}"`, remedy]);
    }
  }
  complain(pointer, checkTogether(value));
  complain(pointer, checkMethodOf(value, operations));
  if (problems.length > 0) {
    return { kind: 'problems', problems };
  }
  const members = Object.entries(rule).filter(([name]) => !counted.includes(name));
  // `as`: every member was checked, and no other is there.
  return { kind: 'rule', rule: Object.fromEntries(members) as FaultRule };
}
