import { appendPointer } from '../../json/pointer.ts';
import { isJsonObject, jsonEqual } from '../../json/value.ts';
import { type JsonSchema, schemasInPlace } from '../../schema/walk.ts';
import { type Check, defineCheck, exampleOf } from '../define-check.ts';
import { quoteDocument } from '../finding.ts';
import { compareValues, isDeclaredChange } from '../stateful/values.ts';
import { isCanary, readEcho } from '../classify/answer.ts';
import type { CheckInput } from '../classify/subject.ts';

/** The check `cross-talk`. */
export const crossTalkCheck: Check<'cross-talk'> = defineCheck({
  id: 'cross-talk',
  docs: {
    title: 'A response contained what another request had sent',
    place: 'the operation: a response belongs to its request',
    finds:
      'The response to a create contains a value that another request sent, at the same time or earlier.',
    example: {
      request: 'POST /orders {"id": 8}',
      answer: 'HTTP/1.1 200 OK\n\n{"id": 8, "note": "(that of order 7)"}',
    },
  },
  judge(subject, context) {
    const { operation } = subject;
    if (operation === undefined) return undefined;
    const foreign = foreignTexts(subject).find(([, text]) => context.wasSent(operation.id, text));
    if (foreign === undefined) return undefined;
    const [name] = foreign;
    return {
      clause: quoteDocument(
        (operation.kind.kind === 'create' ? operation.kind.success : undefined) ?? operation.pointer,
        'the response belongs to its request',
      ),
      expected: 'nothing of another request',
      received: `at ${appendPointer('', name)} what another request had sent`,
      cause: `${name} of another request`,
    };
  },
});

/**
 * Lists texts in the response to a create that are neither from its request nor likely to be generated. Empty for a
 * colliding id: the service may treat it as the earlier id and show that resource.
 */
export function foreignTexts(subject: CheckInput): readonly (readonly [property: string, text: string])[] {
  const echo = subject.request.key === 'colliding' ? undefined : readEcho(subject);
  if (echo === undefined) return [];
  const { sent, received, names, added, schemasOf } = echo;
  return [...names, ...added].flatMap((name) => {
    const text = received[name];
    const isForeign = typeof text === 'string' && text !== sent[name] && isCanary(text);
    return isForeign && !Object.values(sent).includes(text) && !isGiven(schemasOf(name).shown, text)
      ? [[name, text] as const]
      : [];
  });
}

/** Returns whether the schema contains the text itself; a service may take a generated value from there. */
function isGiven(schema: JsonSchema | undefined, text: string): boolean {
  return (
    isJsonObject(schema) &&
    schemasInPlace(schema, schema).some((part) =>
      ['enum', 'const', 'default', 'example', 'examples'].some((keyword) =>
        [part[keyword]].flat().includes(text),
      ),
    )
  );
}

/** Values that another request sent may come back too; the check `cross-talk` reports them. */
export const echoCheck: Check<'echo'> = defineCheck({
  id: 'echo',
  levels: ['violation', 'warning'],
  docs: {
    title: 'A create did not return what was sent',
    place: 'policy `echo`',
    finds:
      'The response to a create has another value than the request, in a property that the response schema declares. It is a violation if the policy has `echo: exact`, and a warning for a document without a policy.',
    example: {
      request: exampleOf('{"id": 7, "note": " two "}'),
      answer: 'HTTP/1.1 200 OK\n\n{"id": 7, "note": "two"}',
    },
  },
  judge(subject, { echo: level }) {
    const read = level === undefined ? undefined : readEcho(subject);
    if (level === undefined || read === undefined) return undefined;
    for (const name of read.names) {
      const before = read.sent[name];
      const after = Object.hasOwn(read.received, name) ? read.received[name] : undefined;
      // A response may omit an empty text, and response-schema checks required properties.
      const isFine = before === undefined || (after === undefined ? before === '' : jsonEqual(before, after));
      // A change that the document describes has priority over a policy.
      if (isFine || (after !== undefined && isDeclaredChange(before, after, read.schemasOf(name)))) continue;
      // Properties of a nested object may be read-only or write-only.
      const isNested = before !== undefined && (isJsonObject(before) || Array.isArray(before));
      if (isNested && compareValues(before, after, read.schemasOf(name)) === undefined) continue;
      // If the response must not have the sent value, the property has another meaning there.
      if (!read.mayShow(name)) continue;
      const isMissing = after === undefined;
      const place = appendPointer('', ...read.path, name);
      return {
        level,
        clause: { kind: 'policy', question: 'echo', quote: 'A create returns exactly what was sent' },
        expected: `${place} as it was sent`,
        received: `${isMissing ? 'an answer without' : 'another value for'} ${place}`,
        cause: `${name} ${isMissing ? 'missing' : 'changed'}`,
      };
    }
    return undefined;
  },
});
