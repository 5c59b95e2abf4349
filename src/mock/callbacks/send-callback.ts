import type { OutgoingRequest } from '../../contract/contract.ts';
import { createCredentialReplacement } from '../../contract/credentials.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { decodeUtf8 } from '../../http/bytes.ts';
import { loadParsers } from '../../http/codecs/registry.ts';
import { type HeaderList, headerValue, toHeaderList } from '../../http/message.ts';
import { decodePathText, decodeQueryText } from '../../http/query.ts';
import { createTextRedactor } from '../../http/redact.ts';
import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import type { JsonValue } from '../../json/value.ts';
import { listSentMedia, writeContent } from '../answer/representation.ts';
import { makeSampleBody } from '../answer/sample-body.ts';
import type { ValidRequest } from '../handlers/stored-form.ts';
import { type MockResponse, originOf } from '../message.ts';
import type { CallbackParts, SentCallback } from './callback.ts';
import { type CallbackExchange, evaluateTemplate } from './runtime-expression.ts';

type Sent = Omit<SentCallback, 'id' | 'time'>;
type Unsent = Pick<SentCallback, 'outcome' | 'attempts' | 'message'>;

interface SendParts extends CallbackParts {
  readonly signal: AbortSignal;
}

/** The product of the mock in User-Agent, by which it recognises its own requests. */
const userAgent = 'cloche-mock';
/** The maximum length of a body in the list, in characters. */
const longestBody = 16_384;
/** The minimum length of a secret that is replaced everywhere; a shorter one may be part of other words. */
const shortestSecret = 6;

/** Sends the callbacks of an operation after its response, and records each. */
export async function sendCallbacks(
  {
    operation,
    callbacks,
    request,
    answer,
  }: {
    readonly operation: string;
    readonly callbacks: readonly OutgoingRequest[];
    readonly request: ValidRequest;
    readonly answer: MockResponse;
  },
  parts: SendParts & { readonly record: (sent: Sent) => void },
): Promise<void> {
  const exchange = toExchange(request, answer);
  const hide = createHider(parts, request);
  await Promise.all(
    callbacks.map(async (callback) => {
      const { name, method, url: template = '' } = callback;
      const evaluated = evaluateTemplate(template, exchange);
      const about = { kind: 'callback', name, operation, method } as const;
      if ('missing' in evaluated) {
        const message = `the exchange has no ${evaluated.missing}`;
        parts.record({ ...about, url: template, outcome: 'failed', attempts: 0, message });
        return;
      }
      const isOwn = request.head.header('user-agent') === userAgent;
      const refused: Unsent | undefined = isOwn
        ? { outcome: 'refused', attempts: 0, message: 'the request is itself a callback of a mock' }
        : refuseUrl(evaluated.text, parts);
      const made = refused ?? (await deliver(callback, { url: evaluated.text, body: undefined }, parts));
      parts.record({ ...about, url: hide(evaluated.text), ...hideBody(made, hide) });
    }),
  );
}

/** Sends a webhook. With callbacks off, it may go to this machine. */
export async function sendWebhook(
  {
    request,
    url,
    body,
  }: { readonly request: OutgoingRequest; readonly url: string; readonly body: JsonValue | undefined },
  parts: SendParts,
): Promise<Sent> {
  const hide = createHider(parts);
  const refused = refuseUrl(url, { ...parts, mode: parts.mode === 'off' ? 'loopback' : parts.mode });
  const made = refused ?? (await deliver(request, { url, body }, parts));
  const { name, method } = request;
  return { kind: 'webhook', name, method, url: hide(url), ...hideBody(made, hide) };
}

function toExchange(
  { head, parameters, content, bytes }: ValidRequest,
  answer: MockResponse,
): CallbackExchange {
  const { status, headers, body } = answer;
  const fields = toHeaderList(headers);
  const whole = head.target.startsWith('/') ? originOf(head) + head.target : head.target;
  return {
    url: whole,
    method: head.method,
    statusCode: status,
    path: parameters,
    request: {
      header: (name) => head.header(name),
      body: content.kind === 'value' ? content.value : readJson(bytes),
    },
    response: { header: (name) => headerValue(fields, name), body: readJson(body) },
  };
}

function readJson(content: string | Uint8Array | undefined): JsonValue | undefined {
  const text = typeof content === 'object' ? decodeUtf8(content) : content;
  const read = text === undefined ? undefined : parseJson(text, { explains: false });
  return read?.kind === 'json' ? read.value : undefined;
}

/** A literal loopback address as a URL has it (RFC 1122 §3.2.1.3, RFC 4291 §2.5.3), or localhost (RFC 6761 §6.3). */
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/u;

