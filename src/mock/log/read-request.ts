import type { Contract, Operation, SecurityScheme } from '../../contract/contract.ts';
import { createCredentialReplacement } from '../../contract/credentials.ts';
import { decodeQueryText } from '../../http/query.ts';
import { decodeUtf8 } from '../../http/bytes.ts';
import { toCurl } from '../../http/curl.ts';
import { type HeaderList, headerValue, toHeaderList } from '../../http/message.ts';
import { toOriginForm } from '../../http/path.ts';
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

/** The head of a request with its credentials replaced. */
interface HiddenHead {
  /** The fields as received. */
  readonly fields: HeaderList;
  readonly headers: HeaderList;
  readonly target: string;
  readonly hide: Hide;
}

/** The replacement of credentials in the log. */
const hiddenMark = '***';
/** The minimum length of a secret that is replaced everywhere; a shorter one may be part of other words. */
const shortestSecret = 6;

/** Creates the function that hides the credentials of requests under one contract, and the tokens of the mock. */
function createHeadHider({ contract, tokens }: LogContext) {
  const credentials = createCredentialReplacement(contract);
  // These are replaced everywhere.
  const known = tokens.filter((token) => token.length >= shortestSecret);
  let latest: { readonly secrets: readonly string[]; readonly hide: Hide } | undefined;

  /** Caches the redactor: consecutive requests often carry the same credentials, and preparing it is expensive. */
  function hiderOf(secrets: readonly string[]): Hide {
    const before = latest?.secrets;
    const isSame = before?.length === secrets.length && secrets.every((one, index) => one === before[index]);
    if (latest === undefined || !isSame) {
      latest = { secrets, hide: createTextRedactor(secrets, hiddenMark) };
    }
    return latest.hide;
  }

  /** Returns the content of a message as text, without the secrets in its members. */
  function hideContent(body: string | undefined, fields: HeaderList): string | undefined {
    return body && decodeUtf8(credentials.content(new TextEncoder().encode(body), fields, () => hiddenMark));
  }

  function hideHead(raw: RawRequest): HiddenHead {
    const sent = new Set<string>();
    const replace = (secret: string): string => {
      // Responses repeat it decoded.
      sent.add(secret).add(decodeQueryText(secret));
      return hiddenMark;
    };
    const fields = toHeaderList(raw.fields);
    const headers = credentials.headers(fields, replace);
    const target = credentials.target(raw.target, replace);
    const { note } = raw.answer;
    // The message about a request may quote its content.
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

/** Returns the place of the credentials of a scheme (OpenAPI 3.1 §4.8.27). */
function placeOfScheme(scheme: SecurityScheme | undefined): RequestProblem['parameter'] {
  return scheme?.kind === 'api-key' ? { in: scheme.in, name: scheme.parameter } : header('Authorization');
}

function securityClause({ root }: Contract, { pointer, security }: Operation): BrokenClause {
  const own = appendPointer(pointer, 'security');
  const names = security.map((alternative) => alternative.map(({ name }) => name).join(' and '));
  const isOwn = quoteClause(root, own) !== 'security';
  return documentClause(isOwn ? own : '/security', `security: [${names.join(', ')}]`);
}

/** Returns the field that a refusal is about, and the broken clause. */
function explainCondition(
  condition: NonNullable<AnswerNote['condition']>,
  contract: Contract,
  operation: Operation | undefined,
): Part {
  const body = operation?.requestBody;
  switch (condition) {
    case 'missing-credentials':
    case 'invalid-credentials':
    case 'insufficient-scope':
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

/** The default URL of the mock; most requests name their URL in Host. */
const usualUrl = 'http://127.0.0.1:4010';
/** Fields of the connection, and those that follow from the content (RFC 9110 §7.6.1). */
const ofConnection = /^(?:host|connection|keep-alive|content-length|transfer-encoding|expect)$/iu;

function baseUrlOf(fields: HeaderList): string {
  const host = headerValue(fields, 'host') ?? '';
  const url = `http://${host}`;
  return /^[\w.:[\]-]+$/u.test(host) && URL.canParse(url) ? url : usualUrl;
}

/** Returns the path and query of a target, which may be a whole URL (RFC 9112 §3.2.2). */
function localTarget(target: string): string {
  const local = toOriginForm(target);
  return local.startsWith('/') ? local : `/${local}`;
}

/** Formats a request as a command line with variables for credentials; empty if it could not be read. */
function toCurlLine(
  raw: RawRequest,
  fields: HeaderList,
  { credentials, known }: Pick<ReturnType<typeof createHeadHider>, 'credentials' | 'known'>,
): string {
  if (raw.method === '-') return '';
  // A short secret may be any word of the body, so its replacement is a text that occurs only there.
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

/** Returns the verdict of a request. */
export function verdictOf({ condition, forced }: AnswerNote): LoggedRequest['verdict'] {
  if (forced === true) return 'forced';
  return condition === undefined ? 'accepted' : 'refused';
}

/** A reader that converts stored requests to entries of the log. */
export interface RequestReader {
  readonly read: (raw: RawRequest) => LoggedRequest;
  /** Finds the item that a request was about; its path may contain credentials. */
  readonly findItem: (raw: RawRequest) => TouchedItem | undefined;
  /** Replaces the credentials of a request in a text. */
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

/** Converts a request to a line of the log. It avoids a spread, which would cost more than the rest. */
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
    handler: note.handler,
    stack: note.stack === undefined ? undefined : hide(note.stack),
    message: note.message === undefined ? undefined : hide(note.message),
    problems:
      note.condition === undefined && note.problems === undefined
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
      // Most readers do not need it.
      get curl() {
        curl ??= `${toCurlLine(raw, fields, hider)}${lacksContent ? ' # without its content' : ''}`;
        return curl;
      },
    };
  }

  return { read, findItem, hide: (raw, text) => hideHead(raw).hide(text) };
}

/** Adds the position in the document to each clause. It reads the whole document: use it for one request only. */
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

/** Creates a function that converts requests to lines of the log. */
export function createEntryMaker(context: LogContext): (raw: RawRequest) => RequestLogEntry {
  const { hideHead } = createHeadHider(context);
  const paths = context.contract.operations.map(({ path }) => path.template);
  const literal = new Set(paths.filter((path) => !path.includes('{')));

  /** Returns true if a line contains only texts of the contract, so no credentials need to be searched. */
  function isPlain({ target, answer: { note } }: RawRequest): boolean {
    return note.message === undefined && note.condition === undefined && literal.has(target);
  }

  const shown = ({ target }: RawRequest) => ({ target, hide: (text: string): string => text });
  return (raw) => toEntry(raw, isPlain(raw) ? shown(raw) : hideHead(raw), context.contract);
}
