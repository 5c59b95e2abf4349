import type { Contract, Operation, SecurityScheme } from '../../contract/contract.ts';
import { createCredentialReplacement } from '../../contract/credentials.ts';
import { decodeQueryText } from '../../http/query.ts';
import { decodeUtf8 } from '../../http/bytes.ts';
import { toCurl } from '../../http/curl.ts';
import { type HeaderList, headerValue, toHeaderList } from '../../http/message.ts';
import { pathOf } from '../../http/path.ts';
import { createTextRedactor } from '../../http/redact.ts';
import { appendPointer } from '../../json/pointer.ts';
import {
  type AnswerNote,
  type BrokenClause,
  type LoggedMessage,
  type LoggedRequest,
  policyClause,
  quoteClause,
  type RequestProblem,
  type TouchedItem,
} from '../message.ts';
import type { RequestLogEntry } from './log-line.ts';
import { bytesOf, type LogContext, type RawRequest } from './ring-buffer.ts';
import { createItemFinder } from './touched-item.ts';

type Hide = (text: string) => string;

/** The parts of a request that may hold credentials, without them. */
interface HiddenHead {
  /** As they came. */
  readonly fields: HeaderList;
  readonly headers: HeaderList;
  readonly target: string;
  readonly hide: Hide;
}

/** What stands in the place of credentials in the log. */
const hiddenMark = '***';
/** A shorter secret stands in words that are none. */
const shortestSecret = 6;

/** Prepares the hiding of credentials in requests under one contract: of those that they carry, and of the mock's tokens. */
function createHeadHider({ contract, tokens }: LogContext) {
  const credentials = createCredentialReplacement(contract);
  // They are looked for everywhere.
  const known = tokens.filter((token) => token.length >= shortestSecret);
  let latest: { readonly secrets: readonly string[]; readonly hide: Hide } | undefined;

  /** Requests that follow each other most often carry the same credentials, and to prepare the search costs most. */
  function hiderOf(secrets: readonly string[]): Hide {
    const before = latest?.secrets;
    const isSame = before?.length === secrets.length && secrets.every((one, index) => one === before[index]);
    if (latest === undefined || !isSame) {
      latest = { secrets, hide: createTextRedactor(secrets, hiddenMark) };
    }
    return latest.hide;
  }

  /** The content of a message as text, without the secrets in its members. */
  function hideContent(body: string | undefined, fields: HeaderList): string | undefined {
    return body && decodeUtf8(credentials.content(new TextEncoder().encode(body), fields, () => hiddenMark));
  }

  function hideHead(raw: RawRequest): HiddenHead {
    const sent = new Set<string>();
    const replace = (secret: string): string => {
      // What answers repeat of it, they have decoded.
      sent.add(secret).add(decodeQueryText(secret));
      return hiddenMark;
    };
    const fields = toHeaderList(raw.fields);
    const headers = credentials.headers(fields, replace);
    const target = credentials.target(raw.target, replace);
    const { note } = raw.answer;
    // What is said of a request may quote its content.
    if ((note.condition ?? note.message) !== undefined && typeof raw.content === 'object')
      credentials.content(raw.content, fields, replace);
    const hide = hiderOf([...known, ...[...sent].filter((secret) => secret.length >= shortestSecret)]);
    return { fields, headers, target: hide(target), hide };
  }

  return { credentials, known, hideContent, hideHead };
}

type Part = Pick<RequestProblem, 'parameter' | 'clause'>;

function documentClause(pointer: string, text: string): BrokenClause {
  return { in: 'document', pointer, text };
}

function header(name: string): RequestProblem['parameter'] {
  return { in: 'header', name };
}

/** Where a scheme wants its credentials (OpenAPI 3.1 §4.8.27). */
function placeOfScheme(scheme: SecurityScheme | undefined): RequestProblem['parameter'] {
  return scheme?.kind === 'api-key' ? { in: scheme.in, name: scheme.parameter } : header('Authorization');
}

function securityClause({ root }: Contract, { pointer, security }: Operation): BrokenClause {
  const own = appendPointer(pointer, 'security');
  const names = security.map((alternative) => alternative.map(({ name }) => name).join(' and '));
  const isOwn = quoteClause(root, own) !== 'security';
  return documentClause(isOwn ? own : '/security', `security: [${names.join(', ')}]`);
}

