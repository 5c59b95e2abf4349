import { decodeUtf8 } from '../../http/bytes.ts';
import { parseJson } from '../../json/parse.ts';
import { holdsExactNumber, isJsonObject, jsonEqual, type JsonValue } from '../../json/value.ts';
import { schemaProperties } from '../../schema/properties.ts';
import { classifyStatus, declaresExactly, statusOf } from '../reading/answer.ts';
import { gradeBody, isOrdinaryProperty, unusualSpelling } from '../reading/body.ts';
import type { BodyGrade, Subject } from '../reading/subject.ts';
import {
  bodyRefusals,
  hasOnly,
  type Held,
  type Hold,
  type HoldInput,
  isRefusedForContent,
} from './evidence.ts';

/** Whether a body is plain but for the white space in it, so that nothing but its size could be held against it. */
function isPlainInside({ request: { body } }: Subject): boolean {
  return (
    body.kind === 'valid' &&
    (body.grade.kind === 'plain' ||
      (body.grade.kind === 'extreme' && body.grade.oddities.every(({ words }) => words === unusualSpelling)))
  );
}

/** Holds how many bytes of a body are read, and the status past them. */
export const holdBodyLimit: Hold = (input) => {
  const { subject, context, concerns } = input;
  const { bytes, status: past } = context.policy['body-limit'];
  if (!isPlainInside(subject) || !hasOnly(concerns, 'size', 'unusual')) return undefined;
  const status = statusOf(subject);
  if (concerns.has('size')) {
    const isDocuments = status === 413 && declaresExactly(subject.operation, 413);
    // 400 stands for what a document declares for bodies that are refused, be it 422.
    const isRefused = past === 400 && bodyRefusals.has(status);
    return {
      expected: `${past}, as it has more than ${bytes} bytes`,
      holds: status === past || isDocuments || isRefused,
    };
  }
  // Of a short body 400 would rather speak of something else.
  const isShort = subject.request.bodyBytes <= Math.max(context.longestPlainBody, 1_024);
  return {
    expected: `it is read, as it has no more than ${bytes} bytes`,
    holds: !(status === 413 || (!isShort && isRefusedForContent(input))),
  };
};

/** How long a value is or how large: which characters are taken is found out elsewhere, as advice. */
const ofExtent = new Set([
  'an empty text',
  'a long text',
  'an empty list',
  'a long list',
  'a number past 2^53',
  'a number past 2^31',
  'zero',
  'a number below one',
]);

function isOfExtent(grade: BodyGrade): boolean {
  return (
    grade.kind === 'plain' ||
    (grade.kind === 'extreme' && grade.oddities.every(({ words }) => ofExtent.has(words)))
  );
}

/** Holds what values are bounded to: what the policy refuses is not taken, and values of another extent are. */
export const holdConstraints: Hold = (input) => {
  const { subject, concerns } = input;
  const { body } = subject.request;
  if (body.kind !== 'valid') return undefined;
  if (concerns.has('constraint')) {
    return hasOnly(concerns, 'constraint', 'unusual', 'unique')
      ? {
          expected: 'it is refused, as a value is out of its bounds',
          holds: classifyStatus(subject.answer) !== 'accepted',
        }
      : undefined;
  }
  return hasOnly(concerns, 'unusual') && isOfExtent(body.grade) && isRefusedForContent(input)
    ? { expected: 'it is taken, as every value is within its bounds', holds: false }
    : undefined;
};

interface Reading {
  readonly value: JsonValue;
  readonly kind: 'plain' | 'unusual' | 'invalid';
}

/** The body as one of two readers of equal keys has it. */
function readAs({ subject }: HoldInput, which: 'first' | 'last'): Reading | undefined {
  const text = decodeUtf8(subject.exchange.request.body ?? new Uint8Array());
  const schema = subject.operation?.requestBody?.media.find(({ isJson }) => isJson)?.schema;
  const json =
    text === undefined ? undefined : parseJson(text, which === 'first' ? { duplicateKey: 'first' } : {});
  if (schema === undefined || json?.kind !== 'json') return undefined;
  const { value, exact } = json;
  if (schema.validator({ formats: 'assert', integers: 'by-value' })(value, exact).length > 0) {
    return { value, kind: 'invalid' };
  }
  const grade = gradeBody({ value, schema: schema.schema, spelledPlainly: true });
  return { value, kind: grade.kind === 'plain' ? 'plain' : 'unusual' };
}

