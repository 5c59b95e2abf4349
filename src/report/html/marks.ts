import { foreignTexts } from '../../check/checks/echo.ts';
import { findInvalidHeader } from '../../contract/check-headers.ts';
import type { CheckId, Finding } from '../../check/finding.ts';
import type { ClassifiedBody, CheckedExchange } from '../../check/classify/subject.ts';
import type { FoundCause } from '../../events/events.ts';
import { headerValue } from '../../http/message.ts';
import { isOfExchange } from '../view/finding-view.ts';
import { locateValues, type TextRange } from '../../json/locate.ts';
import { parseJson } from '../../json/parse.ts';
import { appendPointer } from '../../json/pointer.ts';

/** The marked parts of one message of an exchange. */
export interface MessageMarks {
  /** The method and target of a request, or the status of a response. */
  readonly start?: boolean;
  /** Names of header fields, in lower case. */
  readonly headers?: readonly string[];
  /** Missing header fields that matter, in their usual spelling. */
  readonly missing?: readonly string[];
  /** Ranges of the body as it is shown. */
  readonly body?: readonly TextRange[];
}

/** The marked parts of an exchange: those that a finding is about. */
export interface ExchangeMarks {
  readonly request: MessageMarks;
  readonly answer: MessageMarks;
}

/** The texts of the bodies of an exchange as they are shown, or of two values in them. */
interface ShownTexts {
  readonly sent: string;
  readonly received: string;
}

type Marker = (found: FoundCause, text: ShownTexts) => ExchangeMarks;

const status = { start: true } as const;

/** Marks the status, and the part of the request that caused it. */
const markStatus: Marker = ({ finding, exchange }, { sent }) => ({
  request: finding.trigger === undefined ? {} : markMutations(exchange, sent),
  answer: status,
});

/** Creates a marker of a part of the request, and of the status of its response. */
function markSent(mark: (exchange: CheckedExchange, sent: string) => MessageMarks): Marker {
  return ({ exchange }, { sent }) => ({ request: mark(exchange, sent), answer: status });
}

/** Creates a marker of a part of the response only. */
function markReceived(mark: (exchange: CheckedExchange, received: string) => MessageMarks): Marker {
  return ({ exchange }, { received }) => ({ request: {}, answer: mark(exchange, received) });
}

/** The marker of each check; a check without one marks the status. */
const markers: Partial<Record<CheckId, Marker>> = {
  'response-media-type': markAnswerField('Content-Type'),
  'content-length': markAnswerField('Content-Length'),
  'chunked-content': markAnswerField('Transfer-Encoding'),
  'transfer-encoding': markAnswerField('Transfer-Encoding', 'Content-Length'),
  'www-authenticate': markAnswerField('WWW-Authenticate'),
  allow: markAnswerField('Allow'),
  'response-header': markReceived(markDeclaredFields),
  'bodiless-status': markReceived((_, received) => ({
    ...status,
    body: [{ start: 0, end: received.length }],
  })),
  'response-json': markReceived((_, received) => ({ body: markSyntax(received) })),
  'response-schema': markReceived(markSchemaProblems),
  'invalid-body-accepted': markSent(markBody),
  'malformed-body-accepted': markSent(markBody),
  'undeclared-constraint': ({ finding, exchange }, { sent }) => ({
    request: markBoundary(finding, sent) ?? markBody(exchange, sent),
    answer: status,
  }),
  'media-type-accepted': markSent(markMediaType),
  'media-type-spelling': markSent(markMediaType),
  'invalid-parameter-accepted': markSent(markParameters),
  'credentials-ignored': markSent(markCredentials),
  'credential-spelling': markSent(markCredentials),
  echo: ({ finding }, text) => markEcho(finding, text),
  'cross-talk': markReceived(markForeignTexts),
  // The excess bytes are shown separately.
  'bytes-after-answer': () => ({ request: {}, answer: {} }),
};

/** Returns the parts of the exchange that a finding is about, for a reader to see first. */
export function markExchange(found: FoundCause, text: ShownTexts): ExchangeMarks {
  // A fault of several exchanges cannot be marked in one of them. A boundary can, although it needs others too.
  const mark =
    isOfExchange(found) || found.finding.boundary !== undefined
      ? (markers[found.finding.check] ?? markStatus)
      : markStatus;
  return mark(found, text);
}

/** Creates a marker of header fields of the response, present or missing. */
function markAnswerField(...names: readonly string[]): Marker {
  return ({ exchange: { answer } }) => {
    const isMissing = (name: string): boolean =>
      answer.kind === 'response' && headerValue(answer.response.headers, name) === undefined;
    const present = names.filter((name) => !isMissing(name)).map((name) => name.toLowerCase());
    return { request: {}, answer: { headers: present, missing: names.filter(isMissing) } };
  };
}