/** The field that a refusal is about, and the clause that was broken. */
function explainCondition(
  condition: NonNullable<AnswerNote['condition']>,
  contract: Contract,
  operation: Operation | undefined,
): Part {
  const body = operation?.requestBody;
  switch (condition) {
    case 'missing-credentials':
    case 'invalid-credentials':
      if (operation === undefined) return {};
      return {
        parameter: placeOfScheme(operation.security[0]?.[0]),
        clause: securityClause(contract, operation),
      };
    case 'missing-body':
      return body === undefined
        ? {}
        : { clause: documentClause(appendPointer(body.pointer, 'required'), 'required: true') };
    case 'unsupported-media-type': {
      if (body === undefined) return {};
      const text = `content: [${body.media.map(({ range }) => range).join(', ')}]`;
      const clause = documentClause(appendPointer(body.pointer, 'content'), text);
      return { parameter: header('Content-Type'), clause };
    }
    case 'body-too-large':
      return { clause: policyClause('body-limit') };
    case 'too-many-requests':
      return { clause: policyClause('rate-limit') };
    case 'not-acceptable':
      return { parameter: header('Accept') };
    case 'invalid-host':
      return { parameter: header('Host') };
    default:
      return {};
  }
}

/** The field and clause that a request violates outside its body and parameters, found when the log is read. */
function explainRefusal(
  { condition, message, operation: id, forced }: AnswerNote,
  contract: Contract,
): readonly RequestProblem[] {
  if (condition === undefined || message === undefined || forced === true) return [];
  const operation = contract.operations.find((each) => each.id === id);
  const reason = message.replace(/\.$/u, '');
  return [{ reason, ...explainCondition(condition, contract, operation) }];
}

/** Where the mock listens by default; the request itself most often says where. */
const usualUrl = 'http://127.0.0.1:4010';
/** What belongs to the connection, or follows from the content (RFC 9110 §7.6.1). */
const ofConnection = /^(?:host|connection|keep-alive|content-length|transfer-encoding|expect)$/iu;

function baseUrlOf(fields: HeaderList): string {
  const host = headerValue(fields, 'host') ?? '';
  const url = `http://${host}`;
  return /^[\w.:[\]-]+$/u.test(host) && URL.canParse(url) ? url : usualUrl;
}

/** Path and query, where the target is a whole URL too (RFC 9112 §3.2.2). */
function localTarget(target: string): string {
  const query = target.indexOf('?');
  const path = pathOf(target);
  return `${path.startsWith('/') ? path : `/${path}`}${query === -1 ? '' : target.slice(query)}`;
}

/** The request again, as a command line, with variables in the place of credentials; empty for what was no request. */
function toCurlLine(
  raw: RawRequest,
  fields: HeaderList,
  { credentials, known }: Pick<ReturnType<typeof createHeadHider>, 'credentials' | 'known'>,
): string {
  if (raw.method === '-') return '';
  // A short secret may be any word of the body, so what stands in its place is one that nothing else holds.
  const stands = new Map<string, string>();
  const replace = (secret: string): string => {
    const isLong = secret.length >= shortestSecret;
    const stand = stands.get(secret) ?? (isLong ? secret : `secret-of-this-request-${stands.size + 1}`);
    stands.set(secret, stand);
    return stand;
  };
  const kept = fields.filter(([name]) => !ofConnection.test(name));
  const headers = credentials.headers(kept, replace);
  const target = credentials.target(localTarget(raw.target), replace);
  const body =
    typeof raw.content === 'object' ? credentials.content(raw.content, fields, replace) : undefined;
  return toCurl({
    request: { method: raw.method, target, headers, body },
    baseUrl: baseUrlOf(fields),
    secrets: [...stands.values(), ...known],
  });
}

/** What came of a request, in a word. */
export function verdictOf({ condition, forced }: AnswerNote): LoggedRequest['verdict'] {
  if (forced === true) return 'forced';
  return condition === undefined ? 'accepted' : 'refused';
}

/** Makes what the log shows of requests. */
export interface RequestReader {
  readonly read: (raw: RawRequest) => LoggedRequest;
  /** The item that a request was about, with whatever credentials its path may hold. */
  readonly findItem: (raw: RawRequest) => TouchedItem | undefined;
  /** Takes the credentials of a request out of a text. */
  readonly hide: (raw: RawRequest, text: string) => string;
}

type Body = Omit<LoggedMessage, 'headers'>;

function readRequestBody({ content, leftOut }: RawRequest, headers: HeaderList): Body {
  if (leftOut?.request !== undefined) return { bytes: leftOut.request, missing: 'not-kept' };
  if (typeof content !== 'string') {
    return content === undefined ? { bytes: 0 } : { body: decodeUtf8(content), bytes: content.length };
  }
  const announced = headerValue(headers, 'content-length') ?? '';
  const bytes = /^\d{1,15}$/u.test(announced) ? Number(announced) : 0;
  const isNone =
    content === 'not-read' && bytes === 0 && headerValue(headers, 'transfer-encoding') === undefined;
  return isNone ? { bytes } : { bytes, missing: content };
}

