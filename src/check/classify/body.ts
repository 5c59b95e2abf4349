import type { MediaTypeContract, RequestBody } from '../../contract/contract.ts';
import { decodeUtf8 } from '../../http/bytes.ts';
import { findParser, jsonCodec } from '../../http/codecs/registry.ts';
import { findMedia, parseMediaType } from '../../http/media-type.ts';
import { headerValue, type HttpRequest } from '../../http/message.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import { type ParsedJson, parseJson, readExtendedJson } from '../../json/parse.ts';
import { appendPointer, type JsonPointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { holdsExactNumber, isJsonObject, type JsonValue } from '../../json/value.ts';
import { type CompiledSchema, compileSchema } from '../../schema/compile.ts';
import { meetsUncheckedPattern } from '../../schema/pattern.ts';
import { namedProperties, schemaProperties } from '../../schema/properties.ts';
import { type JsonSchema, schemaTypes } from '../../schema/walk.ts';
import { foreignFile, hasOtherReading, separateFiles } from './other-body.ts';
import type { BodyGrade, ClassifiedBody, Ambiguity, MalformedExplanation, Mutation } from './subject.ts';

/** The words for a mutation that has a policy behaviour, `undeclared-properties`. */
export const undeclaredProperty = 'an undeclared property';

/** The words for a body in a notation that common JSON writers do not produce. */
export const unusualSpelling = 'an unusual spelling';

const byteOrderMark = '\uFEFF';
/** Deep enough that depth alone is no reason to reject a body. */
const maxDepth = 10_000;

/** Parses and validates the content of a request, as a server of the operation would. */
export function readBody(request: HttpRequest, declared: RequestBody | undefined): ClassifiedBody {
  const content = request.body ?? new Uint8Array();
  const contentType = headerValue(request.headers, 'content-type');
  if (declared === undefined || (content.length === 0 && !declared.required)) return { kind: 'not-expected' };
  const mediaType = contentType === undefined ? undefined : parseMediaType(contentType);
  const media = mediaType && findMedia(declared.media, mediaType);
  if (media === undefined) {
    return {
      kind: 'other-media',
      mediaType: contentType,
      carries: carriesBody(content, declared.media),
      plainJson: readPlainJson(content, declared.media),
    };
  }
  const coding = headerValue(request.headers, 'content-encoding') ?? 'identity';
  const { schema } = media;
  const isPlain = coding.toLowerCase() === 'identity';
  const isJson = findParser(media, mediaType?.essence ?? '') === jsonCodec;
  if (isPlain && isJson && schema !== undefined) return readJsonBytes(content, schema);
  const reading = isPlain && !isJson ? readOther(content, media, contentType ?? '') : undefined;
  return reading ?? { kind: 'unjudged', mediaType: media.range };
}

/**
 * Returns whether a lenient server could find a valid body in content of another media type. Content that contains the
 * names of all required properties counts.
 */
function carriesBody(content: Uint8Array, media: readonly MediaTypeContract[]): boolean {
  const text = new TextDecoder().decode(content);
  return media.some(({ schema }) => {
    if (schema === undefined) return text !== '';
    const json = parseJson(text);
    if (json.kind === 'json') return accepts(schema, json.value, json.exact);
    const required = [...schemaProperties(schema.schema)].filter(([, property]) => property.required);
    return text.trim() !== '' && required.every(([name]) => text.includes(name));
  });
}

/** Returns the plain JSON body that the content contains under a wrong media type. */
function readPlainJson(content: Uint8Array, media: readonly MediaTypeContract[]): JsonValue | undefined {
  const text = decodeUtf8(content);
  const readings = media.map(({ schema }) =>
    text === undefined || schema === undefined ? undefined : readJsonText(text, schema),
  );
  const plain = readings.find((reading) => reading?.kind === 'valid' && reading.grade.kind === 'plain');
  return plain?.kind === 'valid' ? plain.value : undefined;
}

function readJsonBytes(content: Uint8Array, schema: CompiledSchema): ClassifiedBody {
  const text = decodeUtf8(content);
  if (text === undefined) {
    const reason = 'the content is not UTF-8';
    return { kind: 'malformed', explain: () => ({ reason, extension: findOtherReading(content, schema) }) };
  }
  const reading = readJsonText(text, schema);
  // UTF-16 without a byte order mark reads as UTF-8 with a NUL next to each letter.
  if (reading.kind !== 'malformed' || !text.includes('\0')) return reading;
  return {
    kind: 'malformed',
    explain() {
      const { reason, extension } = reading.explain();
      return { reason, extension: extension ?? findOtherReading(content, schema) };
    },
  };
}

function readJsonText(text: string, schema: CompiledSchema): ClassifiedBody {
  const content = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  const json = parseJson(content, { findDuplicateKeys: true, maxDepth, explains: false });
  if (json.kind === 'syntax') return { kind: 'malformed', explain: () => explainMalformed(content, schema) };
  const { value, exact } = json;
  const problems = schema.validator({ formats: 'ignore', integers: 'by-value' })(value, exact);
  if (problems.length > 0) {
    const first =
      json.duplicateKeys.length > 0 ? parseJson(content, { duplicateKey: 'first', maxDepth }) : json;
    const isValidThen = first.kind === 'json' && first !== json && accepts(schema, first.value, first.exact);
    return isValidThen
      ? { kind: 'valid', grade: { kind: 'ambiguous', ...twice }, value, exact }
      : { kind: 'invalid', problems, value, schema };
  }
  const ambiguity = findAmbiguity(text, json, schema);
  if (ambiguity !== undefined)
    return { kind: 'valid', grade: { kind: 'ambiguous', ...ambiguity }, value, exact };
  const isSpelledPlainly = (exact ? stringifyJson(value) : JSON.stringify(value)) === text;
  const ofText = isSpelledPlainly ? [] : [{ place: '', words: unusualSpelling }];
  return { kind: 'valid', grade: gradeBody(value, schema.schema, ofText), value, exact };
}

const anything = compileSchema({ schema: true, pointer: '' });

/**
 * Parses and validates content that is not JSON. Returns undefined for a malformed form, for disputed content, and for a
 * text that breaks its schema, as few services validate it.
 */
function readOther(
  content: Uint8Array,
  media: MediaTypeContract,
  contentType: string,
): ClassifiedBody | undefined {
  const { codec, schema = anything } = media;
  const isText = codec?.holds === 'text';
  const isSequence = codec?.frame !== undefined;
  // The service decides whether no bytes are an empty text or list, or no body. JSON that is declared as bytes is not parsed.
  if (codec === jsonCodec || ((isText || isSequence) && content.length === 0)) return undefined;
  const parsed = codec?.parse?.(content, media, contentType);
  if (parsed?.kind === 'malformed' && codec?.holds === 'value' && parsed.isDisputed !== true) {
    const { reason } = parsed;
    return { kind: 'malformed', media, explain: () => ({ reason, extension: undefined }) };
  }
  if (parsed?.kind !== 'value') return undefined;
  const { value, isDisputed = false } = parsed;
  const isForm = codec?.holds === 'members';
  const exact = holdsExactNumber(value);
  const problems = schema.validator({ formats: 'ignore', integers: 'by-value' })(value, exact);
  if (problems.length > 0 && (isText || isDisputed)) return undefined;
  if (problems.length > 0 && !(isForm && hasOtherReading(value, problems, schema))) {
    return { kind: 'invalid', problems, value, schema };
  }
  const isEmpty = isForm && isJsonObject(value) && Object.keys(value).length === 0;
  const [represented, mutations] = separateFiles(media, value);
  const isForeign = mutations.some(({ words }) => words === foreignFile);
  const ambiguity =
    problems.length > 0 || isEmpty || isForeign || isDisputed
      ? { reason: `${isForm ? 'a form' : 'content'} that services read in different ways`, questions: [] }
      : findAmbiguity('', { kind: 'json', value, exact, duplicateKeys: [] }, schema);
  const grade: BodyGrade =
    ambiguity === undefined
      ? gradeBody(represented, schema.schema, mutations)
      : { kind: 'ambiguous', ...ambiguity };
  return { kind: 'valid', grade, value: represented, exact };
}

/** Returns whether a value is valid for a schema, ignoring formats. */
export function accepts(
  schema: CompiledSchema,
  value: JsonValue,
  isExact: boolean = holdsExactNumber(value),
): boolean {
  return schema.validator({ formats: 'ignore', integers: 'by-value' }).accepts(value, isExact);
}

function explainMalformed(content: string, schema: CompiledSchema): MalformedExplanation {
  const json = parseJson(content, { maxDepth });
  const reason = json.kind === 'syntax' ? json.reason : 'it is JSON';
  const extended = readExtendedJson(content);
  const isValid = extended !== undefined && accepts(schema, extended.value, true);
  return { reason, extension: isValid ? extended.extension : undefined };
}

/** Encodings that RFC 7159 §8.1 still allowed, and UTF-8 with invalid bytes replaced. */
const otherReadings = [
  ['utf-16le', 'UTF-16'],
  ['utf-16be', 'UTF-16'],
  ['utf-8', 'invalid UTF-8 replaced'],
] as const;

/**
 * Returns the encoding or extension under which content is a valid body. A parser that ignores everything after the
 * value does not notice invalid UTF-8 there, either.
 */
function findOtherReading(content: Uint8Array, schema: CompiledSchema): string | undefined {
  const found = otherReadings.find(([encoding]) => {
    const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(content);
    return readJsonText(text, schema).kind === 'valid';
  });
  const replaced = new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
  return found?.[1] ?? explainMalformed(replaced, schema).extension;
}

const twice: Ambiguity = { reason: 'a key that stands twice', questions: ['duplicate-keys-in-json'] };

/**
 * Finds why JSON parsers or schema validators disagree about a body that is valid apart from formats: unusual text, a
 * format that may or may not assert (JSON Schema 2020-12 validation §7.2.1), and integers written with a fraction or an
 * exponent, if the schema requires an integer.
 */
function findAmbiguity(text: string, json: ParsedJson, schema: CompiledSchema): Ambiguity | undefined {
  const { value, exact } = json;
  if (text.startsWith(byteOrderMark)) return { reason: 'a byte order mark', questions: [] };
  if (json.duplicateKeys.length > 0) return twice;
  const mutation = findMutation(value);
  if (mutation !== undefined) return { reason: mutation, questions: [] };
  let isInRange = false;
  const isUnsure = meetsUncheckedPattern(() => {
    isInRange = schema.validator({ formats: 'assert', integers: 'by-value' })(value, exact).length === 0;
  });
  if (isUnsure) return { reason: 'a text too long for its pattern to be judged', questions: [] };
  if (!isInRange && schema.validator({ formats: 'strings', integers: 'by-value' })(value, exact).length > 0) {
    return { reason: 'a text outside its format', questions: [] };
  }
  // Only an exact number keeps the notation of its text.
  const isPlainlyWritten =
    !exact || schema.validator({ formats: 'strings', integers: 'digits' })(value, exact).length === 0;
  if (isInRange && isPlainlyWritten) return undefined;
  if (isInRange) {
    return { reason: 'an integer written with a fraction or an exponent', questions: ['integer-notation'] };
  }
  return {
    reason: 'an integer outside its format',
    questions: isPlainlyWritten ? ['int64-range'] : ['int64-range', 'integer-notation'],
  };
}

/** Finds a value that some readers reject at any place, and that no policy specifies. */
function findMutation(value: JsonValue): string | undefined {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value) ? 'a lone surrogate' : undefined;
  if (value instanceof ExactNumber) return value.text === '-0' ? 'a negative zero' : undefined;
  if (value === null || typeof value !== 'object') return undefined;
  const members = Array.isArray(value) ? value : [...Object.keys(value), ...Object.values(value)];
  for (const member of members) {
    const mutation = findMutation(member);
    if (mutation !== undefined) return mutation;
  }
  return undefined;
}

