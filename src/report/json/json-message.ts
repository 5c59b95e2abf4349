import { addDefaultHeaders } from '../../http/add-default-headers.ts';
import type { Answer } from '../../http/answer.ts';
import type { Redactor } from '../../http/create-redactor.ts';
import type { HeaderList } from '../../http/header-list.ts';
import type { HttpRequest } from '../../http/http-request.ts';
import { showBytes } from '../show-bytes.ts';
import type { JsonPart } from './json-part.ts';

function headersToJson(headers: HeaderList, redactor: Redactor): readonly JsonPart[] {
  return redactor.headers(headers).map(([name, value]) => ({ name, value }));
}

/**
 * A request as the JSON report has it.
 *
 * @param input.headers - what was sent with every request besides its own
 */
export function requestToJson(
  request: HttpRequest,
  { redactor, headers }: { readonly redactor: Redactor; readonly headers: HeaderList },
): JsonPart {
  return {
    method: request.method,
    target: redactor.text(request.target),
    headers: headersToJson(addDefaultHeaders(request.headers, headers), redactor),
    body: request.body === undefined ? null : showBytes(request.body, redactor),
  };
}

/** An answer as the JSON report has it; `kind` says whether it is a response. */
export function answerToJson(answer: Answer, redactor: Redactor): JsonPart {
  switch (answer.kind) {
    case 'response': {
      const { status, headers, body, undecoded, cutAfter } = answer.response;
      return {
        kind: answer.kind,
        status,
        headers: headersToJson(headers, redactor),
        body: showBytes(body, redactor),
        ...(undecoded === undefined ? {} : { undecoded }),
        ...(cutAfter === undefined ? {} : { cutAfter }),
        ...(answer.trailing === undefined ? {} : { trailing: showBytes(answer.trailing, redactor) }),
      };
    }
    case 'timed-out':
      return { kind: answer.kind, afterMs: answer.afterMs, received: showBytes(answer.received, redactor) };
    case 'dropped':
    case 'not-http':
      return {
        kind: answer.kind,
        reason: redactor.text(answer.reason),
        received: showBytes(answer.received, redactor),
      };
    case 'unreachable':
      return { kind: answer.kind, reason: redactor.text(answer.reason) };
  }
}
