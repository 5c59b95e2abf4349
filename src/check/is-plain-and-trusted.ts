import type { Judged } from './judged.ts';

/** Whether a request is one that anybody would send: good credentials, where any are asked for, and a plain valid body. */
export function isPlainAndTrusted({ request }: Judged): boolean {
  const { credentials, body, accept, invalidParameters, framing, mediaTypeSpelling } = request;
  return (
    (credentials === 'good' || credentials === 'not-required') &&
    body.kind === 'valid' &&
    body.grade.kind === 'plain' &&
    accept === 'met' &&
    invalidParameters.length === 0 &&
    framing === 'content-length' &&
    mediaTypeSpelling === 'usual'
  );
}
