import type { Judged } from '../../check/judged.ts';
import { headerValue } from '../../http/header-list.ts';
import { locateValues } from '../../json/locate-values.ts';
import type { MessageMarks } from './exchange-marks.ts';
import { markProblems } from './mark-problems.ts';
import { markSyntax } from './mark-syntax.ts';

/** The header fields that credentials travel in, as the document says. */
function credentialFields({ operation }: Judged): readonly string[] {
  const names = (operation?.security ?? []).flat().map((scheme) => {
    if (scheme.kind !== 'api-key') {
      return 'Authorization';
    }
    return scheme.in === 'header' ? scheme.parameter : scheme.in === 'cookie' ? 'Cookie' : '';
  });
  return [...new Set(names)].filter((name) => name !== '');
}

/** The fields that credentials came in, or would have come in. */
export function markCredentials(judged: Judged): MessageMarks {
  const { headers } = judged.exchange.request;
  const names = credentialFields(judged);
  const present = names.filter((name) => headerValue(headers, name) !== undefined);
  return present.length === 0
    ? { missing: names.slice(0, 1) }
    : { headers: present.map((name) => name.toLowerCase()) };
}

/** The media type of the content, or that there is none. */
export function markMediaType(judged: Judged): MessageMarks {
  return headerValue(judged.exchange.request.headers, 'content-type') === undefined
    ? { missing: ['Content-Type'] }
    : { headers: ['content-type'] };
}

/** Parameters that the document does not allow as they are. */
export function markParameters({ request }: Judged): MessageMarks {
  const inHeaders = request.invalidParameters.filter((parameter) => parameter.in === 'header');
  return {
    start: request.invalidParameters.some((parameter) => parameter.in === 'path' || parameter.in === 'query'),
    headers: [
      ...inHeaders.map(({ name }) => name.toLowerCase()),
      ...(request.invalidParameters.some((parameter) => parameter.in === 'cookie') ? ['cookie'] : []),
    ],
  };
}

/**
 * Where a body leaves what anybody would send: what its schema does not allow, what is odd about it, or what is
 * no JSON.
 *
 * @param text - the body as it is shown
 */
export function markBody({ request: { body } }: Judged, text: string): MessageMarks {
  switch (body.kind) {
    case 'invalid':
      return { body: markProblems(text, body.problems) };
    case 'malformed':
      return { body: markSyntax(text) };
    case 'valid': {
      if (body.grade.kind !== 'extreme') {
        return {};
      }
      const places = body.grade.oddities.map(({ place }) => place);
      // What is odd about all of a body is not to be pointed at.
      const found = locateValues(
        text,
        places.filter((place) => place !== ''),
      );
      return { body: found.flatMap((place) => (place === undefined ? [] : [place.member])) };
    }
    case 'other-media':
    case 'not-expected':
    case 'unjudged':
      return {};
  }
}

/** Whatever is odd about a request, where a finding hangs on it. */
export function markOddities(judged: Judged, text: string): MessageMarks {
  const { request } = judged;
  const isTrusted = ['good', 'not-required', 'unjudged'].includes(request.credentials);
  if (!isTrusted) {
    return markCredentials(judged);
  }
  if (request.invalidParameters.length > 0) {
    return markParameters(judged);
  }
  if (request.body.kind === 'other-media' || request.mediaTypeSpelling === 'unusual') {
    return markMediaType(judged);
  }
  return request.accept === 'met' ? markBody(judged, text) : { headers: ['accept'] };
}
