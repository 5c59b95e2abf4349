import type { Operation } from '../../contract/contract.ts';
import { joinBytes } from '../../http/bytes.ts';
import { parseQuery } from '../../http/query.ts';
import { ClocheError, type ErrorCode } from '../../errors/cloche-error.ts';
import { closestWord } from '../../errors/suggest.ts';
import { isJsonMediaType, parseMediaType } from '../../http/media-type.ts';
import { pathOf } from '../../http/path.ts';
import { ExactNumber, toPlainNumbers } from '../../json/exact-number.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { withDocumentAnswers } from '../../policy/document-answers.ts';
import { createPolicy } from '../../policy/policy.ts';
import { createEventLoopYield } from '../clock.ts';
import { type OperationHandler, sourceOf, type ValidRequest } from '../handlers/stored-form.ts';
import {
  type MockResponse,
  type Mounted,
  type Reach,
  type RequestContent,
  type RequestHead,
  shorten,
} from '../message.ts';
import { prepareMockContext } from '../mock-context.ts';
import { createResponder } from '../responder.ts';
import { DataError } from '../state/rows.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { createGuard } from './access.ts';
import { buildControlContract } from './document.ts';
import { controlOperations } from './operations.ts';
import { readRows } from './read-rows.ts';
import { splitControlLine } from './calls.ts';
import {
  mostControlBytes,
  type ControlContext,
  type ControlOperation,
  controlPrefix,
  type ControlRequest,
  type ControlResult,
  type ServePage,
  refuse,
} from './operation.ts';

/** The same for every mock; the module is loaded at the first request. */
const contract = buildControlContract();

/** The fields that forbid caching, access from other origins and content sniffing. */
const ownFields = [
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
  'Cross-Origin-Resource-Policy',
  'same-origin',
];

/** The response for `/` if there is no inspector. */
const signpost = { document: `${controlPrefix}/openapi.json`, message: 'The control interface of Cloche.' };

/** Creates the handler of the control interface: a mock of its document, whose operations act on the mock. */
export function createControl(input: {
  readonly context: ControlContext;
  readonly token: string | undefined;
  readonly servePage: ServePage | undefined;
}): Pick<Mounted, 'refuse' | 'answer'> {
  const { context, token, servePage } = input;
  const guard = createGuard(token);
  const apart: RowsApart = new WeakMap();
  const mockContext = prepareMockContext(contract, {
    policy: withDocumentAnswers(createPolicy({ 'accepted-tokens': 'any' }), contract),
    contentLimit: mostControlBytes,
    // It stays empty: each operation acts on the mock.
    store: createMemoryStore(),
    tokens: 'any',
    samples: new Map(contract.operations.map((operation) => [operation, toAct(operation, context, apart)])),
    clock: Date.now,
  });
  const responder = createResponder(mockContext);

  async function respond(head: RequestHead, content: RequestContent): Promise<MockResponse> {
    const received = responder.receive(head);
    if (received.kind === 'early-response') return received.answer;
    const [method, path] = splitControlLine('importState');
    const isImport = received.path === path && head.method === method;
    if (!isImport || !isLargeJson(head, content)) return responder.respond(received, content);
    const read = await readRows(content);
    if (read.kind === 'refused') return complete(await toAnswer(refuse(read.status, read.message)));
    apart.set(head, read.rows);
    return responder.respond(received, read.frame);
  }

  async function findPage(head: RequestHead): Promise<MockResponse | undefined> {
    const path = pathOf(head.target).slice(controlPrefix.length);
    if (head.method !== 'GET' && head.method !== 'HEAD') return undefined;
    if (path === '') return { status: 308, headers: ['Location', `${controlPrefix}/`], body: '', note: {} };
    const isPage = path === '/' || path === '/docs' || path.startsWith('/inspector/');
    const page = isPage ? await servePage?.(path) : undefined;
    return page ?? (path === '/' ? toAnswer({ status: 200, body: signpost }) : undefined);
  }

  function complete(answer: MockResponse): MockResponse {
    const challenge = answer.status === 401 ? ['WWW-Authenticate', 'Bearer realm="cloche control"'] : [];
    return { ...answer, headers: [...answer.headers, ...challenge, ...ownFields] };
  }

  async function reject(head: RequestHead, reach: Reach): Promise<MockResponse | undefined> {
    const refused = guard(head, reach);
    return refused === undefined ? undefined : complete(await toAnswer(refused));
  }

  return {
    refuse: ({ head, reach }) => reject(head, reach),
    async answer({ head, content, reach }) {
      // The page contains no data of the mock; it requests what it shows.
      const page = await findPage(head);
      if (page !== undefined) return head.method === 'HEAD' ? { ...page, body: undefined } : page;
      return (await reject(head, reach)) ?? complete(await respond(head, content));
    },
  };
}

/** Returns true for large JSON content, which is read in slices. The regular checks refuse other content. */
function isLargeJson(head: RequestHead, content: RequestContent): content is Uint8Array {
  if (!(content instanceof Uint8Array) || content.length <= chunkLength) return false;
  const type = parseMediaType(head.header('content-type') ?? '');
  const isJson = type !== undefined && isJsonMediaType(type.essence);
  return isJson && head.header('content-encoding') === undefined;
}