/** Marks the value beyond the boundary of the service; undefined if there is no location. */
function markBoundary({ boundary }: Finding, text: string): MessageMarks | undefined {
  // A pointer into any item of a list contains a star, and the whole body is too much to mark.
  if (boundary === undefined || boundary.place === '' || boundary.place.includes('/*')) return undefined;
  const [place] = locateValues(text, [boundary.place]);
  return place && { body: [place.member] };
}

type SchemaProblem = Extract<ClassifiedBody, { readonly kind: 'invalid' }>['problems'][number];

/** Returns the location of a problem, and whether the member name belongs to it. */
function placeOf(problem: SchemaProblem): { pointer: string; part: 'value' | 'member' | 'ends' } {
  switch (problem.keyword) {
    case 'required':
    case 'dependentRequired':
    case 'minProperties':
      // A missing member has no location: the ends of the object that lacks it are marked.
      return { pointer: problem.pointer, part: 'ends' };
    case 'additionalProperties':
    case 'unevaluatedProperties':
    case 'propertyNames':
      return { pointer: appendPointer(problem.pointer, problem.params.property), part: 'member' };
    default:
      return { pointer: problem.pointer, part: 'value' };
  }
}

/** Finds the parts of a JSON text that its schema does not allow. */
function markProblems(text: string, problems: readonly SchemaProblem[]): readonly TextRange[] {
  const places = problems.map(placeOf);
  const pointers = places.map(({ pointer }) => pointer);
  return locateValues(text, pointers).flatMap((found, index) => {
    if (found === undefined) return [];
    const { value, member } = found;
    const part = places[index]?.part;
    if (part !== 'ends') return [part === 'member' ? member : value];
    return [
      { start: value.start, end: value.start + 1 },
      { start: value.end - 1, end: value.end },
    ];
  });
}

