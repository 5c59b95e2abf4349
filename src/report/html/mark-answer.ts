import { foreignTexts } from '../../check/cross-talk.ts';
import { findInvalidHeader } from '../../check/find-invalid-header.ts';
import type { Judged } from '../../check/judged.ts';
import { headerValue } from '../../http/header-list.ts';
import { appendPointer } from '../../json/json-pointer.ts';
import { locateValues } from '../../json/locate-values.ts';
import type { MessageMarks } from './exchange-marks.ts';
import { markProblems } from './mark-problems.ts';

/** A field of the answer, or that it is not there. */
export function markField({ exchange: { answer } }: Judged, name: string): MessageMarks {
  return answer.kind === 'response' && headerValue(answer.response.headers, name) === undefined
    ? { missing: [name] }
    : { headers: [name.toLowerCase()] };
}

/** The declared fields that are missing or that their schemas do not accept. */
export function markDeclaredFields({ answer }: Judged): MessageMarks {
  if (answer.kind === 'none') {
    return {};
  }
  const declared = answer.declared?.headers ?? [];
  const { headers } = answer.response;
  return {
    missing: declared
      .filter(({ name, required }) => required && headerValue(headers, name) === undefined)
      .map(({ name }) => name),
    headers: declared
      .filter((header) => findInvalidHeader(header, headers) !== undefined)
      .map(({ name }) => name.toLowerCase()),
  };
}

/**
 * What the schema of the answer does not accept.
 *
 * @param text - the body as it is shown
 */
export function markSchemaProblems({ answer }: Judged, text: string): MessageMarks {
  if (answer.kind === 'none' || answer.content.kind !== 'json') {
    return {};
  }
  const { json, media } = answer.content;
  const judge = (formats: 'ignore' | 'assert') =>
    media?.schema?.validator({ formats, integers: 'by-value' })(json.value, json.exact) ?? [];
  const problems = judge('ignore');
  // A value that only leaves its format is told apart, as the check does.
  return { body: markProblems(text, problems.length > 0 ? problems : judge('assert')) };
}

/**
 * Texts that were not in the request, though nobody would make them up.
 *
 * @param text - the body as it is shown
 */
export function markForeignTexts(judged: Judged, text: string): MessageMarks {
  const places = foreignTexts(judged).map(([property]) => appendPointer('', property));
  const found = locateValues(text, places);
  return { body: found.flatMap((place) => (place === undefined ? [] : [place.value])) };
}