/** Grades an unambiguous valid body by how usual it is; `known` lists mutations besides those of its values. */
export function gradeBody(value: JsonValue, schema: JsonSchema, known: readonly Mutation[] = []): BodyGrade {
  const [first, ...others] = [...known, ...listMutations(value, schema, '')].toSorted(
    (left, right) => Number(left.words === least) - Number(right.words === least),
  );
  return first === undefined ? { kind: 'plain' } : { kind: 'extreme', mutations: [first, ...others] };
}

function listMutations(value: JsonValue, schema: JsonSchema, place: JsonPointer): readonly Mutation[] {
  const words = unusualWords(value, schema).map((each) => ({ place, words: each }));
  if (Array.isArray(value)) {
    const items = isJsonObject(schema) && isJsonObject(schema['items']) ? schema['items'] : true;
    const inner = value.flatMap((item, index) => listMutations(item, items, appendPointer(place, index)));
    return [...words, ...inner];
  }
  if (!isJsonObject(value)) return words;
  const properties = schemaProperties(schema);
  const named = namedProperties(schema);
  return Object.entries(value).flatMap(([name, member]) => {
    const inner = appendPointer(place, name);
    return !named.has(name) && named.size > 0
      ? [{ place: inner, words: undeclaredProperty }]
      : listMutations(member, properties.get(name)?.schema ?? true, inner);
  });
}

