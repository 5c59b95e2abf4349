import { isJsonObject } from '../json/is-json-object.ts';
import { schemaProperties } from '../contract/schema-properties.ts';
import type { JsonObject } from '../json/json-value.ts';
import type { Subject } from './exchange-check.ts';
import { classifyStatus } from './status-class.ts';

/** What a create sent and what it was answered with, where the two can be compared. */
export interface Echo {
  readonly sent: JsonObject;
  readonly received: JsonObject;
  /** The properties that were sent and that the answer is to give back. */
  readonly names: readonly string[];
  /** Properties of the answer that were not sent, the ones that only a service sets left out. */
  readonly added: readonly string[];
}

/**
 * Reads what a create should answer with. An answer to a key that may exist already may show what was there.
 *
 * @returns undefined where the answer shows nothing of what was sent
 */
export function readEcho({ answer, request, operation }: Subject): Echo | undefined {
  const isCreate = operation?.kind.kind === 'create' && classifyStatus(answer) === 'accepted';
  const trusted =
    request.credentials === 'good' ||
    request.credentials === 'good-unusual' ||
    request.credentials === 'not-required';
  if (!isCreate || !trusted || answer.kind === 'none' || answer.content.kind !== 'json') {
    return undefined;
  }
  const mayExist = request.key === 'sent' || request.key === 'chosen';
  const { body } = request;
  if (mayExist || body.kind !== 'valid' || body.grade.kind === 'contested' || !isJsonObject(body.value)) {
    return undefined;
  }
  const schema = answer.content.media?.schema?.schema;
  const received = answer.content.json.value;
  if (schema === undefined || !isJsonObject(received)) {
    return undefined;
  }
  const declared = schemaProperties(schema);
  const sent = body.value;
  const names = [...declared].flatMap(([name, { readOnly, writeOnly }]) =>
    readOnly || writeOnly || !Object.hasOwn(sent, name) ? [] : [name],
  );
  const added = [...declared].flatMap(([name, { readOnly }]) =>
    readOnly || Object.hasOwn(sent, name) || !Object.hasOwn(received, name) ? [] : [name],
  );
  return { sent, received, names, added };
}
