import { appendPointer } from '../json/json-pointer.ts';
import { describeReceived, nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';
import { classifyStatus } from './status-class.ts';

const words = {
  missing: 'no credentials',
  other: 'credentials of another kind',
  'unknown-token': 'a token that nobody issued',
} as const;

/**
 * Finds a request that is let in without the credentials that its operation asks for
 * (OpenAPI 3.1 §4.8.30).
 *
 * @example 200 for a request without Authorization
 */
export const checkCredentialsIgnored: ExchangeCheck = (subject, context) => {
  const { answer, request, operation } = subject;
  const { credentials } = request;
  if (credentials !== 'missing' && credentials !== 'other' && credentials !== 'unknown-token') {
    return undefined;
  }
  if (operation === undefined || classifyStatus(answer) !== 'accepted') {
    return undefined;
  }
  const anyToken = context.policy['accepted-tokens'] === 'any' || context.goodTokens.length === 0;
  if (credentials === 'unknown-token' && anyToken) {
    return undefined;
  }
  const schemes = operation.security.map((all) => all.map(({ name }) => name).join(' and ')).join(' or ');
  return {
    check: 'credentials-ignored',
    level: 'violation',
    operation: nameOperation(subject),
    clause: {
      kind: 'document',
      pointer: operation.security.length > 0 ? appendPointer('', 'security') : operation.pointer,
      quote: `asks for ${schemes}`,
    },
    expected: `a refusal of ${words[credentials]}`,
    received: describeReceived(answer),
    cause: words[credentials],
  };
};
