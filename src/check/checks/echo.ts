import { appendPointer } from '../../json/pointer.ts';
import { jsonEqual } from '../../json/value.ts';
import { nameOperation } from '../describe.ts';
import { type Echo, isTelltale, readEcho } from '../reading/answer.ts';
import type { ExchangeCheck, Subject } from '../reading/subject.ts';

/**
 * The texts in the answer to a create that were not in its request, though nobody would make them up: whoever sent
 * them, this request did not. A twin of a key may be that key to the service, so that its answer shows nothing.
 *
 * @returns each with its property
 */
export function foreignTexts(subject: Subject): readonly (readonly [property: string, text: string])[] {
  const echo = subject.request.key === 'twin' ? undefined : readEcho(subject);
  if (echo === undefined) return [];
  const { sent, received, names, added } = echo;
  return [...names, ...added].flatMap((name) => {
    const text = received[name];
    const isForeign = typeof text === 'string' && text !== sent[name] && isTelltale(text);
    return isForeign && !Object.values(sent).includes(text) ? [[name, text] as const] : [];
  });
}

/**
 * Finds the answer to a create that holds what another request had sent: one that was under way at the same time,
 * or an earlier one. Random letters tell whose text it is. An answer to a key that may exist already may show what
 * was created under it, so it is not judged.
 *
 * @example the tag of the request before, in the answer to a request without one
 */
export const checkCrossTalk: ExchangeCheck = (subject, context) => {
  const { operation } = subject;
  const [foreign] = foreignTexts(subject).filter(
    ([, text]) => operation !== undefined && context.wasSent(operation.id, text),
  );
  if (foreign === undefined || operation === undefined) return undefined;
  const place = appendPointer('', foreign[0]);
  return {
    check: 'cross-talk',
    level: 'violation',
    operation: nameOperation(subject),
    clause: {
      kind: 'document',
      pointer: operation.kind.kind === 'create' ? operation.kind.success : operation.pointer,
      quote: 'the answer is to the request that it follows',
    },
    expected: 'nothing of another request',
    received: `at ${place} what another request had sent`,
    cause: `${foreign[0]} of another request`,
  };
};

/** An empty text may be left out of an answer, and what the schema requires is judged by response-schema. */
function differs({ sent, received }: Echo, name: string): 'missing' | 'changed' | undefined {
  const before = sent[name];
  const after = Object.hasOwn(received, name) ? received[name] : undefined;
  if (before === undefined || (after === undefined && before === '')) return undefined;
  if (after === undefined) return 'missing';
  return jsonEqual(before, after) ? undefined : 'changed';
}

const receivedWords = {
  missing: 'an answer without',
  changed: 'another value for',
} as const;

/**
 * Finds a create whose answer is not what was sent, property by property as far as the schema of the answer
 * declares them for both ways: texts code point for code point, numbers by value. What was not sent may come
 * back too; that another request sent it is a finding of its own.
 *
 * @example a name that comes back trimmed
 */
export const checkEcho: ExchangeCheck = (subject, context) => {
  const echo = context.echo === undefined ? undefined : readEcho(subject);
  if (echo === undefined || context.echo === undefined) return undefined;
  const name = echo.names.find((candidate) => differs(echo, candidate) !== undefined);
  const how = name === undefined ? undefined : differs(echo, name);
  if (name === undefined || how === undefined) return undefined;
  return {
    check: 'echo',
    level: context.echo,
    operation: nameOperation(subject),
    clause: { kind: 'policy', question: 'echo', quote: 'A create answers with exactly what was sent' },
    expected: `${appendPointer('', name)} as it was sent`,
    received: `${receivedWords[how]} ${appendPointer('', name)}`,
    cause: `${name} ${how}`,
  };
};
