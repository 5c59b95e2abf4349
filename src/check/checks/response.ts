import type { DeclaredHeader } from '../../contract/contract.ts';
import { createParameterReader, type ParameterReader } from '../../contract/read-parameters.ts';
import { decodeUtf8 } from '../../http/bytes.ts';
import { type ContentFault, type HeaderList, headerValue } from '../../http/message.ts';
import { appendPointer } from '../../json/pointer.ts';
import { holdsExactNumber } from '../../json/value.ts';
import type { CompiledSchema } from '../../schema/compile.ts';
import { describeSchemaProblem } from '../../schema/describe-problem.ts';
import type { SchemaProblem } from '../../schema/problems.ts';
import { describeReceived, nameOperation } from '../describe.ts';
import type { Clause } from '../finding.ts';
import type { ExchangeCheck, Subject } from '../reading/subject.ts';

/** A header field whose value its schema does not accept. */
interface InvalidHeader {
  /** In words. */
  readonly reason: string;
  readonly problem: SchemaProblem;
}

type Readers = readonly ParameterReader[];

const known = new WeakMap<DeclaredHeader, Readers>();

/** Without and with `explode`: objects are cut in two ways, and either may be meant. */
function readersOf(header: DeclaredHeader, { schema }: CompiledSchema): Readers {
  const readers =
    known.get(header) ??
    [false, true].map((explode) =>
      createParameterReader({
        name: header.name,
        in: 'header',
        style: 'simple',
        explode,
        mediaType: undefined,
        schema,
      }),
    );
  known.set(header, readers);
  return readers;
}

