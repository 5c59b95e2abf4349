import { findInvalidHeader } from '../../contract/check-headers.ts';
import { headerValue } from '../../http/message.ts';
import { isStream } from '../../http/streams.ts';
import { appendPointer } from '../../json/pointer.ts';
import { describeSchemaProblem } from '../../schema/describe-problem.ts';
import { type Check, defineCheck, exampleOf, plainExample } from '../define-check.ts';
import { describeReceived } from '../describe.ts';
import { type Clause, quoteDocument, quoteRfc } from '../finding.ts';
import type { ContentReading } from '../classify/subject.ts';

/** The check `response-media-type`. */
export const responseMediaTypeCheck: Check<'response-media-type'> = defineCheck({
  id: 'response-media-type',
  docs: {
    title: 'A response has an undeclared media type',
    place: 'the `content` of the declared response',
    finds:
      'Content of a media type that is not declared for the status, or no content although some is declared.',
    example: {
      request: exampleOf('{"id": 7'),
      answer: 'HTTP/1.1 400 Bad Request\nContent-Type: text/html\n\n<h1>Bad Request</h1>',
    },
  },
  judge({ answer, exchange }) {
    if (answer.kind === 'none' || answer.declared === undefined || exchange.request.method === 'HEAD') {
      return undefined;
    }
    const { declared, content } = answer;
    const { status } = answer.response;
    const isEmpty = content.kind === 'none';
    if (declared.media.length === 0 || (!isEmpty && content.media !== undefined)) return undefined;
    // An empty example in the document means that content may be missing.
    const showsNone = declared.media.some(({ examples }) => examples.includes(''));
    if (isEmpty && (showsNone || [204, 205, 304].includes(status))) return undefined;
    const ranges = declared.media.map(({ range }) => range).join(' or ');
    // Each response has a new multipart boundary.
    const type = content.kind === 'other' ? content.mediaType?.toLowerCase().split(';', 1)[0] : 'other JSON';
    return {
      clause: quoteDocument(appendPointer(declared.pointer, 'content'), `declares ${ranges} for ${status}`),
      expected: ranges,
      received: isEmpty ? `${status} without content` : describeReceived(answer),
      cause: `${status} ${isEmpty ? 'without content' : type}`,
    };
  },
});

/** No document limits the length of a response, but content past the limit of the client is not read or checked. */
export const responseSizeCheck: Check<'response-size'> = defineCheck({
  id: 'response-size',
  levels: ['warning'],
  docs: {
    title: 'A response was longer than the limit',
    place: 'RFC 9110 §2.3',
    finds:
      'Content longer than `--response-limit` (16 MiB). The rest is not read and the content is not checked; the status and header fields are. The property that received it ends there.',
    example: {
      request: 'GET /orders',
      answer: 'HTTP/1.1 200 OK\nContent-Type: application/json\n\n[{"id": 7}, …',
    },
  },
  judge({ answer }) {
    if (answer.kind === 'none' || answer.response.cutAfter === undefined) return undefined;
    return {
      clause: quoteRfc(
        'RFC 9110 §2.3',
        'A recipient SHOULD parse a received protocol element defensively, with only marginal expectations that the element will … fit within a reasonable buffer size',
      ),
      expected: `content of at most ${answer.response.cutAfter.toLocaleString('en-US')} bytes, which --response-limit sets`,
      received: `${answer.response.status} with more; its content was not judged`,
      cause: 'longer than is read',
    };
  },
});

/** The check `too-slow`. */
export const tooSlowCheck: Check<'too-slow'> = defineCheck({
  id: 'too-slow',
  docs: {
    title: 'A response took too long',
    place: '--max-response-time',
    finds:
      'A response that ends later after its request was sent than `--max-response-time` allows; without the option nothing. `cloche test` sends the request again twice, and reports it if each response is late. In traffic, the first late response of an operation is left out. Streams are not measured.',
    example: {
      request: 'GET /orders',
      answer: 'HTTP/1.1 200 OK\nContent-Type: application/json\n\n[]',
    },
  },
  judge({ answer, exchange }, { maxResponseMs = Infinity }) {
    const tookMs = exchange.serviceMs ?? exchange.durationMs;
    if (answer.kind === 'none' || tookMs <= maxResponseMs || isStream(answer.response.headers)) {
      return undefined;
    }
    return {
      expected: `a response within ${maxResponseMs.toLocaleString('en-US')} ms`,
      received: `${answer.response.status} after ${Math.ceil(tookMs).toLocaleString('en-US')} ms`,
    };
  },
});

/** The check `response-json`. */
export const responseJsonCheck: Check<'response-json'> = defineCheck({
  id: 'response-json',
  docs: {
    title: 'Content was not in its notation',
    place: 'RFC 8259 §2 and §8.1, RFC 9110 §8.4, or the declared media type',
    finds:
      'Content sent as JSON that is not one JSON text in UTF-8, content sent as XML or as lines of JSON that cannot be parsed as such, or content that is not in its Content-Encoding.',
    example: {
      request: plainExample,
      answer: 'HTTP/1.1 200 OK\nContent-Type: application/json\n\n{"id": 7, "price": NaN}',
    },
  },
  judge({ answer }) {
    const unreadable = answer.kind === 'none' ? undefined : findUnreadable(answer.content);
    if (answer.kind === 'none' || unreadable === undefined) return undefined;
    const { status } = answer.response;
    return {
      clause: unreadable.clause,
      expected: unreadable.expected ?? 'one JSON text in UTF-8',
      received: `${status} with content that is ${unreadable.words}`,
      cause: `${status} ${unreadable.cause}`,
    };
  },
});

