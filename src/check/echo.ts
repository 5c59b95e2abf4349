import { isJsonObject } from '../json/is-json-object.ts';
import { schemaProperties } from '../contract/schema-properties.ts';
import { jsonEqual } from '../json/json-equal.ts';
import { appendPointer } from '../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import type { CheckContext } from './check-context.ts';
import { nameOperation } from './describe-subject.ts';
import type { ExchangeCheck, Subject } from './exchange-check.ts';
import { classifyStatus } from './status-class.ts';

interface Echo {
  /** Properties of the answer that were not sent, the ones that only a service sets left out. */
  readonly added: readonly string[];
  readonly sent: JsonObject;
  readonly received: JsonObject;
  readonly names: readonly string[];
}

function readEcho({ answer, request, operation }: Subject): Echo | undefined {
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

/** An empty text may be left out of an answer, and what the schema requires is judged by response-schema. */
function differs({ sent, received }: Echo, name: string): 'missing' | 'changed' | undefined {
  const before = sent[name];
  const after = Object.hasOwn(received, name) ? received[name] : undefined;
  if (before === undefined || (after === undefined && before === '')) {
    return undefined;
  }
  if (after === undefined) {
    return 'missing';
  }
  return jsonEqual(before, after) ? undefined : 'changed';
}

const receivedWords = {
  missing: 'an answer without',
  changed: 'another value for',
  leaked: 'the value of an earlier request for',
} as const;

/** A property that was not sent may have a default; it may not have what somebody else sent. */
function isLeaked(value: JsonValue | undefined, { sentTexts }: CheckContext): boolean {
  return typeof value === 'string' && sentTexts.has(value);
}

/**
 * Finds a create whose answer is not what was sent, property by property as far as the schema of the answer
 * declares them for both ways: texts code point for code point, numbers by value. What was not sent may come
 * back too, unless an earlier request sent it.
 *
 * @example a name that comes back trimmed
 */
export const checkEcho: ExchangeCheck = (subject: Subject, context: CheckContext) => {
  const echo = context.echo === undefined ? undefined : readEcho(subject);
  if (echo === undefined || context.echo === undefined) {
    return undefined;
  }
  const leaked = echo.added.find((candidate) => isLeaked(echo.received[candidate], context));
  const name = echo.names.find((candidate) => differs(echo, candidate) !== undefined) ?? leaked;
  if (name === undefined) {
    return undefined;
  }
  const how = differs(echo, name) ?? 'leaked';
  return {
    check: 'echo',
    level: context.echo,
    operation: nameOperation(subject),
    clause: { kind: 'policy', question: 'echo', quote: 'A create answers with exactly what was sent' },
    expected: how === 'leaked' ? `nothing of another request` : `${appendPointer('', name)} as it was sent`,
    received: `${receivedWords[how]} ${appendPointer('', name)}`,
    cause: `${name} ${how}`,
  };
};
