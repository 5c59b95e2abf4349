import { type JsonPointer, pointerTokens, resolvePointer } from '../json/pointer.ts';
import { jsonEqual, type JsonValue } from '../json/value.ts';

/** The readings of a known value, the preferred one first: `17` on a command line is a number or a text. */
export type KnownValue = readonly JsonValue[];

/** The known values of a place in a value, and of the places in it. */
export interface KnownPlace {
  /** In the order of the user; empty if none are known. */
  readonly values: readonly KnownValue[];
  /** Equal for places of one root with the same known values at and below them. */
  readonly key: string;
  /** Returns the place of a property, or of an item by its index; `*` is any item. */
  readonly below: (token: string) => KnownPlace;
}

/** A place without known values. */
export const unknownPlace: KnownPlace = { values: [], key: '', below: () => unknownPlace };

/** The known values of one parameter or body. */
export interface KnownRules {
  /** By the name of a property at any depth. The items of an array have the values of its name, too. */
  readonly names: ReadonlyMap<string, readonly KnownValue[]>;
  /** By pointer from the root, in which `*` is any item. They override `names`; an empty list does only this. */
  readonly pointers?: ReadonlyMap<JsonPointer, readonly KnownValue[]>;
  /** The name of the root, for a parameter. */
  readonly root?: string;
}

interface Tail {
  readonly id: number;
  /** The rest of the pointer. */
  readonly tokens: readonly string[];
  readonly values: readonly KnownValue[];
}

/** Returns the place of the root; {@link unknownPlace} if there are no known values. */
export function createKnownPlace({ names, pointers = new Map(), root = '' }: KnownRules): KnownPlace {
  if (names.size === 0 && [...pointers.values()].every((values) => values.length === 0)) return unknownPlace;
  const places = new Map<string, KnownPlace>();

  function placeOf(tails: readonly Tail[], name: string): KnownPlace {
    const named = names.get(name);
    const key = [named && name, ...tails.map(({ id, tokens }) => `${id}:${tokens.length}`)].join(' ');
    const own = tails.find(({ tokens }) => tokens.length === 0);
    const place = places.get(key) ?? {
      values: own?.values ?? named ?? [],
      key,
      below(token) {
        const isItem = /^(?:\d+|\*)$/u.test(token);
        const below = tails.flatMap(({ tokens: [first, ...tokens], ...tail }) =>
          first === token || (first === '*' && isItem) ? [{ ...tail, tokens }] : [],
        );
        return placeOf(below, isItem && named !== undefined ? name : token);
      },
    };
    places.set(key, place);
    return place;
  }

  const all = [...pointers].map(([pointer, values], id) => ({ id, tokens: pointerTokens(pointer), values }));
  return placeOf(all, root);
}

/** Returns whether a value is a known one of a place. */
export function isKnownAt({ values }: KnownPlace, value: JsonValue): boolean {
  return values.some((readings) => readings.some((each) => jsonEqual(each, value)));
}

/** Returns whether a valid value has a known value at a place, where generators send no other one. */
export function holdsKnownValue(
  schema: { readonly known?: KnownPlace } | undefined,
  value: JsonValue,
  pointer: JsonPointer,
): boolean {
  if (schema?.known === undefined) return false;
  const at = pointerTokens(pointer).reduce((place, token) => place.below(token), schema.known);
  const own = resolvePointer(value, pointer);
  return own !== undefined && isKnownAt(at, own);
}
