import type { Check } from '../define-check.ts';
import { driftCheck } from '../drift/drift.ts';
import type { CheckId } from '../finding.ts';
import { leftOpenCheck } from '../observations.ts';
import {
  credentialsIgnoredCheck,
  int64RangeCheck,
  invalidBodyAcceptedCheck,
  invalidParameterAcceptedCheck,
  malformedBodyAcceptedCheck,
  mediaTypeAcceptedCheck,
} from './accepted.ts';
import { crossTalkCheck, echoCheck } from './echo.ts';
import {
  credentialSpellingCheck,
  mediaTypeSpellingCheck,
  neverSucceedsCheck,
  undeclaredConstraintCheck,
} from './refused.ts';
import {
  responseHeaderCheck,
  responseJsonCheck,
  responseMediaTypeCheck,
  responseSchemaCheck,
  responseSizeCheck,
} from './response.ts';
import {
  duplicateKeyCheck,
  equalRequestsCheck,
  forgottenKeyCheck,
  parityCheck,
  raceCheck,
  refusedLeavesTraceCheck,
  twinKeysCheck,
} from './sequence.ts';
import {
  allowCheck,
  serverErrorCheck,
  statusRangeCheck,
  undeclaredStatusCheck,
  wwwAuthenticateCheck,
} from './status.ts';
import {
  bodilessStatusCheck,
  bytesAfterAnswerCheck,
  chunkedContentCheck,
  connectionDroppedCheck,
  contentLengthCheck,
  notHttpCheck,
  timedOutCheck,
  transferEncodingCheck,
} from './transport.ts';

/** Every check by its id, those of one exchange first, in the order in which they judge it: the gravest first. */
export const checks: { readonly [Id in CheckId]: Check<Id> } = {
  'timed-out': timedOutCheck,
  'connection-dropped': connectionDroppedCheck,
  'not-http': notHttpCheck,
  'content-length': contentLengthCheck,
  'chunked-content': chunkedContentCheck,
  'bytes-after-answer': bytesAfterAnswerCheck,
  'status-range': statusRangeCheck,
  'server-error': serverErrorCheck,
  'credentials-ignored': credentialsIgnoredCheck,
  'invalid-body-accepted': invalidBodyAcceptedCheck,
  'malformed-body-accepted': malformedBodyAcceptedCheck,
  'media-type-accepted': mediaTypeAcceptedCheck,
  'invalid-parameter-accepted': invalidParameterAcceptedCheck,
  'undeclared-status': undeclaredStatusCheck,
  'response-media-type': responseMediaTypeCheck,
  'response-size': responseSizeCheck,
  'response-json': responseJsonCheck,
  'response-schema': responseSchemaCheck,
  'response-header': responseHeaderCheck,
  'bodiless-status': bodilessStatusCheck,
  'cross-talk': crossTalkCheck,
  echo: echoCheck,
  drift: driftCheck,
  'undeclared-constraint': undeclaredConstraintCheck,
  'int64-range': int64RangeCheck,
  'credential-spelling': credentialSpellingCheck,
  'media-type-spelling': mediaTypeSpellingCheck,
  'www-authenticate': wwwAuthenticateCheck,
  allow: allowCheck,
  'transfer-encoding': transferEncodingCheck,
  'left-open': leftOpenCheck,
  'never-succeeds': neverSucceedsCheck,
  'refused-leaves-trace': refusedLeavesTraceCheck,
  'twin-keys': twinKeysCheck,
  'duplicate-key': duplicateKeyCheck,
  'equal-requests': equalRequestsCheck,
  'forgotten-key': forgottenKeyCheck,
  race: raceCheck,
  parity: parityCheck,
};