/** The rows of imports that were read apart from the rest of their bodies, by the heads of their requests. */
type RowsApart = WeakMap<RequestHead, JsonObject>;

// `as`: each handler gets only requests to its own operation.
const handlers = new Map(Object.entries(controlOperations)) as unknown as ReadonlyMap<
  string,
  ControlOperation<never, unknown>
>;

/** Creates the handler of an operation. */
function toAct(operation: Operation, context: ControlContext, apart: RowsApart): OperationHandler {
  const handle = handlers.get(operation.id);
  return async (request) => {
    const refused = refuseStrayParameter(operation, request.head.target);
    if (refused !== undefined) return toAnswer(refused);
    try {
      const rows = apart.get(request.head);
      const result = await handle?.(readRequest(operation, request, rows), context);
      return await toAnswer(result ?? { status: 204 });
    } catch (error) {
      return toAnswer(toFailure(error));
    }
  };
}

function readRequest(
  operation: Operation,
  request: ValidRequest,
  rows: JsonObject | undefined,
): ControlRequest<never> {
  const { content } = request;
  const source = sourceOf(request);
  const sent = operation.parameters.map(({ name, read }) => [name, toPlainNumbers(read(source)[0])] as const);
  const parameters = Object.fromEntries(sent.filter(([, value]) => value !== undefined));
  const body = rows ?? (content.kind === 'value' ? content.value : undefined);
  // `as`: the document accepts only values of the operation's types.
  return { parameters, body } as ControlRequest<never>;
}

/** Refuses a misspelt or repeated query parameter, which would otherwise be ignored without notice. */
function refuseStrayParameter(operation: Operation, target: string): ControlResult | undefined {
  const known = operation.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  const sent = parseQuery(target).map(([name]) => name);
  const stray = sent.find((name) => !known.includes(name));
  if (stray === undefined) {
    const repeated = sent.find((name, index) => sent.indexOf(name) !== index);
    return repeated === undefined
      ? undefined
      : refuse(400, `The query parameter ${JSON.stringify(repeated)} is there twice: give it once.`);
  }
  const closest = closestWord(stray, known);
  const hint =
    closest === undefined ? `it takes ${known.join(', ') || 'none'}.` : `did you mean "${closest}"?`;
  return refuse(400, `There is no query parameter ${JSON.stringify(shorten(stray))} here: ${hint}`);
}

/** Converts a value to JSON: leaves out members that are undefined. */
export function toJson(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'object' && value !== null && !(value instanceof ExactNumber)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(members.map(([name, member]) => [name, toJson(member)]));
  }
  // `as`: operations answer with JSON values only.
  return value as JsonValue;
}

/** The depth from which members are written in one step: a resource of an export, a request of the log. */
const writtenDepth = 2;
/** The number of characters that are encoded together. */
const chunkLength = 65_536;

/** Writes a body, its numbers digit for digit. A large one is written in slices, with other requests in between. */
async function print(body: unknown): Promise<string | Uint8Array> {
  const yieldToEventLoop = createEventLoopYield();
  const encoder = new TextEncoder();
  const chunks: Uint8Array[] = [];
  let text = '';

  async function write(value: unknown, depth: number): Promise<void> {
    const pause = yieldToEventLoop();
    if (pause !== undefined) await pause;
    if (text.length > chunkLength) {
      chunks.push(encoder.encode(text));
      text = '';
    }
    if (depth === 0 || typeof value !== 'object' || value === null || value instanceof ExactNumber) {
      text += stringifyJson(toJson(value));
      return;
    }
    const isList = Array.isArray(value);
    const members: Iterable<[number | string, unknown]> = isList ? value.entries() : Object.entries(value);
    let isFirst = true;
    text += isList ? '[' : '{';
    for (const [name, member] of members) {
      if (member === undefined && !isList) continue;
      text += `${isFirst ? '' : ','}${isList ? '' : `${JSON.stringify(name)}:`}`;
      isFirst = false;
      await write(member, depth - 1);
    }
    text += isList ? ']' : '}';
  }

  await write(body, writtenDepth);
  return chunks.length === 0 ? text : joinBytes([...chunks, encoder.encode(text)]);
}

/** Converts the result of an operation to a response. */
async function toAnswer({ status, body, location }: ControlResult): Promise<MockResponse> {
  if (body === undefined) return { status, headers: [], body: status === 204 ? undefined : '', note: {} };
  const led = location === undefined ? [] : ['Location', `${controlPrefix}${location}`];
  const headers = ['Content-Type', 'application/json', ...led];
  return { status, headers, body: await print(body), note: {} };
}

/** The statuses of errors that the client can fix, and of an unusable store. */
const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  OPTION_INVALID: 422,
  POLICY_INVALID: 422,
  DATA_INVALID: 422,
  SCHEMA_UNUSABLE: 422,
  STORE_UNUSABLE: 503,
};

/** Returns the response to a request that failed; rethrows a bug of the mock. */
function toFailure(error: unknown): ControlResult {
  const code = error instanceof ClocheError ? statuses[error.code] : undefined;
  if (!(error instanceof ClocheError) || code === undefined) throw error;
  const rows = error instanceof DataError ? error.rows : undefined;
  return { status: code, body: { code, message: error.message, rows } };
}
