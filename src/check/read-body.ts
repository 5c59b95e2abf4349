import type { MediaTypeContract } from '../contract/media-type-contract.ts';
import type { RequestBody } from '../contract/request-body.ts';
import { schemaProperties } from '../contract/schema-properties.ts';
import { decodeUtf8 } from '../http/decode-utf8.ts';
import { headerValue } from '../http/header-list.ts';
import type { HttpRequest } from '../http/http-request.ts';
import { matchesMediaRange } from '../http/matches-media-range.ts';
import { parseMediaType } from '../http/media-type.ts';
import { parseJson } from '../json/parse-json.ts';
import type { JsonValue } from '../json/json-value.ts';
import type { ParsedJson } from '../json/read-exactly.ts';
import { readExtendedJson } from '../json/read-extended-json.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import type { CompiledSchema } from '../schema/compile-schema.ts';
import { findContest } from './find-contest.ts';
import { gradeBody } from './grade-body.ts';
import type { BodyReading, MalformedExplanation } from './request-reading.ts';

const byteOrderMark = '\uFEFF';
/** Deep enough that depth alone is no reason. */
const maxDepth = 10_000;

function readValid(text: string, json: ParsedJson, schema: CompiledSchema): BodyReading {
  const { value, exact } = json;
  const contest = findContest({
    value,
    exact,
    hasByteOrderMark: text.startsWith(byteOrderMark),
    hasDuplicateKeys: json.duplicateKeys.length > 0,
    schema,
  });
  if (contest !== undefined) {
    return { kind: 'valid', grade: { kind: 'contested', ...contest }, value, exact };
  }
  const spelledPlainly = (exact ? stringifyJson(value) : JSON.stringify(value)) === text;
  return { kind: 'valid', grade: gradeBody({ value, schema: schema.schema, spelledPlainly }), value, exact };
}

function explainMalformed(content: string, schema: CompiledSchema): MalformedExplanation {
  const json = parseJson(content, { maxDepth });
  const reason = json.kind === 'syntax' ? json.reason : 'it is JSON';
  const extended = readExtendedJson(content);
  const isValid =
    extended !== undefined &&
    schema.validator({ formats: 'ignore', integers: 'by-value' })(extended.value, true).length === 0;
  return { reason, extension: isValid ? extended.extension : undefined };
}

function readJsonText(text: string, schema: CompiledSchema): BodyReading {
  const content = text.startsWith(byteOrderMark) ? text.slice(1) : text;
  const json = parseJson(content, { findDuplicateKeys: true, maxDepth, explains: false });
  if (json.kind === 'syntax') {
    return { kind: 'malformed', explain: () => explainMalformed(content, schema) };
  }
  const { value, exact } = json;
  const problems = schema.validator({ formats: 'ignore', integers: 'by-value' })(value, exact);
  if (problems.length === 0) {
    return readValid(text, json, schema);
  }
  if (json.duplicateKeys.length > 0) {
    const first = parseJson(content, { duplicateKey: 'first', maxDepth });
    const isValidThen =
      first.kind === 'json' &&
      schema.validator({ formats: 'ignore', integers: 'by-value' })(first.value, first.exact).length === 0;
    if (isValidThen) {
      const reason = 'a key that stands twice';
      const grade = { kind: 'contested', reason, questions: ['duplicate-keys-in-json'] } as const;
      return { kind: 'valid', grade, value, exact };
    }
  }
  return { kind: 'invalid', problems, value, schema };
}

/** Encodings that RFC 7159 §8.1 still allowed, and the replacement of what is none. */
const otherReadings = [
  ['utf-16le', 'UTF-16'],
  ['utf-16be', 'UTF-16'],
  ['utf-8', 'invalid UTF-8 replaced'],
] as const;

/**
 * Under which other reading of its bytes a content is a valid body. Whoever looks at nothing behind the value does
 * not see that it is no UTF-8, either.
 */
function findOtherReading(content: Uint8Array, schema: CompiledSchema): string | undefined {
  const found = otherReadings.find(([encoding]) => {
    const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(content);
    return readJsonText(text, schema).kind === 'valid';
  });
  const replaced = new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
  return found?.[1] ?? explainMalformed(replaced, schema).extension;
}

function readJsonBytes(content: Uint8Array, schema: CompiledSchema): BodyReading {
  const text = decodeUtf8(content);
  if (text === undefined) {
    const reason = 'the content is not UTF-8';
    return {
      kind: 'malformed',
      explain: () => ({ reason, extension: findOtherReading(content, schema) }),
    };
  }
  const reading = readJsonText(text, schema);
  // UTF-16 without a byte order mark is UTF-8 with a NUL beside each letter.
  if (reading.kind !== 'malformed' || !text.includes('\0')) {
    return reading;
  }
  return {
    kind: 'malformed',
    explain() {
      const { reason, extension } = reading.explain();
      return { reason, extension: extension ?? findOtherReading(content, schema) };
    },
  };
}

/**
 * Whether a server that is keen to understand could find a valid body in content of another media type. It
 * is generous: content that names every required property may carry one.
 */
function carriesBody(content: Uint8Array, media: readonly MediaTypeContract[]): boolean {
  const text = new TextDecoder().decode(content);
  return media.some(({ schema }) => {
    if (schema === undefined) {
      return text !== '';
    }
    const json = parseJson(text);
    if (
      json.kind === 'json' &&
      schema.validator({ formats: 'ignore', integers: 'by-value' })(json.value, json.exact).length === 0
    ) {
      return true;
    }
    const required = [...schemaProperties(schema.schema)].filter(([, property]) => property.required);
    return json.kind !== 'json' && text.trim() !== '' && required.every(([name]) => text.includes(name));
  });
}

/** The body that anybody would send, under a label that nobody would give it. */
function readPlainJson(content: Uint8Array, media: readonly MediaTypeContract[]): JsonValue | undefined {
  const text = decodeUtf8(content);
  const readings = media.map(({ schema }) =>
    text === undefined || schema === undefined ? undefined : readJsonText(text, schema),
  );
  const plain = readings.find((reading) => reading?.kind === 'valid' && reading.grade.kind === 'plain');
  return plain?.kind === 'valid' ? plain.value : undefined;
}

/**
 * Reads the content of a request as its operation takes it: decoded, parsed and validated as a server
 * would, whatever its sender meant.
 */
export function readBody(request: HttpRequest, declared: RequestBody | undefined): BodyReading {
  const content = request.body ?? new Uint8Array();
  const contentType = headerValue(request.headers, 'content-type');
  if (declared === undefined || (content.length === 0 && !declared.required)) {
    return { kind: 'not-expected' };
  }
  const mediaType = contentType === undefined ? undefined : parseMediaType(contentType);
  const media = mediaType && declared.media.find(({ range }) => matchesMediaRange(mediaType.essence, range));
  if (media === undefined) {
    return {
      kind: 'other-media',
      mediaType: contentType,
      carries: carriesBody(content, declared.media),
      plainJson: readPlainJson(content, declared.media),
    };
  }
  if (!media.isJson || media.schema === undefined) {
    return { kind: 'unjudged', mediaType: media.range };
  }
  return readJsonBytes(content, media.schema);
}
