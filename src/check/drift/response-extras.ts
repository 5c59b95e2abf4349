import { schemaProperties } from '../../contract/schema-properties.ts';
import { holdsExactNumber } from '../../json/holds-exact-number.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonObject } from '../../json/json-value.ts';
import { classifyStatus } from '../status-class.ts';
import { hasOnly } from './has-only.ts';
import type { Hold, HoldInput } from './hold.ts';

/** What the answer to a plain create carries, and what its schema says of it. */
function readCreated({ subject, concerns }: HoldInput) {
  const { answer, operation, request } = subject;
  const isPlain = hasOnly(concerns) && request.body.kind === 'valid' && operation?.kind.kind === 'create';
  if (!isPlain || answer.kind === 'none' || answer.content.kind !== 'json') {
    return undefined;
  }
  const { media, json } = answer.content;
  const declared = schemaProperties(media?.schema?.schema);
  return classifyStatus(answer) === 'accepted' &&
    media?.schema !== undefined &&
    declared.size > 0 &&
    isJsonObject(json.value)
    ? { answered: json.value, sent: request.body.value, schema: media.schema, declared, kind: operation.kind }
    : undefined;
}

/** Holds what the answer to a create carries besides what its schema declares. */
export const holdResponseExtras: Hold = (input) => {
  const created = readCreated(input);
  if (created === undefined) {
    return undefined;
  }
  const { answered, sent, schema, declared, kind } = created;
  const question = 'response-extras';
  const more = Object.keys(answered).filter((name) => !declared.has(name));
  const received = more.length === 0 ? 'nothing more' : `also ${more.toSorted().join(', ')}`;
  if (input.context.policy[question] === 'none') {
    return { expected: 'nothing that its schema does not declare', holds: more.length === 0, received };
  }
  const key = kind.key.kind === 'client' ? kind.key.property : undefined;
  if (key === undefined || declared.has(key) || !isJsonObject(sent)) {
    return undefined;
  }
  const whole: JsonObject = { ...answered, [key]: sent[key] ?? null };
  const isAllowed =
    schema.validator({ formats: 'ignore', integers: 'by-value' })(whole, holdsExactNumber(whole)).length ===
    0;
  return isAllowed
    ? {
        expected: `the ${key} that was sent, and nothing else that its schema does not declare`,
        holds: more.length === 1 && more[0] === key,
        received,
      }
    : undefined;
};
