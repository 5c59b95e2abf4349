import type { Operation } from '../../contract/contract.ts';
import { essenceOf } from '../../http/media-type.ts';
import { jsonCodec } from '../../http/codecs/registry.ts';
import { decodeUtf8 } from '../../http/bytes.ts';
import { headerValue, toHeaderList } from '../../http/message.ts';
import { decodeQueryText } from '../../http/query.ts';
import { parseJsonValue } from '../../json/parse.ts';
import type { JsonValue } from '../../json/value.ts';
import type { ValidationMode } from '../../schema/compile.ts';
import { replaceFields } from '../answer/representation.ts';
import type { RefuseFault } from '../faults/inject.ts';
import { sourceOf, type ValidRequest } from '../handlers/stored-form.ts';
import { type MaybePromise, type MockResponse, originOf } from '../message.ts';
import { findProblems } from './find-problems.ts';
import type { Handler, HandlerInput, HandlerResponse, HandlerTools } from './handler.ts';
import { HandlerMistake, readResponse, type ReadResponse } from './read-response.ts';

/** The maximum time that a handler takes, in milliseconds. */
const longestMs = 30_000;

/** A request for a handler, and what the mock needs to run it. */
interface HandlerRun {
  readonly handler: Handler;
  readonly operation: Operation;
  readonly request: ValidRequest;
  /** Returns the built-in response. */
  readonly next: () => MaybePromise<MockResponse>;
  readonly tools: HandlerTools;
  readonly reading: ValidationMode;
  readonly refuseFault: RefuseFault;
}

/**
 * Runs a handler and checks its response against the document. A response that breaks the document is sent with the mark
 * `Cloche-Undeclared: handler`. A handler that fails gets the status 500; the mock goes on.
 */
export async function runHandler(run: HandlerRun): Promise<MockResponse> {
  const { handler, operation, request } = run;
  const builtIn = new WeakMap<object, MockResponse>();
  try {
    const returned: unknown = await withinLimit((async () => handler(createInput(run, builtIn)))());
    const unchanged = typeof returned === 'object' && returned !== null ? builtIn.get(returned) : undefined;
    if (unchanged !== undefined) return unchanged;
    const accept = request.head.header('accept') ?? '*/*';
    return mark(await readResponse(returned, { operation, accept }), run);
  } catch (error) {
    return fail(error, run);
  }
}

async function withinLimit<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const reason = `it did not answer within ${longestMs / 1000} seconds`;
    timer = setTimeout(() => reject(new HandlerMistake(reason)), longestMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function createInput(run: HandlerRun, builtIn: WeakMap<object, MockResponse>): HandlerInput {
  const { operation, request, tools } = run;
  const { content, bytes } = request;
  const source = sourceOf(request);
  const valuesOf = (place: 'path' | 'query'): Record<string, JsonValue> =>
    Object.fromEntries(
      operation.parameters.flatMap((parameter) => {
        const [value] = parameter.in === place ? parameter.read(source) : [];
        return value === undefined ? [] : [[parameter.name, value]];
      }),
    );
  return {
    ...tools,
    request: toFetchRequest(run),
    params: valuesOf('path'),
    query: {
      ...Object.fromEntries(source.query.map(([name, raw]) => [name, decodeQueryText(raw)])),
      ...valuesOf('query'),
    },
    body: content.kind === 'value' ? content.value : bytes,
    respond: (status, body, headers) => ({
      status,
      ...(body === undefined ? {} : { body }),
      ...(headers === undefined ? {} : { headers }),
    }),
    async next() {
      const answer = await run.next();
      const shown = toHandlerResponse(answer);
      builtIn.set(shown, answer);
      return shown;
    },
  };
}

function toFetchRequest({ request: { head, bytes } }: HandlerRun): Request {
  const isPlain = head.method === 'GET' || head.method === 'HEAD';
  const fields = toHeaderList(head.fields()).map(([name, value]): [string, string] => [name, value]);
  return new Request(new URL(head.target, originOf(head)), {
    method: head.method,
    headers: fields,
    ...(bytes === undefined || isPlain ? {} : { body: Uint8Array.from(bytes) }),
  });
}

/** Returns a built-in response in the form that handlers return: JSON as a value, other content as text or bytes. */
function toHandlerResponse({ status, headers, body }: MockResponse): Required<HandlerResponse> {
  const fields: Record<string, string | string[]> = {};
  for (const [name, value] of toHeaderList(headers)) {
    const former = fields[name];
    fields[name] = former === undefined ? value : [former, value].flat();
  }
  const text = typeof body === 'string' ? body : body && decodeUtf8(body);
  const essence = essenceOf(headerValue(toHeaderList(headers), 'content-type') ?? '');
  const value = jsonCodec.matches(essence) ? parseJsonValue(text) : undefined;
  return { status, headers: fields, body: value ?? text ?? body };
}

/** Returns the response with its place in the log, marked if it breaks the document. */
function mark(read: ReadResponse, { operation, request, reading }: HandlerRun): MockResponse {
  const { status, headers, body } = read;
  const problems = findProblems(read, operation, { reading, method: request.head.method });
  const note = { operation: operation.id, handler: 'answered' } as const;
  const [first] = problems;
  if (first === undefined) return { status, headers, body, note };
  return {
    status,
    headers: replaceFields(headers, ['Cloche-Undeclared', 'handler']),
    body,
    note: {
      ...note,
      undeclared: 'handler',
      message: `The response of the handler breaks the document: ${first.reason}.`,
      problems: () => problems,
    },
  };
}

/** Returns the response 500 of a failed handler. The log has the stack of its error. */
function fail(error: unknown, { operation, refuseFault }: HandlerRun): MockResponse {
  const reason = error instanceof Error ? error.message || error.name : String(error);
  const words = error instanceof HandlerMistake ? reason : `it threw "${reason.split('\n', 1)[0]}"`;
  const answer = refuseFault('handler-failed', `${operation.id}: ${words}`);
  const stack = error instanceof Error && !(error instanceof HandlerMistake) ? ownStack(error) : undefined;
  return {
    ...answer,
    note: {
      ...answer.note,
      operation: operation.id,
      handler: 'failed',
      ...(stack === undefined ? {} : { stack }),
    },
  };
}

/** Returns the stack of an error without the frames of the mock. */
function ownStack({ stack = '' }: Error): string {
  const lines = stack.split('\n');
  const own = lines.findIndex((line) => line.includes(`${import.meta.url}:`));
  const path = lines.findIndex((line) => line.includes(`${new URL(import.meta.url).pathname}:`));
  const end = Math.min(...[own, path].filter((at) => at > 0), lines.length);
  return lines.slice(0, end).join('\n');
}