/** Whether an answer shows a value where two readings differ; undefined where it shows neither, or both. */
function shows({ subject }: HoldInput, wanted: JsonValue, other: JsonValue): boolean | undefined {
  const { answer } = subject;
  const received =
    answer.kind === 'response' && answer.content.kind === 'json' ? answer.content.json.value : null;
  const schema =
    answer.kind === 'response' && answer.content.kind === 'json'
      ? answer.content.media?.schema?.schema
      : undefined;
  if (!isJsonObject(received) || !isJsonObject(wanted) || !isJsonObject(other)) return undefined;
  const telling = [...schemaProperties(schema)].flatMap(([name, { readOnly, writeOnly }]) => {
    const [one, two, back] = [wanted, other, received].map((object) =>
      Object.hasOwn(object, name) ? object[name] : undefined,
    );
    const isTelling = one !== undefined && two !== undefined && back !== undefined && !jsonEqual(one, two);
    return isTelling && !readOnly && !writeOnly ? [{ one, two, back }] : [];
  });
  if (telling.length === 0) return undefined;
  if (telling.every(({ one, back }) => jsonEqual(one, back))) return true;
  return telling.every(({ two, back }) => jsonEqual(two, back)) ? false : undefined;
}

/** Holds which of several equal keys of a JSON object counts (RFC 8259 §4 leaves it open). */
export const holdDuplicateKeysInJson: Hold = (input) => {
  const { subject, context, concerns } = input;
  const { body } = subject.request;
  const question = 'duplicate-keys-in-json';
  const isAbout =
    body.kind === 'valid' && body.grade.kind === 'contested' && body.grade.questions.includes(question);
  if (!isAbout || !hasOnly(concerns, 'contested', 'key', 'unique', 'constraint')) return undefined;
  const answer = context.policy[question];
  const isTaken = classifyStatus(subject.answer) === 'accepted';
  if (answer === 'refuse') return { expected: 'it is refused', holds: !isTaken };
  const first = readAs(input, 'first');
  const last = readAs(input, 'last');
  const [counts, other] = answer === 'first' ? [first, last] : [last, first];
  if (counts === undefined || other === undefined || !hasOnly(concerns, 'contested')) return undefined;
  const expected = `the ${answer} of equal keys counts`;
  if (!isTaken) return { expected, holds: !(counts.kind === 'plain' && isRefusedForContent(input)) };
  const echoes = context.told.has('echo') && context.policy.echo === 'exact';
  const isOther = echoes && shows(input, counts.value, other.value) === false;
  return { expected, holds: counts.kind !== 'invalid' && !isOther };
};

/** What may be odd about a number whose notation or size is what a body is contested for. */
const ofNumbers = new Set([
  'a number past 2^53',
  'a number past 2^31',
  'a number with a fraction or an exponent',
  'zero',
  'a number below one',
]);

/** Whether anything but its numbers is unusual in a body. */
function isOtherwisePlain({ subject }: HoldInput): boolean {
  const { body } = subject.request;
  const schema = subject.operation?.requestBody?.media.find(({ isJson }) => isJson)?.schema?.schema;
  if (body.kind !== 'valid' || schema === undefined) return false;
  const grade = gradeBody({ value: body.value, schema, spelledPlainly: true });
  return (
    grade.kind === 'plain' ||
    (grade.kind === 'extreme' && grade.oddities.every(({ words }) => ofNumbers.has(words)))
  );
}

/**
 * Holds what becomes of numbers that readers disagree about, where nothing else of the request is open.
 *
 * @param refuses - whether the policy says that they are refused
 */
function holdContested(
  question: 'int64-range' | 'integer-notation',
  input: HoldInput,
  refuses: boolean,
): Held | undefined {
  const { subject, concerns } = input;
  const { body } = subject.request;
  if (body.kind !== 'valid' || body.grade.kind !== 'contested' || !hasOnly(concerns, 'contested', 'key')) {
    return undefined;
  }
  const { questions: open } = body.grade;
  if (!open.includes(question)) return undefined;
  const isTaken = classifyStatus(subject.answer) === 'accepted';
  if (refuses) return { expected: 'it is refused', holds: !isTaken };
  const isAlone = open.length === 1 && hasOnly(concerns, 'contested');
  return isAlone && isRefusedForContent(input) && isOtherwisePlain(input)
    ? { expected: 'it is taken', holds: false }
    : undefined;
}

