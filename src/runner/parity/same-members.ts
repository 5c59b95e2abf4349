import type { Judged } from '../../check/judged.ts';
import { classifyStatus } from '../../check/status-class.ts';
import { schemaProperties } from '../../contract/schema-properties.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import type { JsonObject } from '../../json/json-value.ts';

function contentOf({ answer }: Judged): JsonObject | undefined {
  if (answer.kind === 'none' || answer.content.kind !== 'json') {
    return undefined;
  }
  const { value } = answer.content.json;
  return isJsonObject(value) ? value : undefined;
}

/** Whether the values of a body are read alike by everybody; which of two equal keys counts is a question. */
function isReadAlike({ request: { body } }: Judged): boolean {
  if (body.kind !== 'valid') {
    return false;
  }
  return body.grade.kind !== 'contested' || body.grade.questions.includes('duplicate-keys-in-json');
}

/**
 * Compares what two services answered a create with, member by member, as far as they were sent and are declared:
 * what a service makes up says nothing. An empty text may be left out.
 *
 * @returns the first name whose values differ, or undefined
 */
export function sameMembers(mine: Judged, other: Judged): string | undefined {
  const { operation, request, answer } = mine;
  const [left, right] = [contentOf(mine), contentOf(other)];
  const isCreate = operation?.kind.kind === 'create' && classifyStatus(answer) === 'accepted';
  const { body } = request;
  if (!isCreate || left === undefined || right === undefined || answer.kind === 'none') {
    return undefined;
  }
  if (body.kind !== 'valid' || !isReadAlike(mine) || !isJsonObject(body.value)) {
    return undefined;
  }
  const sent = body.value;
  const schema = answer.content.kind === 'json' ? answer.content.media?.schema?.schema : undefined;
  const names = [...schemaProperties(schema)].flatMap(([name, { readOnly, writeOnly }]) =>
    readOnly || writeOnly || !Object.hasOwn(sent, name) ? [] : [name],
  );
  return names.find((name) => {
    const [one, two] = [left, right].map((content) =>
      Object.hasOwn(content, name) ? content[name] : undefined,
    );
    if (one === undefined || two === undefined) {
      return one !== two && sent[name] !== '';
    }
    return !jsonEqual(one, two);
  });
}
