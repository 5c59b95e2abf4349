import type { Clause } from '../check/finding.ts';
import type { CheckId } from '../check/check-id.ts';

/** What each check has found, as the heading of its finding. */
export const findingTitles: Readonly<Record<CheckId, string>> = {
  'server-error': 'The service failed',
  'timed-out': 'A request was never answered',
  'connection-dropped': 'A connection broke off without an answer',
  'not-http': 'An answer was not HTTP',
  'response-size': 'An answer was longer than is read',
  'content-length': 'A Content-Length was not true',
  'chunked-content': 'Content in chunks was broken',
  'transfer-encoding': 'Content-Length came beside Transfer-Encoding',
  'bytes-after-answer': 'Bytes came after the end of an answer',
  'bodiless-status': 'Content came where HTTP allows none',
  'status-range': 'A status came that is none of HTTP',
  'undeclared-status': 'A status came that the document does not declare',
  'response-media-type': 'An answer was in no media type that the document declares',
  'response-json': 'Content sent as JSON was not JSON',
  'response-schema': 'An answer broke its schema',
  'response-header': 'A header field was missing, or broke its schema',
  'invalid-body-accepted': 'A body that breaks its schema was accepted',
  'malformed-body-accepted': 'A body that is not JSON was accepted',
  'media-type-accepted': 'A body in no declared notation was accepted',
  'invalid-parameter-accepted': 'A parameter that breaks its schema was accepted',
  'credentials-ignored': 'A request was let in without good credentials',
  'credential-spelling': 'Good credentials were turned away for their spelling',
  'www-authenticate': '401 came without WWW-Authenticate',
  allow: '405 came without Allow',
  echo: 'A create did not answer with what was sent',
  'undeclared-constraint':
    'A valid body was refused: the service holds to a constraint that the document does not name',
  'int64-range': 'A number outside its format was accepted',
  'media-type-spelling': 'A declared media type was refused for its spelling',
  'refused-leaves-trace': 'A refused request left something behind',
  'twin-keys': 'Two different keys were taken for one',
  'duplicate-key': 'A key was sent again',
  'cross-talk': 'An answer held what another request had sent',
  'equal-requests': 'A request was refused and, sent again, taken',
  'forgotten-key': 'A key that was refused as existing was taken later',
  race: 'One key was created more than once by requests side by side',
  'never-succeeds': 'No valid body was ever accepted',
  'left-open': 'The document leaves a question open',
  drift: 'The service answered otherwise than its policy says',
  parity: 'Two services answered one request differently',
};

/** The clause of a finding as one line, with its place. */
export function renderClause(clause: Clause, source: string): string {
  switch (clause.kind) {
    case 'document':
      return `${clause.file ?? source}#${clause.pointer} — ${clause.quote}`;
    case 'rfc':
      return `${clause.name} §${clause.section} — “${clause.quote}”`;
    case 'policy':
      return `policy ${clause.question} — ${clause.quote}`;
  }
}
