import type { Check } from '../define-check.ts';
import { driftCheck } from '../drift/drift.ts';
import type { BuiltInCheckId } from '../finding.ts';
import { leftOpenCheck } from '../notes.ts';
import { statefulChecks } from '../stateful/stateful-checks.ts';
import * as accepted from './accepted.ts';
import { callbackSchemaCheck } from './callback.ts';
import * as echo from './echo.ts';
import * as refused from './refused.ts';
import * as response from './response.ts';
import * as sequence from './sequence.ts';
import * as status from './status.ts';
import * as transport from './transport.ts';

/** All checks by id. Checks of one exchange are first, in the order in which they judge it: the gravest first. */
export const checks: { readonly [Id in BuiltInCheckId]: Check<Id> } = {
  'timed-out': transport.timedOutCheck,
  'connection-dropped': transport.connectionDroppedCheck,
  'not-http': transport.notHttpCheck,
  'content-length': transport.contentLengthCheck,
  'chunked-content': transport.chunkedContentCheck,
  'bytes-after-answer': transport.bytesAfterAnswerCheck,
  'status-range': status.statusRangeCheck,
  'server-error': status.serverErrorCheck,
  'credentials-ignored': accepted.credentialsIgnoredCheck,
  'invalid-body-accepted': accepted.invalidBodyAcceptedCheck,
  'malformed-body-accepted': accepted.malformedBodyAcceptedCheck,
  'media-type-accepted': accepted.mediaTypeAcceptedCheck,
  'invalid-parameter-accepted': accepted.invalidParameterAcceptedCheck,
  'undeclared-status': status.undeclaredStatusCheck,
  'response-media-type': response.responseMediaTypeCheck,
  'response-size': response.responseSizeCheck,
  'too-slow': response.tooSlowCheck,
  'response-json': response.responseJsonCheck,
  'response-schema': response.responseSchemaCheck,
  'response-header': response.responseHeaderCheck,
  'bodiless-status': transport.bodilessStatusCheck,
  'cross-talk': echo.crossTalkCheck,
  echo: echo.echoCheck,
  drift: driftCheck,
  'undeclared-constraint': refused.undeclaredConstraintCheck,
  'int64-range': accepted.int64RangeCheck,
  'credential-spelling': refused.credentialSpellingCheck,
  'media-type-spelling': refused.mediaTypeSpellingCheck,
  'www-authenticate': status.wwwAuthenticateCheck,
  allow: status.allowCheck,
  'transfer-encoding': transport.transferEncodingCheck,
  'left-open': leftOpenCheck,
  'never-succeeds': refused.neverSucceedsCheck,
  'refused-leaves-trace': sequence.refusedLeavesTraceCheck,
  'twin-keys': sequence.collidingIdsCheck,
  'duplicate-key': sequence.duplicateKeyCheck,
  'equal-requests': sequence.equalRequestsCheck,
  'forgotten-key': sequence.forgottenKeyCheck,
  race: sequence.raceCheck,
  'callback-schema': callbackSchemaCheck,
  parity: sequence.parityCheck,
  ...statefulChecks,
};
