import fc, { type Arbitrary } from 'fast-check';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import type { ValueVerdict } from './from-schema.ts';
import { type BodyEdit, editedTokens, isEditedTo, type PlainBody } from './plain-body.ts';
import { type Body, type Cases, joinParts, lateExamples } from './request-case.ts';

/** A place in a value and the value there. */
export interface ValuePlace {
  readonly at: JsonPointer;
  readonly value: JsonValue;
}

/** The maximum number of places. Further ones are deep in arrays and objects. */
const mostPlaces = 200;
/** The maximum number of items. Further ones are similar. */
const mostItems = 20;

/** Lists every place in a value, starting with the value itself, outer places before inner ones. */
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
 * Returns bodies that differ from a plain one by a few edits, the plainest first, without those whose verdict is not
 * the wanted one. Valid ones alternate between the fullest and the smallest plain body if both have the edited places,
 * because a service may fail only when nothing optional is sent. Without `random`, random bodies use the given edits.
 * The default of `most` is 60 examples. Only the first is created immediately.
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
      // A literal id cannot be sent twice. Therefore its body is small from the start.
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

/** Generates edits that lead to the wanted verdict: edits that do not are replaced with the next ones that do. */
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
