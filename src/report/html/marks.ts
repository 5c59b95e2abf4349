import { foreignTexts } from '../../check/checks/echo.ts';
import { findInvalidHeader } from '../../check/checks/response.ts';
import type { CheckId, Finding } from '../../check/finding.ts';
import type { BodyReading, CheckedExchange } from '../../check/reading/subject.ts';
import type { FoundCause } from '../../events/events.ts';
import { headerValue } from '../../http/message.ts';
import { locateValues, type TextRange } from '../../json/locate.ts';
import { parseJson } from '../../json/parse.ts';
import { appendPointer } from '../../json/pointer.ts';

/** What is marked in one message of an exchange. */
export interface MessageMarks {
  /** The method and target of a request, the status of an answer. */
  readonly start?: boolean;
  /** Names of header fields, in lower case. */
  readonly headers?: readonly string[];
  /** Header fields that are not there and matter, as they are usually written. */
  readonly missing?: readonly string[];
  /** Stretches of the body as it is shown. */
  readonly body?: readonly TextRange[];
}

/** What is marked in an exchange: the parts that a finding is about. */
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

/** The status that came, and what of the request brought it about. */
const markStatus: Marker = ({ finding, exchange }, { sent }) => ({
  request: finding.trigger === undefined ? {} : markOddities(exchange, sent),
  answer: status,
});

/** A part of the request, and the status that it was answered with. */
function markSent(mark: (exchange: CheckedExchange, sent: string) => MessageMarks): Marker {
  return ({ exchange }, { sent }) => ({ request: mark(exchange, sent), answer: status });
}

/** A part of the answer alone. */
function markReceived(mark: (exchange: CheckedExchange, received: string) => MessageMarks): Marker {
  return ({ exchange }, { received }) => ({ request: {}, answer: mark(exchange, received) });
}

/** What a check points at; where none stands here it is the status. */
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
  // What came too much is laid out by itself.
  'bytes-after-answer': () => ({ request: {}, answer: {} }),
};

/** Picks the parts of the exchange that a finding is about, so that a reader sees them first. */
export function markExchange(found: FoundCause, text: ShownTexts): ExchangeMarks {
  const isOfExchange = found.exchange.findings.some(
    ({ check, cause }) => check === found.finding.check && cause === found.finding.cause,
  );
  // What several exchanges show together is in none of them alone; a boundary is, though others are needed to see it.
  const mark =
    isOfExchange || found.finding.boundary !== undefined
      ? (markers[found.finding.check] ?? markStatus)
      : markStatus;
  return mark(found, text);
}

/** Fields of the answer, or that they are not there. */
function markAnswerField(...names: readonly string[]): Marker {
  return ({ exchange: { answer } }) => {
    const isMissing = (name: string): boolean =>
      answer.kind === 'response' && headerValue(answer.response.headers, name) === undefined;
    const present = names.filter((name) => !isMissing(name)).map((name) => name.toLowerCase());
    return { request: {}, answer: { headers: present, missing: names.filter(isMissing) } };
  };
}

/** The value past the boundary of what the service takes; undefined where there is no such place. */
function markBoundary({ boundary }: Finding, text: string): MessageMarks | undefined {
  // A place in any item of a list has a star, and the whole body is not to be pointed at.
  if (boundary === undefined || boundary.place === '' || boundary.place.includes('/*')) return undefined;
  const [place] = locateValues(text, [boundary.place]);
  return place && { body: [place.member] };
}

type SchemaProblem = Extract<BodyReading, { readonly kind: 'invalid' }>['problems'][number];

