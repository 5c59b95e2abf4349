import type { Operation, OperationKind, Resource } from '../contract/contract.ts';
import { idText, listItems } from '../contract/list-pages.ts';
import { keptRole } from '../contract/resources.ts';
import { headerValue } from '../http/message.ts';
import { isAbsentStatus } from '../http/status.ts';
import { memberAt } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { type ProbeItem, type ProbeItems, Unanswered } from './behaviour.ts';

/** Returns the first operation with a role on a resource. */
export function findRole(
  operations: readonly Operation[],
  { collection }: Resource,
  role: OperationKind['kind'],
): Operation | undefined {
  return operations.find((each) => {
    const own = keptRole(each);
    return own?.kind === role && own.resource.collection === collection;
  });
}

/** Returns the resource whose items a nested collection belongs to. */
export function findParent(operations: readonly Operation[], { parent }: Resource): Resource | undefined {
  return operations
    .flatMap((each) => keptRole(each)?.resource ?? [])
    .find((each) => each.collection === parent);
}

/** Returns an item as a read or a list shows it; undefined if it is missing. @throws Unanswered if nothing shows it */
export async function showItem(
  items: Pick<ProbeItems, 'operation' | 'send'>,
  item: ProbeItem,
): Promise<JsonObject | undefined> {
  const reader = items.operation(item.resource, 'read');
  const shower = reader ?? items.operation(item.resource, 'list');
  if (shower === undefined) throw new Unanswered('no operation shows what was created');
  const exchange = await items.send(shower, item);
  if (isAbsentStatus(exchange.status)) return undefined;
  if (!exchange.isAccepted) {
    throw new Unanswered(`${reader ? 'reading an item' : 'a list'} is answered ${exchange.status}`);
  }
  const role = keptRole(shower);
  if (reader !== undefined) {
    const path = role !== undefined && 'response' in role ? role.response : undefined;
    const shown = memberAt(exchange.received, path ?? []);
    return isJsonObject(shown) ? shown : {};
  }
  const found = listItems(shower, exchange.received).find(({ id }) => idText(id) === idText(item.id));
  return found && (found.value ?? {});
}

/** Returns the ETag of an item (RFC 9110 §8.8.3), or `*`, which every item matches. */
export async function readTag(
  items: Pick<ProbeItems, 'operation' | 'send'>,
  place: Parameters<ProbeItems['send']>[1],
): Promise<string> {
  const reader = items.operation(place.resource, 'read');
  const exchange = reader && place.id !== undefined ? await items.send(reader, place) : undefined;
  return (exchange && headerValue(exchange.headers, 'etag')) ?? '*';
}

/** Returns an id of the same form that is far from those that services issue. */
export function otherId(id: JsonValue, serial: number): JsonValue {
  if (typeof id === 'number') return id + 1_000_000 + serial;
  const text = idText(id);
  if (/^\d+$/u.test(text)) return `${text.replace(/^0+(?=.)/u, '')}${serial}`.slice(0, 10);
  const digits = serial.toString(16).padStart(12, '0');
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu.test(text)
    ? `ffffffff-ffff-4fff-8fff-${digits}`
    : `${text}x${serial}`;
}

/** Adds members like `limit=5` to the query of a target. They replace those of the same name. */
export function withQuery(target: string, added: readonly string[]): string {
  const [path = '', query = ''] = target.split('?');
  const nameOf = (member: string): string => member.split('=', 1).join('');
  const names = new Set(added.map(nameOf));
  const members = [...query.split('&').filter((each) => each !== '' && !names.has(nameOf(each))), ...added];
  return members.length === 0 ? path : `${path}?${members.join('&')}`;
}
