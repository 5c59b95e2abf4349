import { appendPointer } from '../json/json-pointer.ts';
import { nameOperation } from './describe-subject.ts';
import type { ExchangeCheck, Subject } from './exchange-check.ts';
import { readEcho } from './read-echo.ts';
import { isTelltale } from './telltale-texts.ts';

/**
 * The texts in the answer to a create that were not in its request, though nobody would make them up: whoever sent
 * them, this request did not. A twin of a key may be that key to the service, so that its answer shows nothing.
 *
 * @returns each with its property
 */
export function foreignTexts(subject: Subject): readonly (readonly [property: string, text: string])[] {
  const echo = subject.request.key === 'twin' ? undefined : readEcho(subject);
  if (echo === undefined) {
    return [];
  }
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
  if (foreign === undefined || operation === undefined) {
    return undefined;
  }
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
