import fc, { type Arbitrary } from 'fast-check';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import type { ValueVerdict } from './from-schema.ts';
import { type BodyEdit, editedTokens, type PlainBody } from './plain-body.ts';
import { type Body, type Cases, distinctBodies, joinParts } from './request-case.ts';

/** A place in a value and what stands there. */
export interface ValuePlace {
  readonly at: JsonPointer;
  readonly value: JsonValue;
}

/** Places past this many are of arrays and objects that stand deep in others. */
const mostPlaces = 200;

/** Every place in a value, the value itself first, the outer before the inner. */
export function valuePlaces(value: JsonValue): readonly ValuePlace[] {
  const places: ValuePlace[] = [{ at: '', value }];
  for (let index = 0; index < places.length && places.length < mostPlaces; index += 1) {
    const place = places[index];
    const isParent = Array.isArray(place?.value) || isJsonObject(place?.value);
    if (place !== undefined && isParent) {
      for (const [key, member] of Object.entries(place.value ?? {})) {
        places.push({ at: appendPointer(place.at, key), value: member });
      }
    }
  }
  return places;
}

/**
 * Bodies that differ from a plain one by a few edits, plainest first, those with another verdict than the wanted one
 * left out. Valid ones stand on the fullest plain body and on the smallest in turn, as far as the places of their
 * edits are in both: a service may go wrong only where nothing optional is sent. Without `random`, random bodies take
 * the given edits; `most` examples are 60 by default.
 */
export function editCases(input: {
  readonly body: PlainBody;
  readonly wanted: ValueVerdict;
  readonly edits: readonly (readonly BodyEdit[])[];
  readonly random?: Arbitrary<readonly BodyEdit[]> | undefined;
  readonly most?: number;
}): Cases<Body> {
  const { body, wanted, edits, random, most = 60 } = input;
  const make = (base: JsonValue, list: readonly BodyEdit[]): Body | undefined => {
    const tokens = editedTokens(body, base, list, wanted);
    return tokens && joinParts(tokens);
  };
  const smallPlaces = new Set(wanted === 'valid' ? valuePlaces(body.smallest).map(({ at }) => at) : []);
  const mutex = new Map<string, number>();
  const made = edits.flatMap((list) => {
    const places = list.map(({ at }) => at);
    const name = places.join(' ');
    const turn = mutex.get(name) ?? 0;
    // A key that is written out cannot be sent twice, so its body is small from the start.
    const isOfKey = places.every((at) => at === body.key?.pointer);
    const isSmall = isOfKey || (turn % 2 === 1 && places.every((at) => smallPlaces.has(at)));
    const example = make(isSmall ? body.smallest : body.fullest, list);
    mutex.set(name, example === undefined ? turn : turn + 1);
    return example === undefined ? [] : [{ list, example }];
  });
  const examples = distinctBodies(made.map(({ example }) => example)).slice(0, most);
  const [first] = examples;
  if (first === undefined) return { examples, arbitrary: undefined };
  const chosen = fc
    .tuple(body.arbitrary, fc.constantFrom(...made))
    .map(([base, { list, example }]) => make(base, list) ?? example);
  const generated =
    random &&
    fc
      .tuple(body.arbitrary, random)
      .map(([base, list]) => make(base, list) ?? make(body.fullest, list) ?? first);
  return { examples, arbitrary: generated ?? chosen };
}
