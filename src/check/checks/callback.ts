import type { OutgoingRequest } from '../../contract/contract.ts';
import { headerValue, type HttpRequest } from '../../http/message.ts';
import { appendPointer } from '../../json/pointer.ts';
import { describeSchemaProblem } from '../../schema/describe-problem.ts';
import { readBody } from '../classify/body.ts';
import type { ReceivedCallback } from '../classify/subject.ts';
import { type Conclusion, defineSequenceCheck, exampleOf, type SequenceCheck } from '../define-check.ts';
import { quoteDocument } from '../finding.ts';

/** The maximum length of a callback's content in a finding, in characters. */
const longestContent = 500;

/** The run receives the callbacks of one request, so each exchange is judged with its own. */
export const callbackSchemaCheck: SequenceCheck<'callback-schema'> = defineSequenceCheck({
  id: 'callback-schema',
  docs: {
    title: 'A callback was not as declared',
    place:
      'the operation of the callback (OpenAPI 3.1 §4.8.18): its method, its `content`, or the broken keyword',
    finds:
      'A callback with another method, an undeclared media type, without a required body, or with a body that its schema does not accept. Only `cloche test --callbacks-port` receives callbacks. A callback that does not come is listed as not checked.',
    example: {
      request: exampleOf('{"id": 7, "notify": "http://127.0.0.1:9000/0b9d…"}'),
      answer:
        'HTTP/1.1 201 Created\n\n(and then the service sends)\n\nPOST /0b9d…\nContent-Type: application/json\n\n{"order": null}\n\n(the schema says that an order is an integer)',
    },
  },
  judgeTrace: (trace) =>
    trace.flatMap((of) =>
      (of.callbacks ?? []).flatMap((callback) => {
        const found = judgeCallback(callback);
        return found === undefined ? [] : [{ of, ...found }];
      }),
    ),
});

/** Judges a callback. Several declared ones may share its URL, so it must be one of them. */
function judgeCallback({ request, declared }: ReceivedCallback): Conclusion | undefined {
  const possible = declared.filter(({ method }) => method === request.method);
  if (possible.length === 0) {
    const [{ name, pointer }] = declared;
    const methods = declared.map(({ method }) => method).join(' or ');
    return {
      clause: quoteDocument(pointer, `declares ${methods}`),
      expected: `the callback ${name} with ${methods}`,
      received: describe(request),
      cause: `${name} by ${request.method}`,
    };
  }
  const faults = possible.map((callback) => findFault(callback, request));
  return faults.includes(undefined) ? undefined : faults[0];
}

function findFault(
  { name, requestBody, pointer }: OutgoingRequest,
  request: HttpRequest,
): Conclusion | undefined {
  const body = readBody(request, requestBody);
  const expected = `the callback ${name} with`;
  switch (body.kind) {
    case 'other-media': {
      const ranges = (requestBody?.media ?? []).map(({ range }) => range).join(' or ');
      if (ranges === '') return undefined;
      return {
        clause: quoteDocument(
          appendPointer(requestBody?.pointer ?? pointer, 'content'),
          `declares ${ranges}`,
        ),
        expected: `${expected} content in ${ranges}`,
        received: describe(request),
        cause: `${name} in ${body.mediaType?.toLowerCase().split(';', 1)[0] ?? 'no media type'}`,
      };
    }
    case 'malformed':
      return {
        clause: quoteDocument(requestBody?.pointer ?? pointer, `declares ${body.media?.range ?? 'JSON'}`),
        expected: `${expected} content in ${body.media?.range ?? 'JSON'}`,
        received: `${describe(request)} (${body.explain().reason})`,
        cause: `${name} malformed`,
      };
    case 'invalid': {
      const [problem] = body.problems;
      if (problem === undefined) return undefined;
      const words = describeSchemaProblem({ problem, value: body.value });
      return {
        clause: quoteDocument(body.schema.placeOf(problem.schemaPointer), `${problem.keyword}: ${words}`),
        expected: `${expected} content that its schema accepts: ${words}`,
        received: describe(request),
        cause: `${name} ${problem.pointer.replaceAll(/\/\d+/gu, '/*')} ${problem.keyword}`,
      };
    }
    default:
      return undefined;
  }
}

/** Describes a callback with its content: `POST application/json {"order":null}`. */
function describe({ method, headers, body }: HttpRequest): string {
  const type = headerValue(headers, 'content-type');
  const text = new TextDecoder().decode(body);
  const content = text.length > longestContent ? `${text.slice(0, longestContent)}…` : text;
  return [method, type ?? 'without a media type', content === '' ? 'without content' : content].join(' ');
}