/** Holds what becomes of integers outside the range of their format. */
export const holdInt64Range: Hold = (input) =>
  holdContested('int64-range', input, input.context.policy['int64-range'] === 'refuse');

/** Holds what becomes of integers written with a fraction or an exponent. */
export const holdIntegerNotation: Hold = (input) =>
  holdContested('integer-notation', input, input.context.policy['integer-notation'] === 'no');

/** The undeclared properties of a body that is plain besides; none where there is more to it. */
function readUndeclared({ subject }: HoldInput): readonly (readonly [name: string, value: JsonValue])[] {
  const { body } = subject.request;
  if (body.kind !== 'valid' || body.grade.kind !== 'extreme' || !isJsonObject(body.value)) return [];
  const { value } = body;
  const names = body.grade.oddities.map(({ place }) => place.slice(1));
  const found = names.map((name) => [name, Object.hasOwn(value, name) ? value[name] : undefined] as const);
  return found.flatMap(([name, member]) =>
    member !== undefined && isOrdinaryProperty(name, member) ? [[name, member] as const] : [],
  ).length === names.length
    ? found.flatMap(([name, member]) => (member === undefined ? [] : [[name, member] as const]))
    : [];
}

/** Whether the answer shows the properties; undefined where it cannot say. */
function isShown(
  { subject, context }: HoldInput,
  sent: readonly (readonly [name: string, value: JsonValue])[],
): boolean | undefined {
  const { answer, operation } = subject;
  const echoes = context.told.has('echo') && context.policy.echo === 'exact';
  if (
    answer.kind === 'none' ||
    answer.content.kind !== 'json' ||
    !echoes ||
    operation?.kind.kind !== 'create'
  ) {
    return undefined;
  }
  const { value } = answer.content.json;
  const schema = answer.content.media?.schema;
  if (!isJsonObject(value) || schema === undefined) return undefined;
  const shown = sent.filter(([name, member]) => {
    const back = Object.hasOwn(value, name) ? value[name] : undefined;
    return back !== undefined && jsonEqual(back, member);
  });
  if (shown.length > 0) return shown.length === sent.length ? true : undefined;
  const whole: JsonValue = { ...value, ...Object.fromEntries(sent) };
  const validate = schema.validator({ formats: 'ignore', integers: 'by-value' });
  return validate(whole, holdsExactNumber(whole)).length === 0 ? false : undefined;
}

/** Holds what becomes of properties that the schema of the request does not declare. */
export const holdUndeclaredProperties: Hold = (input) => {
  const { subject, context, concerns } = input;
  const sent = hasOnly(concerns, 'undeclared-property') ? readUndeclared(input) : [];
  if (sent.length === 0) return undefined;
  const question = 'undeclared-properties';
  const answer = context.policy[question];
  const isTaken = classifyStatus(subject.answer) === 'accepted';
  switch (answer) {
    case 'refuse':
      return { expected: 'it is refused', holds: !isTaken };
    case 'ignore':
      return {
        expected: 'it is taken, and the answer does not show the property',
        holds: isTaken ? isShown(input, sent) !== true : !isRefusedForContent(input),
      };
    case 'store':
      return {
        expected: 'it is taken, and the answer shows the property',
        holds: isTaken ? isShown(input, sent) !== false : !isRefusedForContent(input),
      };
  }
};

/** Holds what becomes of a body in a media type that the document does not declare. */
export const holdMediaType: Hold = (input) => {
  const { subject, context, concerns } = input;
  const { body } = subject.request;
  if (
    body.kind !== 'other-media' ||
    !hasOnly(concerns, 'media-type', 'key', 'constraint', 'unique') ||
    // Much is read otherwise that is not there.
    subject.request.bodyBytes === 0
  ) {
    return undefined;
  }
  const question = 'unsupported-media-type';
  const answer = context.policy[question];
  const status = statusOf(subject);
  if (answer !== 'read') {
    const isDeclared = answer === 400 && classifyStatus(subject.answer) === 'refused';
    return { expected: String(answer), holds: status === answer || isDeclared };
  }
  // Read anyway, content in another notation is malformed, and so refused.
  const mustBeTaken = body.plainJson !== undefined && hasOnly(concerns, 'media-type');
  return {
    expected: 'it is read as though it had the declared media type',
    holds: mustBeTaken ? !isRefusedForContent(input) : status !== 415,
  };
};
