import type { Route } from '../contract/router.ts';
import type { Exchange, Framing } from '../http/message.ts';
import {
  checkCredentialsIgnored,
  checkInvalidBodyAccepted,
  checkInvalidParameterAccepted,
  checkMalformedBodyAccepted,
  checkMediaTypeAccepted,
} from './checks/accepted.ts';
import { checkCrossTalk, checkEcho } from './checks/echo.ts';
import {
  checkCredentialSpelling,
  checkInt64Range,
  checkMediaTypeSpelling,
  checkUndeclaredConstraint,
} from './checks/refused.ts';
import {
  checkResponseHeader,
  checkResponseJson,
  checkResponseMediaType,
  checkResponseSchema,
  checkResponseSize,
} from './checks/response.ts';
import {
  checkAllow,
  checkServerError,
  checkStatusRange,
  checkUndeclaredStatus,
  checkWwwAuthenticate,
} from './checks/status.ts';
import {
  checkBodilessStatus,
  checkBytesAfterAnswer,
  checkChunkedContent,
  checkContentLength,
  checkNoAnswer,
  checkTransferEncoding,
} from './checks/transport.ts';
import { checkDrift } from './drift/drift.ts';
import { type CheckId, type Finding, locateFinding } from './finding.ts';
import { observeAnswers } from './observations.ts';
import { readAnswer } from './reading/answer.ts';
import { readRequest } from './reading/request.ts';
import {
  type CheckContext,
  contextOf,
  type CredentialsReading,
  type ExchangeCheck,
  type Judged,
  type RequestReading,
  type Subject,
} from './reading/subject.ts';

/** Every check of a single exchange, the gravest first. */
const exchangeChecks: readonly ExchangeCheck[] = [
  checkNoAnswer,
  checkContentLength,
  checkChunkedContent,
  checkBytesAfterAnswer,
  checkStatusRange,
  checkServerError,
  checkCredentialsIgnored,
  checkInvalidBodyAccepted,
  checkMalformedBodyAccepted,
  checkMediaTypeAccepted,
  checkInvalidParameterAccepted,
  checkUndeclaredStatus,
  checkResponseMediaType,
  checkResponseSize,
  checkResponseJson,
  checkResponseSchema,
  checkResponseHeader,
  checkBodilessStatus,
  checkCrossTalk,
  checkEcho,
  checkDrift,
  checkUndeclaredConstraint,
  checkInt64Range,
  checkCredentialSpelling,
  checkMediaTypeSpelling,
  checkWwwAuthenticate,
  checkAllow,
  checkTransferEncoding,
];

/** What should have been refused was taken. */
const accepting = new Set<CheckId>([
  'invalid-body-accepted',
  'malformed-body-accepted',
  'media-type-accepted',
  'invalid-parameter-accepted',
]);
/** What an answer other than the one that was told explains. */
const saidByDrift = new Set<CheckId>(['undeclared-constraint', 'int64-range']);
/** What an answer holds that should not have been given is no fault of its own. */
const consequences = new Set<CheckId>(['response-schema', 'cross-talk', 'echo']);

/** Most checks have nothing to say, so no list is made for each. */
function applyChecks(subject: Subject, context: CheckContext): readonly Finding[] {
  const found: Finding[] = [];
  for (const check of exchangeChecks) {
    const finding = check(subject, context);
    if (finding !== undefined) {
      found.push(finding);
    }
  }
  return found;
}

/**
 * Judges an exchange, whoever made it.
 *
 * @param input.route - where the path of the request leads to, if anywhere
 * @param input.keyState - what is known of the key in the request, once its body was read
 * @param input.trust - what is known of its credentials besides, where it was not made here
 */
export function judgeExchange(input: {
  readonly exchange: Exchange;
  readonly route: Route | undefined;
  readonly framing: Framing;
  readonly keyState: (reading: Omit<RequestReading, 'key'>) => RequestReading['key'];
  readonly trust?: (reading: CredentialsReading) => CredentialsReading;
  readonly context: CheckContext;
}): Judged {
  const { exchange, route } = input;
  const operation = route?.operations.get(exchange.request.method);
  const context = contextOf(input.context, operation);
  const { trust = (credentials) => credentials } = input;
  const asItStands = readRequest({
    request: exchange.request,
    operation,
    pathParameters: route?.parameters ?? {},
    goodTokens: context.goodTokens,
    framing: input.framing,
  });
  const reading = { ...asItStands, credentials: trust(asItStands.credentials) };
  const request = { ...reading, key: input.keyState(reading) };
  const answer = readAnswer(exchange.answer, operation);
  const subject = { exchange, operation, knowsPath: route !== undefined, request, answer };
  const found = applyChecks(subject, context);
  if (found.length === 0) return { ...subject, findings: observeAnswers(subject) };
  const isTaken = found.some(({ check }) => accepting.has(check));
  const isForeign = found.some(({ check }) => check === 'cross-talk');
  const hasDrifted = found.some(({ check }) => check === 'drift');
  const causes = found.filter(
    ({ check }) =>
      !(isTaken && consequences.has(check)) &&
      !(isForeign && check === 'echo') &&
      !(hasDrifted && saidByDrift.has(check)),
  );
  const located = causes.map((finding) => locateFinding(finding, context.contract));
  const findings = [...located, ...observeAnswers(subject)];
  return { ...subject, findings };
}
