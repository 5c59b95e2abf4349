import { decodeUtf8 } from '../http/bytes.ts';
import { describeAnswer } from '../http/failures.ts';
import { parseMediaType } from '../http/media-type.ts';
import { type Exchange, headerValue } from '../http/message.ts';
import { isSuccessStatus } from '../http/status.ts';
import { parseJsonValue } from '../json/parse.ts';
import type { JsonValue } from '../json/value.ts';
import { type ProbeExchange, Unanswered } from '../policy/behaviour.ts';

/** Converts an exchange for a probe. @throws Unanswered if there was no response */
export function toProbeExchange({ request, answer }: Exchange): ProbeExchange {
  if (answer.kind !== 'response') throw new Unanswered(describeAnswer(answer));
  const { status, headers, body } = answer.response;
  const contentType = headerValue(headers, 'content-type');
  return {
    status,
    isAccepted: isSuccessStatus(status),
    headers,
    mediaType: contentType === undefined ? undefined : parseMediaType(contentType)?.essence,
    sent: readJson(request.body),
    received: readJson(body),
    receivedBytes: body.length,
    sentBytes: request.body?.length ?? 0,
  };
}

/** Returns the JSON value of some bytes; undefined if they are not JSON. */
function readJson(bytes: Uint8Array | undefined): JsonValue | undefined {
  return parseJsonValue(bytes && decodeUtf8(bytes));
}
