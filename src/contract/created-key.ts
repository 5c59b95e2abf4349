import { headerValue, type HeaderList } from '../http/message.ts';
import { memberAt } from '../json/pointer.ts';
import { isJsonNumber, type JsonValue } from '../json/value.ts';
import type { OperationKind } from './contract.ts';

/** What a create says of the key of the item that it made. */
export type CreatedKey =
  /** As the answer shows it, or as it was sent. */
  | { readonly from: 'answer' | 'request'; readonly key: JsonValue }
  /** The last segment of the path of `Location` (RFC 9110 §10.2.2), as it stands there. */
  | { readonly from: 'location'; readonly segment: string };

/** Reads the key of what a create made: a text, or a number; undefined where nothing says it. */
export function readCreatedKey(
  { key, request, response }: Extract<OperationKind, { readonly kind: 'create' }>,
  exchange: {
    readonly sent: JsonValue | undefined;
    readonly received: JsonValue | undefined;
    /** Those of the answer. */
    readonly headers: HeaderList;
  },
): CreatedKey | undefined {
  if (key.kind !== 'none') {
    const shown = memberAt(exchange.received, [...(response ?? []), key.property]);
    if (isKey(shown)) return { from: 'answer', key: shown };
    const sent = key.kind === 'client' ? memberAt(exchange.sent, [...request, key.property]) : undefined;
    if (isKey(sent)) return { from: 'request', key: sent };
  }
  const location = headerValue(exchange.headers, 'location')?.replace(/\/?(?:[?#].*)?$/su, '');
  const segment = location?.split('/').at(-1) ?? '';
  return segment === '' ? undefined : { from: 'location', segment };
}

function isKey(value: JsonValue | undefined): value is JsonValue {
  return value !== undefined && value !== '' && (typeof value === 'string' || isJsonNumber(value));
}