/** Lists the unusual traits of a value, without its members. */
function unusualWords(value: JsonValue, schema: JsonSchema): readonly string[] {
  if (typeof value === 'string') return textMutations(value, schema);
  if (typeof value === 'number' || value instanceof ExactNumber) {
    const words = numberMutation(value, schema);
    return words === undefined ? [] : [words];
  }
  if (value === null) {
    const types = schemaTypes(schema);
    return types.has('null') && types.size === 1 ? [] : ['null'];
  }
  if (!Array.isArray(value)) return [];
  if (value.length === 0) return ['an empty list'];
  return value.length > mostPlainItems ? ['a long list'] : [];
}

const largestPlainNumber = 2 ** 31 - 1;
const largestPlainText = 100;
const mostPlainItems = 3;

/** Keywords by which the document specifies which texts are usual. */
const textKeywords = ['enum', 'const', 'format', 'pattern', 'minLength', 'maxLength'];

/** The possible unusual traits of a text. */
const textForms: readonly (readonly [words: string, form: RegExp])[] = [
  ['an empty text', /^$/u],
  ['a long text', /^.{101}/su],
  ['NUL', /\0/u],
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  ['control characters', /[\u0001-\u001f\u007f]/u],
  ['characters past ASCII', /[^\0-\x7f]/u],
  ['white space around a text', /^\s|\s$/u],
  ['a text like a number', /^[+-]?[\d.]+(?:e[+-]?\d+)?$/iu],
];

