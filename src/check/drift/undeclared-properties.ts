import { isJsonObject } from '../../json/is-json-object.ts';
import { holdsExactNumber } from '../../json/holds-exact-number.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { classifyStatus } from '../status-class.ts';
import { isOrdinaryProperty } from '../is-ordinary-property.ts';
import { hasOnly } from './has-only.ts';
import type { Hold, HoldInput } from './hold.ts';
import { isRefusedForContent } from './is-refused-for-content.ts';

/** The undeclared properties of a body that is plain besides; none where there is more to it. */
function readUndeclared({ subject }: HoldInput): readonly (readonly [name: string, value: JsonValue])[] {
  const { body } = subject.request;
  if (body.kind !== 'valid' || body.grade.kind !== 'extreme' || !isJsonObject(body.value)) {
    return [];
  }
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
  if (!isJsonObject(value) || schema === undefined) {
    return undefined;
  }
  const shown = sent.filter(([name, member]) => {
    const back = Object.hasOwn(value, name) ? value[name] : undefined;
    return back !== undefined && jsonEqual(back, member);
  });
  if (shown.length > 0) {
    return shown.length === sent.length ? true : undefined;
  }
  const whole: JsonValue = { ...value, ...Object.fromEntries(sent) };
  const validate = schema.validator({ formats: 'ignore', integers: 'by-value' });
  return validate(whole, holdsExactNumber(whole)).length === 0 ? false : undefined;
}

/** Holds what becomes of properties that the schema of the request does not declare. */
export const holdUndeclaredProperties: Hold = (input) => {
  const { subject, context, concerns } = input;
  const sent = hasOnly(concerns, 'undeclared-property') ? readUndeclared(input) : [];
  if (sent.length === 0) {
    return undefined;
  }
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
