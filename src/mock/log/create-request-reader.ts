import { decodeUtf8 } from '../../http/decode-utf8.ts';
import type { HeaderList } from '../../http/header-list.ts';
import { headerValue } from '../../http/header-list.ts';
import { bytesOf } from './bytes-of.ts';
import { createHeadHider, hiddenMark, toPairs } from './create-head-hider.ts';
import { explainRefusal } from './explain-refusal.ts';
import type { LoggedMessage, LoggedRequest, RequestProblem } from './logged-request.ts';
import type { LogContext, RawRequest } from './raw-request.ts';
import { toCurlLine } from './to-curl-line.ts';
import { verdictOf } from './verdict-of.ts';

/** Makes what the log shows of requests. */
export interface RequestReader {
  readonly read: (raw: RawRequest) => LoggedRequest;
  /** Takes the credentials of a request out of a text. */
  readonly hide: (raw: RawRequest, text: string) => string;
}

type Body = Omit<LoggedMessage, 'headers'>;

function announcedLength(headers: HeaderList): number {
  const length = headerValue(headers, 'content-length');
  return length !== undefined && /^\d{1,15}$/u.test(length) ? Number(length) : 0;
}

function readRequestBody({ content, leftOut }: RawRequest, headers: HeaderList): Body {
  if (leftOut?.request !== undefined) {
    return { bytes: leftOut.request, missing: 'not-kept' };
  }
  if (typeof content !== 'string') {
    return content === undefined ? { bytes: 0 } : { body: decodeUtf8(content), bytes: content.length };
  }
  const bytes = announcedLength(headers);
  const isNone =
    content === 'not-read' && bytes === 0 && headerValue(headers, 'transfer-encoding') === undefined;
  return isNone ? { bytes } : { bytes, missing: content };
}

function readResponseBody({ answer: { body }, leftOut }: RawRequest): Body {
  if (leftOut?.response !== undefined) {
    return { bytes: leftOut.response, missing: 'not-kept' };
  }
  return body === undefined
    ? { bytes: 0 }
    : { body: typeof body === 'string' ? body : decodeUtf8(body), bytes: bytesOf(body) };
}

function hideInMessage({ body, ...message }: LoggedMessage, hide: (text: string) => string): LoggedMessage {
  const headers = message.headers.map(([name, value]) => [name, hide(value)] as const);
  return body === undefined ? { ...message, headers } : { ...message, headers, body: hide(body) };
}

function hideInProblem(
  { pointer, reason, ...rest }: RequestProblem,
  hide: (text: string) => string,
): RequestProblem {
  return {
    ...rest,
    ...(pointer === undefined ? {} : { pointer: hide(pointer) }),
    reason: hide(reason),
  };
}

/**
 * Prepares the reading of requests under one contract: without credentials, with a curl line, and with all that speaks
 * against them.
 */
export function createRequestReader({ contract, tokens }: LogContext): RequestReader {
  const { credentials, known, hideHead } = createHeadHider({ contract, tokens });

  function readResponse(raw: RawRequest, hide: (text: string) => string): LoggedMessage {
    const headers = credentials.headers(toPairs(raw.answer.headers), () => hiddenMark);
    return hideInMessage({ headers, ...readResponseBody(raw) }, hide);
  }

  function read(raw: RawRequest): LoggedRequest {
    const { answer, id, time, durationMs } = raw;
    const { note } = answer;
    const { fields, headers, target, hide } = hideHead(raw);
    const problems = note.problems?.() ?? explainRefusal(note, contract);
    const body = readRequestBody(raw, fields);
    let curl: string | undefined;
    return {
      id,
      time,
      durationMs: Math.round(durationMs * 1000) / 1000,
      method: hide(raw.method),
      target,
      operation: note.operation,
      status: answer.status,
      verdict: verdictOf(note),
      condition: note.condition,
      undeclared: note.undeclared,
      message: note.message === undefined ? undefined : hide(note.message),
      fault: note.fault,
      problems: problems.map((problem) => hideInProblem(problem, hide)),
      request: hideInMessage({ headers, ...body }, hide),
      response: readResponse(raw, hide),
      // Most readers want none.
      get curl() {
        curl ??= toCurlLine({
          raw,
          fields,
          credentials,
          secrets: known,
          lacksContent: body.missing !== undefined,
        });
        return curl;
      },
    };
  }

  return { read, hide: (raw, text) => hideHead(raw).hide(text) };
}