/** Where a problem of a value stands, and whether its key belongs to it. */
function placeOf(problem: SchemaProblem): { pointer: string; part: 'value' | 'member' | 'ends' } {
  switch (problem.keyword) {
    case 'required':
    case 'dependentRequired':
    case 'minProperties':
      // Nothing stands where something is missing: the ends of the object that lacks it are marked.
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

/** The declared fields that are missing or that their schemas do not accept. */
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

/** What the schema of the answer does not accept. */
function markSchemaProblems({ answer }: CheckedExchange, text: string): MessageMarks {
  if (answer.kind === 'none' || answer.content.kind !== 'json') return {};
  const { json, media } = answer.content;
  const judge = (formats: 'ignore' | 'assert') =>
    media?.schema?.validator({ formats, integers: 'by-value' })(json.value, json.exact) ?? [];
  const problems = judge('ignore');
  // A value that only leaves its format is told apart, as the check does.
  return { body: markProblems(text, problems.length > 0 ? problems : judge('assert')) };
}

/** Texts that were not in the request, though nobody would make them up. */
function markForeignTexts(judged: CheckedExchange, text: string): MessageMarks {
  const places = foreignTexts(judged).map(([property]) => appendPointer('', property));
  const found = locateValues(text, places);
  return { body: found.flatMap((place) => (place === undefined ? [] : [place.value])) };
}

/** A character of a string as it is written in a JSON text, where it may be an escape. */
interface Unit extends TextRange {
  readonly character: string;
}

const unit = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\.|[^\\]/gsu;

/** The characters of a JSON string, whose text begins and ends with a quote. */
function unitsOf(literal: string): readonly Unit[] {
  return [...literal.slice(1, -1).matchAll(unit)].map(({ index, 0: written }) => ({
    start: index + 1,
    end: index + 1 + written.length,
    // `as`: what stands in a JSON string is the text of one.
    character: written.startsWith('\\') ? (JSON.parse(`"${written}"`) as string) : written,
  }));
}

function countEqual(left: readonly Unit[], right: readonly Unit[]): number {
  const different = left.findIndex(({ character }, index) => character !== right[index]?.character);
  return different === -1 ? left.length : different;
}

/** Units as one stretch of their literal; none where there are none. */
function stretch(units: readonly Unit[]): readonly TextRange[] {
  const [first] = units;
  const last = units.at(-1);
  return first === undefined || last === undefined ? [] : [{ start: first.start, end: last.end }];
}

function whole(literal: string): readonly TextRange[] {
  return [{ start: 0, end: literal.length }];
}

/** What one text has around another that stands in it, as one that was trimmed does. */
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
 * Finds where two JSON values differ as they are written. Of two strings, one of which stands in the other, it
 * is what the other has around it; else the characters between what they begin and end with alike, escapes read
 * as what they stand for. A side with nothing that the other has not is marked whole, and so are other values.
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

/** What the answer of a create has instead of what was sent: characters of a text, a value, or nothing. */
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

/** The character that keeps a text from being JSON: an empty stretch at the end where the text ends too early. */
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

/** The fields that credentials came in, or would have come in, as the document says. */
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

/** The media type of the content, or that there is none. */
function markMediaType(judged: CheckedExchange): MessageMarks {
  return headerValue(judged.exchange.request.headers, 'content-type') === undefined
    ? { missing: ['Content-Type'] }
    : { headers: ['content-type'] };
}

/** Parameters that the document does not allow as they are. */
function markParameters({ request: { invalidParameters } }: CheckedExchange): MessageMarks {
  const isIn = (...places: readonly string[]): boolean =>
    invalidParameters.some((parameter) => places.includes(parameter.in));
  const inHeaders = invalidParameters.filter((parameter) => parameter.in === 'header');
  return {
    start: isIn('path', 'query'),
    headers: [...inHeaders.map(({ name }) => name.toLowerCase()), ...(isIn('cookie') ? ['cookie'] : [])],
  };
}

/** Where a body leaves what anybody would send: what its schema does not allow, what is odd about it, or is no JSON. */
function markBody({ request: { body } }: CheckedExchange, text: string): MessageMarks {
  if (body.kind === 'invalid') return { body: markProblems(text, body.problems) };
  if (body.kind === 'malformed') return { body: markSyntax(text) };
  if (body.kind !== 'valid' || body.grade.kind !== 'extreme') return {};
  const places = body.grade.oddities.map(({ place }) => place);
  // What is odd about all of a body is not to be pointed at.
  const found = locateValues(text, places).filter((_, index) => places[index] !== '');
  return { body: found.flatMap((place) => (place === undefined ? [] : [place.member])) };
}

/** Whatever is odd about a request, where a finding hangs on it. */
function markOddities(judged: CheckedExchange, text: string): MessageMarks {
  const { request } = judged;
  if (!['good', 'not-required', 'unjudged'].includes(request.credentials)) return markCredentials(judged);
  if (request.invalidParameters.length > 0) return markParameters(judged);
  if (request.body.kind === 'other-media' || request.mediaTypeSpelling === 'unusual') {
    return markMediaType(judged);
  }
  return request.accept === 'met' ? markBody(judged, text) : { headers: ['accept'] };
}