/** The least likely trigger: nearly every shrunk body has it. */
const least = 'an unusual text';

/** Returns whether a text contains punctuation, such as quotes, besides other unusual traits. */
function hasMarks(text: string): boolean {
  return /[!-/:-@[-`{-~]/u.test(text) && !/^[+-]?[\d.]+(?:e[+-]?\d+)?$/iu.test(text);
}

function textMutations(text: string, schema: JsonSchema): readonly string[] {
  if (/^[A-Za-z]{3,20}$/u.test(text)) return [];
  const described = isJsonObject(schema) && textKeywords.some((keyword) => Object.hasOwn(schema, keyword));
  if (described && text.length <= largestPlainText && /^[\x20-\x7e]*$/u.test(text)) return [];
  const words = textForms.filter(([, form]) => form.test(text)).map(([name]) => name);
  return words.length === 0 || hasMarks(text) ? [...words, least] : words;
}

function numberMutation(number: number | ExactNumber, schema: JsonSchema): string | undefined {
  const bounded = isJsonObject(schema) && (Object.hasOwn(schema, 'minimum') || Object.hasOwn(schema, 'enum'));
  const value = typeof number === 'number' ? number : Number(number.text);
  if (Math.abs(value) >= 2 ** 53) return 'a number past 2^53';
  if (Math.abs(value) > largestPlainNumber) return 'a number past 2^31';
  if (typeof number !== 'number') return 'a number with a fraction or an exponent';
  if (number >= 1 || bounded) return undefined;
  return number === 0 ? 'zero' : 'a number below one';
}

/**
 * Returns whether an undeclared property is an ordinary one. Parsers may fail at the names of members that all their
 * objects have, or at depth; that does not show how the service treats undeclared properties.
 */
export function isOrdinaryProperty(name: string, value: JsonValue | undefined): boolean {
  const isSimple =
    typeof value === 'string' ? value.length <= 100 : typeof value === 'number' || typeof value === 'boolean';
  return /^[A-Za-z]{3,20}$/u.test(name) && !(name in {}) && isSimple;
}