function readResponseBody({ answer: { body }, leftOut }: RawRequest): Body {
  if (leftOut?.response !== undefined) return { bytes: leftOut.response, missing: 'not-kept' };
  return body === undefined
    ? { bytes: 0 }
    : { body: typeof body === 'string' ? body : decodeUtf8(body), bytes: bytesOf(body) };
}

function hideInMessage({ body, ...message }: LoggedMessage, hide: Hide): LoggedMessage {
  const headers = message.headers.map(([name, value]) => [name, hide(value)] as const);
  return body === undefined ? { ...message, headers } : { ...message, headers, body: hide(body) };
}

function hideInItem(item: TouchedItem | undefined, hide: Hide): TouchedItem | undefined {
  if (item === undefined) return undefined;
  const { collection, key } = item;
  return { collection: hide(collection), ...(key === undefined ? {} : { key: hide(key) }) };
}

function hideInProblem({ pointer, reason, ...rest }: RequestProblem, hide: Hide): RequestProblem {
  return { ...rest, ...(pointer === undefined ? {} : { pointer: hide(pointer) }), reason: hide(reason) };
}

/** What a line of the log says of a request. Written out: a spread costs more than everything else in a line. */
function toEntry(
  { id, time, durationMs, method, answer: { status, note } }: RawRequest,
  { target, hide }: Pick<HiddenHead, 'target' | 'hide'>,
  contract: Contract,
): RequestLogEntry {
  return {
    id,
    time,
    method,
    target,
    status,
    durationMs,
    operation: note.operation,
    verdict: verdictOf(note),
    condition: note.condition,
    undeclared: note.undeclared,
    sample: note.sample,
    fault: note.fault,
    message: note.message === undefined ? undefined : hide(note.message),
    problems:
      note.condition === undefined
        ? undefined
        : () =>
            (note.problems?.() ?? explainRefusal(note, contract)).map((each) => hideInProblem(each, hide)),
  };
}

/** Prepares a reader of logged requests: it hides credentials, adds a curl line, and lists the problems of each. */
export function createRequestReader({ contract, tokens }: LogContext): RequestReader {
  const hider = createHeadHider({ contract, tokens });
  const { credentials, hideHead, hideContent } = hider;
  const findItem = createItemFinder(contract);

  function read(raw: RawRequest): LoggedRequest {
    const head = hideHead(raw);
    const { fields, headers, hide } = head;
    const entry = toEntry(raw, head, contract);
    const body = readRequestBody(raw, fields);
    const lacksContent = raw.method !== '-' && body.missing !== undefined;
    const responseFields = toHeaderList(raw.answer.headers);
    const responseHeaders = credentials.headers(responseFields, () => hiddenMark);
    const received = readResponseBody(raw);
    let curl: string | undefined;
    return {
      ...entry,
      durationMs: Math.round(raw.durationMs * 1000) / 1000,
      method: hide(raw.method),
      item: hideInItem(findItem(raw), hide),
      problems: entry.problems?.() ?? [],
      request: hideInMessage({ headers, ...body, body: hideContent(body.body, fields) }, hide),
      response: hideInMessage(
        { headers: responseHeaders, ...received, body: hideContent(received.body, responseFields) },
        hide,
      ),
      // Most readers want none.
      get curl() {
        curl ??= `${toCurlLine(raw, fields, hider)}${lacksContent ? ' # without its content' : ''}`;
        return curl;
      },
    };
  }

  return { read, findItem, hide: (raw, text) => hideHead(raw).hide(text) };
}

/** Adds the place in the document to each clause. It reads the whole document: use it for one request, not for a list. */
export function locateClauses(
  problems: readonly RequestProblem[],
  { placeOf, locate }: Pick<Contract, 'placeOf' | 'locate'>,
): readonly RequestProblem[] {
  return problems.map((problem) => {
    const { clause } = problem;
    if (clause?.in !== 'document') return problem;
    const location = locate(placeOf(clause.pointer));
    return location === undefined ? problem : { ...problem, clause: { ...clause, location } };
  });
}

/** Prepares what a line of the log says of a request. */
export function createEntryMaker(context: LogContext): (raw: RawRequest) => RequestLogEntry {
  const { hideHead } = createHeadHider(context);
  const paths = context.contract.operations.map(({ path }) => path.template);
  const literal = new Set(paths.filter((path) => !path.includes('{')));

  /** Whether its line can hold nothing but what the contract itself says, so that it needs no look for credentials. */
  function isPlain({ target, answer: { note } }: RawRequest): boolean {
    return note.message === undefined && note.condition === undefined && literal.has(target);
  }

  const shown = ({ target }: RawRequest) => ({ target, hide: (text: string): string => text });
  return (raw) => toEntry(raw, isPlain(raw) ? shown(raw) : hideHead(raw), context.contract);
}
