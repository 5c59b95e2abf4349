import fc, { type Arbitrary } from 'fast-check';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import type { ValueVerdict } from './from-schema.ts';
import { type BodyEdit, editedTokens, isEditedTo, type PlainBody } from './plain-body.ts';
import { type Body, type Cases, joinParts, lateExamples } from './request-case.ts';

/** A place in a value and what stands there. */
export interface ValuePlace {
  readonly at: JsonPointer;
  readonly value: JsonValue;
}

/** Places past this many are of arrays and objects that stand deep in others. */
const mostPlaces = 200;
/** Items past this many are like those before them. */
const mostItems = 20;

/** Every place in a value, the value itself first, the outer before the inner. */
export function valuePlaces(value: JsonValue): readonly ValuePlace[] {
  const places: ValuePlace[] = [{ at: '', value }];
  for (let index = 0; index < places.length && places.length < mostPlaces; index += 1) {
    const place = places[index];
    const isParent = Array.isArray(place?.value) || isJsonObject(place?.value);
    if (place !== undefined && isParent) {
      const members = Array.isArray(place.value) ? place.value.slice(0, mostItems) : (place.value ?? {});
      for (const [key, member] of Object.entries(members)) {
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
 * the given edits; `most` examples are 60 by default. Only the first is made at once.
 */
export function editCases(input: {
  readonly body: PlainBody;
  readonly wanted: ValueVerdict;
  readonly edits: Iterable<readonly BodyEdit[]>;
  readonly random?: Arbitrary<readonly BodyEdit[]> | 'none' | undefined;
  readonly most?: number;
}): Cases<Body> {
  const { body, wanted, edits, random, most = 60 } = input;
  const make = (base: JsonValue, list: readonly BodyEdit[]): Body | undefined => {
    const tokens = editedTokens(body, { base, edits: list, wanted });
    return tokens && joinParts(tokens);
  };

  function* makeAll(): Generator<Body> {
    const smallPlaces = new Set(wanted === 'valid' ? valuePlaces(body.smallest).map(({ at }) => at) : []);
    const turns = new Map<string, number>();
    for (const list of edits) {
      const places = list.map(({ at }) => at);
      const name = places.join(' ');
      const turn = turns.get(name) ?? 0;
      // A key that is written out cannot be sent twice, so its body is small from the start.
      const isOfKey = places.every((at) => at === body.key?.pointer);
      const isSmall = isOfKey || (turn % 2 === 1 && places.every((at) => smallPlaces.has(at)));
      const example = make(isSmall ? body.smallest : body.fullest, list);
      turns.set(name, example === undefined ? turn : turn + 1);
      if (example !== undefined) yield example;
    }
  }

  const source = makeAll();
  const begun = source.next();
  if (begun.done === true) return { examples: [], arbitrary: undefined };
  const first: Body = begun.value;
  function makeExamples(): readonly Body[] {
    const distinct = new Map([[JSON.stringify(first), first]]);
    for (const example of source) {
      distinct.set(JSON.stringify(example), example);
      if (distinct.size >= most) break;
    }
    return [...distinct.values()];
  }
  if (random === 'none')
    return lateExamples({ first, mostExamples: most, makeExamples, arbitrary: undefined });
  const arbitrary = fc
    .tuple(body.arbitrary, random ?? fittingEdits(body, [...edits], wanted))
    .map(([base, list]) => make(base, list) ?? make(body.fullest, list) ?? first);
  return lateExamples({ first, mostExamples: most, makeExamples, arbitrary });
}

/** Any of some edits that make a plain body one with the wanted verdict: of one that does not, the next that does stands in. */
function fittingEdits(
  body: PlainBody,
  edits: readonly (readonly BodyEdit[])[],
  wanted: ValueVerdict,
): Arbitrary<readonly BodyEdit[]> {
  const verdicts = new Map<readonly BodyEdit[], boolean>();
  function fits(list: readonly BodyEdit[]): boolean {
    const known = verdicts.get(list) ?? isEditedTo(body, { base: body.fullest, edits: list, wanted });
    verdicts.set(list, known);
    return known;
  }
  return fc
    .nat(edits.length - 1)
    .map((start) => [...edits.slice(start), ...edits.slice(0, start)].find(fits) ?? edits[start] ?? []);
}
