import type { Contract, OperationKind } from '../../contract/contract.ts';
import { readCreatedId } from '../../contract/created-key.ts';
import { decodePathText } from '../../http/query.ts';
import { keptRole } from '../../contract/resources.ts';
import { concreteCollection, createPathFinder } from '../../contract/router.ts';
import { decodeUtf8 } from '../../http/bytes.ts';
import { toHeaderList } from '../../http/message.ts';
import { canonicalPath, pathOf } from '../../http/path.ts';
import { isSuccessStatus } from '../../http/status.ts';
import { memberAt } from '../../json/pointer.ts';
import { parseJsonValue } from '../../json/parse.ts';
import type { JsonValue } from '../../json/value.ts';

import type { TouchedItem } from '../message.ts';
import { toStoreKey } from '../store/store.ts';
import type { RawRequest } from './ring-buffer.ts';

type Role = Exclude<OperationKind, { kind: 'sample' }>;

/**
 * Creates a function that finds the item of a request: the one that its path or, failing that, its body names; for a
 * create, the created one. Returns undefined for lists, samples, and creates without an item.
 */
export function createItemFinder(
  contract: Contract,
): (raw: Pick<RawRequest, 'target' | 'content' | 'answer'>) => TouchedItem | undefined {
  const findPath = createPathFinder(contract);
  const roles = new Map(
    contract.operations.flatMap((operation) => {
      const role = keptRole(operation);
      return role === undefined || role.kind === 'list' ? [] : [[operation.id, role] as const];
    }),
  );
  return (raw) => {
    const role = roles.get(raw.answer.note.operation ?? '');
    if (role === undefined) return undefined;
    const { path, route } = findPath(pathOf(raw.target));
    const { resource } = role;
    const collection = role.kind === 'create' ? canonicalPath(path) : concreteCollection(resource, path);
    if (resource.kind === 'singleton') return { collection };
    const segment = role.kind === 'create' ? undefined : route?.parameters[resource.parameter ?? ''];
    const key = segment === undefined ? keyOfBodies(role, raw) : decodePathText(segment);
    return key === undefined ? undefined : { collection, key };
  };
}

/** Returns the id of the item of a request that its path does not name. */
export function keyOfBodies(
  role: Role,
  { content, answer }: Pick<RawRequest, 'content' | 'answer'>,
): string | undefined {
  const { key } = role.resource;
  if (key.kind === 'none' || !('request' in role)) return undefined;
  const sent = typeof content === 'string' ? undefined : readJson(content);
  if (role.kind === 'create' && isSuccessStatus(answer.status)) {
    const headers = toHeaderList(answer.headers);
    const made = readCreatedId(role, { sent, received: readJson(answer.body), headers });
    return made === undefined ? undefined : toKeyText(made);
  }
  // A refused create is about no item, except when the id already exists.
  const isNamed = role.kind !== 'create' || answer.note.condition === 'duplicate-key';
  const member = isNamed ? memberAt(sent, [...role.request, key.property]) : undefined;
  return member === undefined ? undefined : toKeyText(member);
}

function readJson(body: Uint8Array | string | undefined): JsonValue {
  return parseJsonValue(typeof body === 'string' ? body : body && decodeUtf8(body)) ?? null;
}

/** Returns an id as in a path segment, before percent-encoding. */
function toKeyText(value: JsonValue): string {
  return typeof value === 'string' ? value : String(toStoreKey(value));
}

/** Creates a function that compares items with the one at a path: `/projects/7`, or `/settings` for a singleton. */
export function createItemMatcher(path: string): (item: TouchedItem) => boolean {
  const wanted = joinSegments(path.split('/').map(decodePathText));
  return ({ collection, key }) => {
    const segments = collection.split('/').map(decodePathText);
    return joinSegments(key === undefined ? segments : [...segments, key]) === wanted;
  };
}

/** Joins segments to one text that is the same for all equivalent paths: `/projects/7.0` is `/projects/7`. */
function joinSegments(segments: readonly string[]): string {
  return segments
    .map((text) => {
      const number = /^-?\d/u.test(text) ? parseJsonValue(text) : undefined;
      return number === undefined ? text : toKeyText(number);
    })
    .join('\0');
}