interface Unreadable {
  readonly clause: Clause;
  /** Follows "with content that is". */
  readonly words: string;
  readonly cause: string;
  /** Omitted for JSON. */
  readonly expected?: string;
}

/** Returns why content of a structured media type cannot be parsed. */
function findUnreadable(content: ContentReading): Unreadable | undefined {
  switch (content.kind) {
    case 'malformed': {
      const { range, pointer } = content.media;
      return {
        clause: quoteDocument(pointer, `declares ${range}`),
        words: `not ${range}: ${content.reason}`,
        cause: `not ${range}`,
        expected: `content in ${range}`,
      };
    }
    case 'undecoded': {
      const { coding, reason } = content.fault;
      // Unknown codings are unchecked: a request without Accept-Encoding accepts any (RFC 9110 §12.5.3).
      if (reason !== 'broken') return undefined;
      return {
        clause: quoteRfc(
          'RFC 9110 §8.4',
          'what decoding mechanisms have to be applied in order to obtain data in the media type referenced by the Content-Type header field',
        ),
        words: `not in ${coding}, though Content-Encoding says so: it is not one JSON text`,
        cause: `broken ${coding}`,
      };
    }
    case 'not-utf8':
      return {
        clause: quoteRfc('RFC 8259 §8.1', 'JSON text … MUST be encoded using UTF-8'),
        words: 'not UTF-8',
        cause: 'not-utf8',
      };
    case 'not-json': {
      const { reason, line, column } = content.problem;
      return {
        clause: quoteRfc('RFC 8259 §2', 'A JSON text is a serialized value'),
        words: `not JSON: ${reason} (line ${line}, column ${column})`,
        cause: 'not-json',
      };
    }
    default:
      return undefined;
  }
}

/** The check `response-schema`. */
export const responseSchemaCheck: Check<'response-schema'> = defineCheck({
  id: 'response-schema',
  levels: ['violation', 'warning'],
  docs: {
    title: 'A response broke its schema',
    place: 'the keyword of the schema that the content breaks',
    finds:
      'Content that its schema does not accept. A value that only breaks its `format` is a warning, as formats are assertions by convention only.',
    example: {
      request: plainExample,
      answer:
        'HTTP/1.1 200 OK\nContent-Type: application/json\n\n{"id": 7, "note": null}\n\n(the schema says that a note is a string)',
    },
  },
  judge({ answer }) {
    if (answer.kind === 'none' || answer.content.kind !== 'json') return undefined;
    const { json, media } = answer.content;
    const schema = media?.schema;
    if (schema === undefined) return undefined;
    const strict = schema.validator({ formats: 'assert', integers: 'by-value' })(json.value, json.exact);
    if (strict.length === 0) return undefined;
    const lenient = schema.validator({ formats: 'ignore', integers: 'by-value' })(json.value, json.exact);
    const problem = lenient[0] ?? strict[0];
    if (problem === undefined) return undefined;
    const { pointer, keyword, schemaPointer } = problem;
    const words = describeSchemaProblem({ problem, value: json.value });
    const { status } = answer.response;
    return {
      level: lenient.length > 0 ? 'violation' : 'warning',
      clause: quoteDocument(schema.placeOf(schemaPointer), `${keyword}: ${words}`),
      expected: `content that its schema accepts: ${words}`,
      received: `${status} with content that breaks its schema at ${pointer || 'its root'}`,
      cause: `${status} ${pointer.replaceAll(/\/\d+/gu, '/*')} ${keyword}`,
    };
  },
});

/** The check `response-header`. */
export const responseHeaderCheck: Check<'response-header'> = defineCheck({
  id: 'response-header',
  docs: {
    title: 'A header field was missing, or broke its schema',
    place: 'the `headers` of the declared response',
    finds: 'A header field that the document requires and that is missing, or whose value breaks its schema.',
    example: { request: plainExample, answer: 'HTTP/1.1 201 Created\n\n(the document requires Location)' },
  },
  judge({ answer }) {
    if (answer.kind === 'none' || answer.declared === undefined) return undefined;
    const { status, headers } = answer.response;
    for (const header of answer.declared.headers) {
      const { name, required, pointer, schema } = header;
      if (required && headerValue(headers, name) === undefined) {
        return {
          clause: quoteDocument(pointer, `requires ${name} with ${status}`),
          expected: `the header field ${name}`,
          received: `${status} without ${name}`,
          cause: `${status} ${name.toLowerCase()}`,
        };
      }
      const invalid = findInvalidHeader(header, headers);
      if (invalid !== undefined) {
        const { keyword, schemaPointer } = invalid.problem;
        return {
          clause: quoteDocument(schema?.placeOf(schemaPointer) ?? pointer, `${keyword}: ${invalid.reason}`),
          expected: `a value that its schema accepts: ${invalid.reason}`,
          received: `${status} whose ${name} breaks its schema`,
          cause: `${status} ${name.toLowerCase()} ${keyword}`,
        };
      }
    }
    return undefined;
  },
});