/** Returns why a URL gets no request; undefined if it may get one. */
function refuseUrl(
  text: string,
  { mode, controlPrefix }: Pick<CallbackParts, 'mode' | 'controlPrefix'>,
): Unsent | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/u.test(url.protocol)) {
    return { outcome: 'failed', attempts: 0, message: 'it is no http or https URL' };
  }
  if (mode === 'off') return { outcome: 'off', attempts: 0, message: '--callbacks off' };
  const refuse = (message: string): Unsent => ({ outcome: 'refused', attempts: 0, message });
  if (mode === 'loopback' && !loopbackHost.test(url.hostname)) {
    return refuse(`${url.hostname} is not this machine, and --callbacks is not any`);
  }
  if (url.username !== '' || url.password !== '') return refuse('the URL has a user name or a password');
  // The control interface trusts programs on this machine. A web page must not reach it through the mock.
  return decodePathText(url.pathname).includes(controlPrefix)
    ? refuse(`callbacks never go to ${controlPrefix}`)
    : undefined;
}

const toBytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Makes the body of a request and sends it. */
async function deliver(
  request: OutgoingRequest,
  given: { readonly url: string; readonly body: JsonValue | undefined },
  { deliver: send, sampling, signal }: SendParts,
): Promise<Unsent & { readonly content?: Content | undefined }> {
  if (send === undefined) return { outcome: 'off', attempts: 0, message: 'a browser sends no callbacks' };
  try {
    const content = await makeContent(request, given.body, sampling);
    const headers: HeaderList = [['User-Agent', userAgent], ['Accept', '*/*'], ...(content?.headers ?? [])];
    const { method } = request;
    const url = new URL(given.url);
    return { ...(await send({ url, method, headers, body: content?.bytes, signal })), content };
  } catch (error) {
    // The client has its response already, so the list reports the error.
    const message = error instanceof ClocheError ? error.reason : String(error);
    return { outcome: 'failed', attempts: 0, message };
  }
}

interface Content {
  readonly headers: HeaderList;
  readonly bytes: Uint8Array;
}

/**
 * Returns the content of a request: the given body, an example of the document, or a generated value.
 *
 * @throws ClocheError SCHEMA_UNUSABLE if its schema cannot be compiled, or no value is found
 */
async function makeContent(
  { name, method, requestBody, pointer }: OutgoingRequest,
  body: JsonValue | undefined,
  sampling: CallbackParts['sampling'],
): Promise<Content | undefined> {
  const { media = [] } = requestBody ?? {};
  await loadParsers(media);
  const [sent] = listSentMedia(media);
  if (sent === undefined) {
    if (body === undefined) return undefined;
    return { headers: [['Content-Type', 'application/json']], bytes: toBytes(stringifyJson(body)) };
  }
  const operation = { id: `${method} ${name}`, path: { template: `/${name}` } };
  const made =
    body === undefined
      ? (await makeSampleBody({ ...sampling, operation, sent, without: 'readOnly' }))?.content
      : writeContent(sent, body);
  if (made === undefined) {
    throw new ClocheError('SCHEMA_UNUSABLE', {
      attempt: 'make the body of',
      subject: pointer,
      reason: `no value was found that the schema at ${sent.media.schema?.pointer ?? pointer} accepts`,
      remedy: 'Add an example',
    });
  }
  const bytes = typeof made === 'string' ? toBytes(made) : made;
  return { headers: [['Content-Type', sent.contentType]], bytes };
}

type Hide = (text: string, headers?: HeaderList) => string;

/** Creates the function that hides credentials: those of the mock and of a request, and members of a URL or a body. */
function createHider({ contract, secrets }: CallbackParts, request?: ValidRequest): Hide {
  const credentials = createCredentialReplacement(contract());
  const known = [...secrets];
  const note = (secret: string): string => {
    known.push(secret, decodeQueryText(secret));
    return '***';
  };
  if (request !== undefined) {
    const fields = toHeaderList(request.head.fields());
    credentials.headers(fields, note);
    credentials.target(request.head.target, note);
    if (request.bytes !== undefined) credentials.content(request.bytes, fields, note);
  }
  const hide = createTextRedactor(
    known.filter((secret) => secret.length >= shortestSecret),
    '***',
  );
  return (text, headers) =>
    hide(
      headers === undefined
        ? credentials.target(text, () => '***')
        : (decodeUtf8(credentials.content(toBytes(text), headers, () => '***')) ?? ''),
    );
}

/** Returns an outcome with the sent content as text, without its credentials. */
function hideBody(
  { content, ...made }: Unsent & { readonly content?: Content | undefined },
  hide: Hide,
): Unsent & Pick<SentCallback, 'body'> {
  const text = content && decodeUtf8(content.bytes);
  return text === undefined ? made : { ...made, body: hide(text, content?.headers).slice(0, longestBody) };
}
