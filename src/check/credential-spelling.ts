import { headerValue } from '../http/header-list.ts';
import { describeReceived, nameOperation } from './describe-subject.ts';
import type { ExchangeCheck } from './exchange-check.ts';
import { classifyStatus } from './status-class.ts';

/** A scheme as everybody writes it, and more than one space behind it. */
const onlySpaced = /^(?:Bearer|Basic) [ \t]/u;

const spelledScheme = {
  section: '11.1',
  quote: 'It uses a case-insensitive token to identify the authentication scheme',
};
const spacedToken = {
  section: '11.4',
  quote: 'credentials = auth-scheme [ 1*SP ( token68 / #auth-param ) ]',
};

/**
 * Advises on a good token that is turned away for the case of its scheme, which is not significant, or for
 * a second space (RFC 9110 §11.1, §11.4).
 *
 * @example 401 for `bearer` in lower case
 */
export const checkCredentialSpelling: ExchangeCheck = (subject, context) => {
  const { answer, request, operation } = subject;
  if (operation === undefined || !context.taken.has(operation.id)) {
    return undefined;
  }
  if (request.credentials !== 'good-unusual' || answer.kind === 'none') {
    return undefined;
  }
  const { status } = answer.response;
  const wasPlain =
    request.body.kind === 'not-expected' ||
    (request.body.kind === 'valid' && request.body.grade.kind === 'plain');
  // 401 is about credentials, whatever else there is to the request (RFC 9110 §15.5.2).
  const isOfCredentials = status === 401 || (wasPlain && request.key !== 'sent');
  if (!isOfCredentials || classifyStatus(answer) === 'accepted' || status < 300 || status >= 500) {
    return undefined;
  }
  const { headers } = subject.exchange.request;
  const isSpaced = onlySpaced.test(headerValue(headers, 'authorization')?.trim() ?? '');
  return {
    check: 'credential-spelling',
    level: 'advice',
    operation: nameOperation(subject),
    clause: { kind: 'rfc', name: 'RFC 9110', ...(isSpaced ? spacedToken : spelledScheme) },
    expected: isSpaced
      ? 'the good token is taken, however many spaces stand before it'
      : 'the good token is taken, however its scheme is spelled',
    received: describeReceived(answer),
    cause: 'turned away',
    // What compares the whole field finds no token after either; so the case of the scheme stands for both.
    ...(isSpaced ? { trigger: 'two spaces before the token' } : {}),
  };
};
