import { decodeUtf8 } from '../../http/decode-utf8.ts';
import { schemaProperties } from '../../contract/schema-properties.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { parseJson } from '../../json/parse-json.ts';
import { gradeBody } from '../grade-body.ts';
import { classifyStatus } from '../status-class.ts';
import { hasOnly } from './has-only.ts';
import type { Hold, HoldInput } from './hold.ts';
import { isRefusedForContent } from './is-refused-for-content.ts';

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
  if (schema === undefined || json?.kind !== 'json') {
    return undefined;
  }
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
  if (!isJsonObject(received) || !isJsonObject(wanted) || !isJsonObject(other)) {
    return undefined;
  }
  const telling = [...schemaProperties(schema)].flatMap(([name, { readOnly, writeOnly }]) => {
    const [one, two, back] = [wanted, other, received].map((object) =>
      Object.hasOwn(object, name) ? object[name] : undefined,
    );
    const isTelling = one !== undefined && two !== undefined && back !== undefined && !jsonEqual(one, two);
    return isTelling && !readOnly && !writeOnly ? [{ one, two, back }] : [];
  });
  if (telling.length === 0) {
    return undefined;
  }
  if (telling.every(({ one, back }) => jsonEqual(one, back))) {
    return true;
  }
  return telling.every(({ two, back }) => jsonEqual(two, back)) ? false : undefined;
}

/** Holds which of several equal keys of a JSON object counts (RFC 8259 §4 leaves it open). */
export const holdDuplicateKeysInJson: Hold = (input) => {
  const { subject, context, concerns } = input;
  const { body } = subject.request;
  const question = 'duplicate-keys-in-json';
  const isAbout =
    body.kind === 'valid' && body.grade.kind === 'contested' && body.grade.questions.includes(question);
  if (!isAbout || !hasOnly(concerns, 'contested', 'key', 'unique', 'constraint')) {
    return undefined;
  }
  const answer = context.policy[question];
  const isTaken = classifyStatus(subject.answer) === 'accepted';
  if (answer === 'refuse') {
    return { expected: 'it is refused', holds: !isTaken };
  }
  const first = readAs(input, 'first');
  const last = readAs(input, 'last');
  const [counts, other] = answer === 'first' ? [first, last] : [last, first];
  if (counts === undefined || other === undefined || !hasOnly(concerns, 'contested')) {
    return undefined;
  }
  const expected = `the ${answer} of equal keys counts`;
  if (!isTaken) {
    return { expected, holds: !(counts.kind === 'plain' && isRefusedForContent(input)) };
  }
  const echoes = context.told.has('echo') && context.policy.echo === 'exact';
  const isOther = echoes && shows(input, counts.value, other.value) === false;
  return { expected, holds: counts.kind !== 'invalid' && !isOther };
};
