import { createHmac } from 'node:crypto';
import {
  buildRequest,
  defineCheck,
  defineExtension,
  defineSequenceCheck,
  defineSuite,
  headerValue,
  type Property,
} from 'cloche/extend';

/** A rule of the team: support finds the logs of a request by this header. */
const requestId = defineCheck({
  id: 'x-request-id',
  docs: {
    title: 'A response has no X-Request-Id',
    place: 'API guidelines, section 4',
    finds: 'A response without the header field X-Request-Id, whatever its status.',
    example: { request: 'GET /plants', answer: 'HTTP/1.1 200 OK\nContent-Type: application/json\n\n[]' },
  },
  judge({ answer }) {
    if (answer.kind === 'none') return undefined;
    const { headers, status } = answer.response;
    if (headerValue(headers, 'x-request-id') !== undefined) return undefined;
    return { expected: 'a header field X-Request-Id', received: `${status} without it` };
  },
});

/** Concludes from all responses of a case, so the property of the suite names it. */
const rateLimit = defineSequenceCheck({
  id: 'x-rate-limit',
  levels: ['warning'],
  docs: {
    title: 'A burst of requests met no rate limit',
    place: 'API guidelines, section 7',
    finds: 'More requests within a second than the guidelines allow, none of which was answered with 429.',
    example: { request: 'GET /plants, 20 times', answer: 'HTTP/1.1 200 OK, 20 times' },
  },
  judgeTrace(trace) {
    const [of] = trace;
    const isLimited = trace.some(
      ({ answer }) => answer.kind === 'response' && answer.response.status === 429,
    );
    if (of === undefined || isLimited) return undefined;
    return { of, expected: 'a 429 among the responses', received: `${trace.length} responses without a 429` };
  },
});

const bursts = defineSuite({
  id: 'bursts',
  title: 'Bursts of requests',
  plan({ contract }) {
    const operation = contract.operations.find(({ method }) => method === 'POST');
    if (operation === undefined) return { kind: 'not-applicable', reason: 'the document has no POST' };
    const burst: Property = {
      id: `${operation.id}.burst`,
      title: 'A burst of requests meets a rate limit',
      examples: [20],
      arbitrary: undefined,
      phase: 'last',
      // The run would wait and send the request again.
      waits: false,
      mostRequests: 20,
      run: (count, session) =>
        Promise.all(
          Array.from({ length: Number(count) }, () =>
            session.send(buildRequest(operation), session.openIdContext()),
          ),
        ),
      traceChecks: [rateLimit.judgeTrace],
    };
    return { kind: 'properties', properties: [burst] };
  },
});

/** Signs requests for a gateway. */
function sign(key: string) {
  return createHmac('sha256', key).update('cloche').digest('hex');
}

export const extension = defineExtension({
  checks: [requestId, rateLimit],
  suites: [bursts],
  hooks: {
    beforeRequest: (request) => ({
      ...request,
      headers: [...request.headers, ['X-Signature', sign(`secret ${request.method} ${request.target}`)]],
    }),
  },
  formats: {
    'plant-code': { test: (text) => /^[A-Z]{3}-\d{4}$/u.test(text), examples: ['FER-0001', 'BAS-0042'] },
  },
});