/** Marks the declared fields that are missing or that do not match their schemas. */
function markDeclaredFields({ answer }: CheckedExchange): MessageMarks {
  if (answer.kind === 'none') return {};
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

/** Marks the parts that the schema of the response does not accept. */
function markSchemaProblems({ answer }: CheckedExchange, text: string): MessageMarks {
  if (answer.kind === 'none' || answer.content.kind !== 'json') return {};
  const { json, media } = answer.content;
  const judge = (formats: 'ignore' | 'assert') =>
    media?.schema?.validator({ formats, integers: 'by-value' })(json.value, json.exact) ?? [];
  const problems = judge('ignore');
  // Format errors are marked only if there are no others, as in the check.
  return { body: markProblems(text, problems.length > 0 ? problems : judge('assert')) };
}

/** Marks texts that were not in the request and that no service would generate. */
function markForeignTexts(judged: CheckedExchange, text: string): MessageMarks {
  const places = foreignTexts(judged).map(([property]) => appendPointer('', property));
  const found = locateValues(text, places);
  return { body: found.flatMap((place) => (place === undefined ? [] : [place.value])) };
}

/** A character of a string as it is written in a JSON text, possibly as an escape. */
interface Unit extends TextRange {
  readonly character: string;
}

const unit = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\.|[^\\]/gsu;

/** Returns the characters of a JSON string; `literal` includes the quotes. */
function unitsOf(literal: string): readonly Unit[] {
  return [...literal.slice(1, -1).matchAll(unit)].map(({ index, 0: written }) => ({
    start: index + 1,
    end: index + 1 + written.length,
    // `as`: an escape in quotes is a JSON string.
    character: written.startsWith('\\') ? (JSON.parse(`"${written}"`) as string) : written,
  }));
}

function countEqual(left: readonly Unit[], right: readonly Unit[]): number {
  const different = left.findIndex(({ character }, index) => character !== right[index]?.character);
  return different === -1 ? left.length : different;
}

/** Returns the range of units in their literal; empty if there are no units. */
function stretch(units: readonly Unit[]): readonly TextRange[] {
  const [first] = units;
  const last = units.at(-1);
  return first === undefined || last === undefined ? [] : [{ start: first.start, end: last.end }];
}

function whole(literal: string): readonly TextRange[] {
  return [{ start: 0, end: literal.length }];
}

/** Returns the ranges before and after a text that another contains, as after trimming. */
function around(longer: readonly Unit[], shorter: readonly Unit[]): readonly TextRange[] | undefined {
  const [outer, inner] = [longer, shorter].map((units) => units.map(({ character }) => character).join(''));
  const before = outer?.indexOf(inner ?? '') ?? -1;
  if (before < 0 || shorter.length === 0 || shorter.length >= longer.length) return undefined;
  let from = 0;
  for (let length = 0; length < before; from += 1) {
    length += longer[from]?.character.length ?? 1;
  }
  return [...stretch(longer.slice(0, from)), ...stretch(longer.slice(from + shorter.length))];
}

/**
 * Finds the differences of two JSON values as they are written. If one string contains the other, the difference is the
 * text around it. Else it is the text between the common start and the common end; escapes are compared decoded. A
 * side without additional text is marked whole, and so are other values.
 */
export function markDifference({
  sent,
  received,
}: ShownTexts): Record<keyof ShownTexts, readonly TextRange[]> {
  if (!sent.startsWith('"') || !received.startsWith('"')) {
    return { sent: whole(sent), received: whole(received) };
  }
  const left = unitsOf(sent);
  const right = unitsOf(received);
  const more = around(left, right);
  const added = around(right, left);
  if (more !== undefined || added !== undefined) {
    return { sent: more ?? whole(sent), received: added ?? whole(received) };
  }
  const start = countEqual(left, right);
  const end = countEqual(left.slice(start).toReversed(), right.slice(start).toReversed());
  const between = (units: readonly Unit[], literal: string): readonly TextRange[] => {
    const found = stretch(units.slice(start, units.length - end));
    return found.length === 0 ? whole(literal) : found;
  };
  return { sent: between(left, sent), received: between(right, received) };
}

/** Marks what differs in the response of a create: characters of a text, a value, or nothing. */
function markEcho({ cause }: Finding, text: ShownTexts): ExchangeMarks {
  const name = cause.replace(/ (?:missing|changed)$/u, '');
  const pointer = appendPointer('', name);
  const [sent] = locateValues(text.sent, [pointer]);
  const [received] = locateValues(text.received, [pointer]);
  if (sent === undefined || received === undefined) {
    return {
      request: { body: sent === undefined ? [] : [sent.member] },
      answer: { body: received === undefined ? [] : [received.member] },
    };
  }
  const difference = markDifference({
    sent: text.sent.slice(sent.value.start, sent.value.end),
    received: text.received.slice(received.value.start, received.value.end),
  });
  const move = (ranges: readonly TextRange[], by: number): readonly TextRange[] =>
    ranges.map(({ start, end }) => ({ start: start + by, end: end + by }));
  return {
    request: { body: move(difference.sent, sent.value.start) },
    answer: { body: move(difference.received, received.value.start) },
  };
}

/** Marks the character that is not valid JSON: an empty range at the end if the text ends too early. */
function markSyntax(text: string): readonly TextRange[] {
  const parsed = parseJson(text);
  if (parsed.kind === 'json') return [];
  let start = 0;
  for (let line = 1; line < parsed.line; line += 1) {
    start = text.indexOf('\n', start) + 1;
  }
  start += parsed.column - 1;
  const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
  return [{ start, end: start < text.length ? start + character.length : start }];
}

/** Marks the fields of credentials, or the missing field that the document requires. */
function markCredentials({ operation, exchange }: CheckedExchange): MessageMarks {
  const all = (operation?.security ?? []).flat().map((scheme) => {
    if (scheme.kind !== 'api-key') return 'Authorization';
    return { header: scheme.parameter, cookie: 'Cookie', query: '' }[scheme.in];
  });
  const names = [...new Set(all)].filter((name) => name !== '');
  const present = names.filter((name) => headerValue(exchange.request.headers, name) !== undefined);
  return present.length === 0
    ? { missing: names.slice(0, 1) }
    : { headers: present.map((name) => name.toLowerCase()) };
}

/** Marks the media type of the content, present or missing. */
function markMediaType(judged: CheckedExchange): MessageMarks {
  return headerValue(judged.exchange.request.headers, 'content-type') === undefined
    ? { missing: ['Content-Type'] }
    : { headers: ['content-type'] };
}

/** Marks the invalid parameters. */
function markParameters({ request: { invalidParameters } }: CheckedExchange): MessageMarks {
  const isIn = (...places: readonly string[]): boolean =>
    invalidParameters.some((parameter) => places.includes(parameter.in));
  const inHeaders = invalidParameters.filter((parameter) => parameter.in === 'header');
  return {
    start: isIn('path', 'query'),
    headers: [...inHeaders.map(({ name }) => name.toLowerCase()), ...(isIn('cookie') ? ['cookie'] : [])],
  };
}

/** Marks the unusual parts of a body: what its schema does not allow, its mutations, or its syntax error. */
function markBody({ request: { body } }: CheckedExchange, text: string): MessageMarks {
  if (body.kind === 'invalid') return { body: markProblems(text, body.problems) };
  if (body.kind === 'malformed') return { body: markSyntax(text) };
  if (body.kind !== 'valid' || body.grade.kind !== 'extreme') return {};
  const places = body.grade.mutations.map(({ place }) => place);
  // A mutation of the whole body cannot be marked.
  const found = locateValues(text, places).filter((_, index) => places[index] !== '');
  return { body: found.flatMap((place) => (place === undefined ? [] : [place.member])) };
}

/** Marks the mutation of a request that caused a finding. */
function markMutations(judged: CheckedExchange, text: string): MessageMarks {
  const { request } = judged;
  if (!['good', 'not-required', 'unjudged'].includes(request.credentials)) return markCredentials(judged);
  if (request.invalidParameters.length > 0) return markParameters(judged);
  if (request.body.kind === 'other-media' || request.mediaTypeSpelling === 'unusual') {
    return markMediaType(judged);
  }
  return request.accept === 'met' ? markBody(judged, text) : { headers: ['accept'] };
}
