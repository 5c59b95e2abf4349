import { jsonEqual } from '../json/json-equal.ts';
import { appendPointer } from '../json/json-pointer.ts';
import { nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';
import { type Echo, readEcho } from './read-echo.ts';

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
  if (echo === undefined || context.echo === undefined) {
    return undefined;
  }
  const name = echo.names.find((candidate) => differs(echo, candidate) !== undefined);
  const how = name === undefined ? undefined : differs(echo, name);
  if (name === undefined || how === undefined) {
    return undefined;
  }
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
