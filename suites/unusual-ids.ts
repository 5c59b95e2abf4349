import { plainIds, propertyStyle, spellId } from '../src/arbitrary/key-style.ts';
import { isEditedTo, put } from '../src/arbitrary/plain-body.ts';
import {
  type IdSpelling,
  isKeySlot,
  type KeyPlaceholder,
  plainKey,
  type RequestCase,
} from '../src/arbitrary/request-case.ts';
import { buildRequest, plainRequest } from '../src/arbitrary/request.ts';
import { findInvalidParameters } from '../src/contract/check-parameters.ts';
import type { Operation } from '../src/contract/contract.ts';
import { idText } from '../src/contract/list-pages.ts';
import type { Parameter } from '../src/contract/read-parameters.ts';
import type { JsonObject, JsonValue } from '../src/json/value.ts';
import { ownMember } from '../src/check/stateful/observations.ts';

/** An id that a client may choose, and that servers may confuse with another one. */
export interface UnusualId {
  readonly slot: KeyPlaceholder;
  /** Which id differs from it in nothing else: the plain one, or the unusual one before it. */
  readonly collidesWith?: 'plain' | 'before';
}

const spellings: readonly IdSpelling[] = ['spaced', 'slashed', 'dotted', 'accented'];

const ofTexts: readonly UnusualId[] = [
  { slot: { ...plainKey, spelling: 'capital', isOfAbove: true }, collidesWith: 'plain' },
  ...spellings.map((spelling) => ({ slot: { ...plainKey, spelling } })),
];

const ofNumbers: readonly UnusualId[] = [
  { slot: { ...plainKey, class: 'past-double' } },
  {
    slot: { slot: 0, class: 'past-double', variant: 'double-collision', isOfAbove: true },
    collidesWith: 'before',
  },
];

/** Returns the unusual ids that the schemas of a create, or of a PUT that creates, and of a read allow. */
export function unusualIds(maker: Operation | undefined, read: Operation | undefined): readonly UnusualId[] {
  if (maker === undefined || read === undefined) return [];
  const body = plainRequest(maker).body;
  const key = body.kind === 'body' ? body.body.key : undefined;
  const isTaken = (value: JsonValue): boolean =>
    takesId(read, value) &&
    (maker.kind.kind === 'replace'
      ? takesId(maker, value)
      : body.kind === 'body' &&
        key !== undefined &&
        isEditedTo(body.body, { base: body.body.fullest, edits: [put(key.pointer, value)] }));
  if (styleOf(maker) === 'text') {
    return ofTexts.filter(({ slot }) => isTaken(spellId(plainIds.text, slot.spelling ?? 'capital')));
  }
  const large = key?.classes.get('past-double');
  return large !== undefined && isTaken(large) ? ofNumbers : [];
}

/** Returns the notation of the ids of items that an operation creates; undefined if the service generates them. */
function styleOf({
  kind,
  requestBody,
  ...operation
}: Operation): ReturnType<typeof propertyStyle> | undefined {
  if (kind.kind === 'create' && kind.key.kind === 'client') {
    const [media] = requestBody?.media ?? [];
    return propertyStyle(media?.schema?.schema, kind.key.property);
  }
  if (kind.kind !== 'replace' || !kind.creates) return undefined;
  const schema = ownParameter({ kind, requestBody, ...operation })?.schema?.schema ?? true;
  return propertyStyle({ type: 'object', properties: { key: schema } }, 'key');
}

/** Returns the parameter for the item in the path of an operation. */
function ownParameter({ items, parameters }: Operation): Parameter | undefined {
  const name = items.at(-1)?.parameter;
  return parameters.find((each) => each.in === 'path' && each.name === name);
}

/** Returns whether the path of an operation takes an id. */
function takesId(operation: Operation, id: JsonValue): boolean {
  const own = ownParameter(operation);
  if (own === undefined) return false;
  const source = { path: { [own.name]: encodeURIComponent(idText(id)) }, query: [], header: () => undefined };
  return findInvalidParameters([own], source, { formats: 'assert', integers: 'by-value' }).length === 0;
}

/** Returns a request that creates an item under an unusual id. */
export function withId(request: RequestCase, { slot }: UnusualId): RequestCase {
  const body = request.body?.map((part) => (isKeySlot(part) && part.of === undefined ? slot : part));
  return { ...request, body, ownKey: slot };
}

/**
 * Returns a read of an item with the letters of its id in the other case; undefined if the id has none, or is a UUID,
 * whose case does not matter (RFC 9562 §4).
 */
export function readInOtherCase(read: Operation, shown: JsonObject): RequestCase | undefined {
  const { kind } = read;
  const key = kind.kind === 'read' ? kind.resource.key : undefined;
  const id = key?.kind === 'server' ? ownMember(shown, key.property) : undefined;
  const own = ownParameter(read);
  if (
    own === undefined ||
    typeof id !== 'string' ||
    /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/iu.test(id)
  )
    return undefined;
  const other = id === id.toUpperCase() ? id.toLowerCase() : id.toUpperCase();
  return other === id || !takesId(read, other)
    ? undefined
    : buildRequest(read, { parameters: new Map([[own, encodeURIComponent(other)]]) });
}
