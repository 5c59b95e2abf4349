import { describeAnswer } from '../http/describe-answer.ts';
import { decodeUtf8 } from '../http/decode-utf8.ts';
import type { Exchange } from '../http/exchange.ts';
import { headerValue } from '../http/header-list.ts';
import { parseMediaType } from '../http/media-type.ts';
import type { JsonValue } from '../json/json-value.ts';
import { parseJson } from '../json/parse-json.ts';
import type { ProbeExchange } from '../policy/probe.ts';
import { Unanswered } from '../policy/unanswered.ts';

function readJson(bytes: Uint8Array | undefined): JsonValue | undefined {
  const text = bytes === undefined || bytes.length === 0 ? undefined : decodeUtf8(bytes);
  const parsed = text === undefined ? undefined : parseJson(text, { explains: false });
  return parsed?.kind === 'json' ? parsed.value : undefined;
}

/**
 * What a probe reads of an exchange.
 *
 * @throws Unanswered where no answer came
 */
export function toProbeExchange({ request, answer }: Exchange): ProbeExchange {
  if (answer.kind !== 'response') {
    throw new Unanswered(describeAnswer(answer));
  }
  const { status, headers, body } = answer.response;
  const contentType = headerValue(headers, 'content-type');
  return {
    status,
    isAccepted: status >= 200 && status < 300,
    headers,
    mediaType: contentType === undefined ? undefined : parseMediaType(contentType)?.essence,
    sent: readJson(request.body),
    received: readJson(body),
    receivedBytes: body.length,
    sentBytes: request.body?.length ?? 0,
  };
}
