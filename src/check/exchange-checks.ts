import { checkAllow } from './allow.ts';
import { checkBodilessStatus } from './bodiless-status.ts';
import { checkBytesAfterAnswer } from './bytes-after-answer.ts';
import { checkChunkedContent } from './chunked-content.ts';
import { checkContentLength } from './content-length.ts';
import { checkCredentialSpelling } from './credential-spelling.ts';
import { checkCredentialsIgnored } from './credentials-ignored.ts';
import { checkCrossTalk } from './cross-talk.ts';
import { checkDrift } from './drift.ts';
import { checkEcho } from './echo.ts';
import type { ExchangeCheck } from './exchange-check.ts';
import { checkInt64Range } from './int64-range.ts';
import { checkInvalidBodyAccepted } from './invalid-body-accepted.ts';
import { checkInvalidParameterAccepted } from './invalid-parameter-accepted.ts';
import { checkMalformedBodyAccepted } from './malformed-body-accepted.ts';
import { checkMediaTypeAccepted } from './media-type-accepted.ts';
import { checkMediaTypeSpelling } from './media-type-spelling.ts';
import { checkNoAnswer } from './no-answer.ts';
import { checkResponseHeader } from './response-header.ts';
import { checkResponseJson } from './response-json.ts';
import { checkResponseMediaType } from './response-media-type.ts';
import { checkResponseSchema } from './response-schema.ts';
import { checkResponseSize } from './response-size.ts';
import { checkServerError } from './server-error.ts';
import { checkStatusRange } from './status-range.ts';
import { checkTransferEncoding } from './transfer-encoding.ts';
import { checkUndeclaredConstraint } from './undeclared-constraint.ts';
import { checkUndeclaredStatus } from './undeclared-status.ts';
import { checkWwwAuthenticate } from './www-authenticate.ts';

/** Every check of a single exchange, the gravest first. */
export const exchangeChecks: readonly ExchangeCheck[] = [
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