/** A number or a boolean in other spellings: `+5`, `007`, `5.`, `True`, `?1` (RFC 9651 §3.3.6). */
function respell(text: string): string {
  const number = /^(?:\+|(-))?0*(\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\.?$/u.exec(text);
  if (number !== null) return `${number[1] ?? ''}${number[2] ?? ''}`;
  if (text === '?1' || text === '?0') return text === '?1' ? 'true' : 'false';
  return /^(?:true|false)$/iu.test(text) ? text.toLowerCase() : text;
}

/** What the field may mean to a reader who is well disposed. */
function spellings(text: string): readonly string[] {
  const respelled = text
    .split(',')
    .map((part) => respell(part.trim()))
    .join(',');
  // A field value holds one character a byte.
  const utf8 = decodeUtf8(Uint8Array.from(text, (character) => character.charCodeAt(0)));
  return [...new Set([text, respelled, utf8 ?? text])];
}

/**
 * Holds the value of a declared header field against its schema, read in the style `simple` (OpenAPI 3.1
 * §4.8.21). What can be read in several ways is fine if one of them is; formats assert nothing here. A field
 * that came several times is one list (RFC 9110 §5.3), or each of its lines is a value of its own.
 *
 * @returns undefined where nothing is wrong, where the field did not come, or where it has no schema
 */
export function findInvalidHeader(header: DeclaredHeader, headers: HeaderList): InvalidHeader | undefined {
  const { name, schema } = header;
  const lines = headers
    .filter(([field]) => field.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value.trim());
  if (schema === undefined || lines.length === 0) return undefined;
  const validate = schema.validator({ formats: 'ignore', integers: 'by-value' });
  const readers = readersOf(header, schema);

  function findProblem(text: string): InvalidHeader | undefined {
    let first: InvalidHeader | undefined;
    for (const spelling of spellings(text)) {
      const source = { path: {}, query: [], header: (): string => spelling };
      for (const value of readers.flatMap((read) => read(source))) {
        const [problem] = validate(value, holdsExactNumber(value));
        if (problem === undefined) return undefined;
        first ??= {
          problem,
          reason: describeSchemaProblem({ problem, value, subject: `the header field ${name}` }),
        };
      }
    }
    return first;
  }

  const problem = findProblem(lines.join(', '));
  return problem === undefined || lines.every((line) => findProblem(line) === undefined)
    ? undefined
    : problem;
}

/**
 * Finds a header field that the document requires in a response and that is not there, and one whose value
 * its schema does not accept (OpenAPI 3.1 §4.8.21).
 *
 * @example 201 without the Location that the document requires
 */
export const checkResponseHeader: ExchangeCheck = (subject) => {
  const { answer } = subject;
  if (answer.kind === 'none' || answer.declared === undefined) return undefined;
  const { response, declared } = answer;
  const { status, headers } = response;
  const finding = {
    check: 'response-header',
    level: 'violation',
    operation: nameOperation(subject),
  } as const;
  for (const header of declared.headers) {
    const { name, required, pointer, schema } = header;
    if (required && headerValue(headers, name) === undefined) {
      return {
        ...finding,
        clause: { kind: 'document', pointer, quote: `requires ${name} with ${status}` },
        expected: `the header field ${name}`,
        received: `${status} without ${name}`,
        cause: `${status} ${name.toLowerCase()}`,
      };
    }
    const invalid = findInvalidHeader(header, headers);
    if (invalid !== undefined) {
      const { keyword, schemaPointer } = invalid.problem;
      return {
        ...finding,
        clause: {
          kind: 'document',
          pointer: schema?.placeOf(schemaPointer) ?? pointer,
          quote: `${keyword}: ${invalid.reason}`,
        },
        expected: `a value that its schema accepts: ${invalid.reason}`,
        received: `${status} whose ${name} breaks its schema`,
        cause: `${status} ${name.toLowerCase()} ${keyword}`,
      };
    }
  }
  return undefined;
};

/** What of content that is sent as JSON cannot be read. */
interface Unreadable {
  readonly clause: Clause;
  /** In words, after "with content that is". */
  readonly words: string;
  readonly cause: string;
}

/**
 * Content that is not in the coding that it is said to be in. One that is not known here, or too long, is not
 * judged: a request without Accept-Encoding takes any coding (RFC 9110 §12.5.3).
 */
function unreadableCoding({ coding, reason }: ContentFault): Unreadable | undefined {
  if (reason !== 'broken') return undefined;
  return {
    clause: {
      kind: 'rfc',
      name: 'RFC 9110',
      section: '8.4',
      quote:
        'what decoding mechanisms have to be applied in order to obtain data in the media type referenced by ' +
        'the Content-Type header field',
    },
    words: `not in ${coding}, though Content-Encoding says so: it is not one JSON text`,
    cause: `broken ${coding}`,
  };
}

function findUnreadable(subject: Subject): Unreadable | undefined {
  const { answer } = subject;
  if (answer.kind === 'none') return undefined;
  const { content } = answer;
  switch (content.kind) {
    case 'none':
    case 'json':
    case 'cut':
    case 'other':
      return undefined;
    case 'undecoded':
      return unreadableCoding(content.fault);
    case 'not-utf8':
      return {
        clause: {
          kind: 'rfc',
          name: 'RFC 8259',
          section: '8.1',
          quote: 'JSON text … MUST be encoded using UTF-8',
        },
        words: 'not UTF-8',
        cause: 'not-utf8',
      };
    case 'not-json': {
      const { reason, line, column } = content.problem;
      return {
        clause: {
          kind: 'rfc',
          name: 'RFC 8259',
          section: '2',
          quote: 'A JSON text is a serialized value',
        },
        words: `not JSON: ${reason} (line ${line}, column ${column})`,
        cause: 'not-json',
      };
    }
  }
}

/**
 * Finds content that is sent as JSON and is none: not one JSON text, not in UTF-8 (RFC 8259 §2, §8.1), or not
 * in the content coding that Content-Encoding names (RFC 9110 §8.4).
 *
 * @example NaN in an answer of application/json
 */
export const checkResponseJson: ExchangeCheck = (subject) => {
  const { answer } = subject;
  const unreadable = findUnreadable(subject);
  if (answer.kind === 'none' || unreadable === undefined) return undefined;
  const { status } = answer.response;
  return {
    check: 'response-json',
    level: 'violation',
    operation: nameOperation(subject),
    clause: unreadable.clause,
    expected: 'one JSON text in UTF-8',
    received: `${status} with content that is ${unreadable.words}`,
    cause: `${status} ${unreadable.cause}`,
  };
};

/**
 * Finds content of a media type that the document does not declare for the status, and no content where
 * the document declares some (OpenAPI 3.1 §4.8.17).
 *
 * @example `400 text/html` where the document declares application/json
 */
export const checkResponseMediaType: ExchangeCheck = (subject) => {
  const { answer, exchange } = subject;
  if (answer.kind === 'none' || answer.declared === undefined || exchange.request.method === 'HEAD') {
    return undefined;
  }
  const { declared, content } = answer;
  const isEmpty = content.kind === 'none';
  if (declared.media.length === 0 || (!isEmpty && content.media !== undefined)) return undefined;
  if (isEmpty && [204, 205, 304].includes(answer.response.status)) return undefined;
  const ranges = declared.media.map(({ range }) => range).join(' or ');
  return {
    check: 'response-media-type',
    level: 'violation',
    operation: nameOperation(subject),
    clause: {
      kind: 'document',
      pointer: appendPointer(declared.pointer, 'content'),
      quote: `declares ${ranges} for ${answer.response.status}`,
    },
    expected: ranges,
    received: isEmpty ? `${answer.response.status} without content` : describeReceived(answer),
    // A boundary is drawn anew for each answer.
    cause: `${answer.response.status} ${isEmpty ? 'without content' : content.kind === 'other' ? content.mediaType?.split(';', 1)[0]?.toLowerCase() : 'other JSON'}`,
  };
};

/**
 * Finds content that the schema of its status and media type does not accept. A value that only leaves its
 * format is advice: `format` asserts by convention alone (JSON Schema 2020-12 validation §7.2.1).
 *
 * @example `"tag": null` where the schema says a string
 */
export const checkResponseSchema: ExchangeCheck = (subject) => {
  const { answer } = subject;
  if (answer.kind === 'none' || answer.content.kind !== 'json') return undefined;
  const { json, media } = answer.content;
  const schema = media?.schema;
  if (schema === undefined) return undefined;
  const strict = schema.validator({ formats: 'assert', integers: 'by-value' })(json.value, json.exact);
  if (strict.length === 0) return undefined;
  const lenient = schema.validator({ formats: 'ignore', integers: 'by-value' })(json.value, json.exact);
  const problem = lenient[0] ?? strict[0];
  if (problem === undefined) return undefined;
  const words = describeSchemaProblem({ problem, value: json.value });
  return {
    check: 'response-schema',
    level: lenient.length > 0 ? 'violation' : 'advice',
    operation: nameOperation(subject),
    clause: {
      kind: 'document',
      pointer: schema.placeOf(problem.schemaPointer),
      quote: `${problem.keyword}: ${words}`,
    },
    expected: `content that its schema accepts: ${words}`,
    received: `${answer.response.status} with content that breaks its schema at ${problem.pointer || 'its root'}`,
    cause: `${answer.response.status} ${problem.pointer.replaceAll(/\/\d+/gu, '/*')} ${problem.keyword}`,
  };
};

/**
 * Advises on content that is longer than is read, and may have no end. No document says how long an answer may be, so
 * that it contradicts none; but what was not read was not judged either, and no client can take all of it.
 *
 * @example a log that is streamed for as long as somebody listens
 */
export const checkResponseSize: ExchangeCheck = (subject) => {
  const { answer } = subject;
  if (answer.kind === 'none' || answer.response.cutAfter === undefined) return undefined;
  return {
    check: 'response-size',
    level: 'advice',
    operation: nameOperation(subject),
    clause: {
      kind: 'rfc',
      name: 'RFC 9110',
      section: '2.3',
      quote:
        'A recipient SHOULD parse a received protocol element defensively, with only marginal expectations that the element will … fit within a reasonable buffer size',
    },
    expected: `content of at most ${answer.response.cutAfter.toLocaleString('en-US')} bytes, which --response-limit sets`,
    received: `${answer.response.status} with more; its content was not judged`,
    cause: 'longer than is read',
  };
};
