import { repeatItem } from '../../arbitrary/shrink-value.ts';
import type { Boundary } from '../../check/boundary.ts';
import type { CheckedExchange } from '../../check/classify/subject.ts';
import { toJsonNumber } from '../../json/exact-number.ts';
import type { JsonPointer } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import { type Bracket, findLimit, refusalSignature, type Verdict } from '../../policy/find-limit.ts';
import { findNumberLimits } from '../../policy/number-limits.ts';
import type { BoundarySearch } from './boundary-search.ts';

/** The minimum size to try: size is hardly the reason for a rejection below it. */
const least = 1_024;

/** Finds the maximum body size that a service accepts, up to `largest` bytes, by white space in a plain body. */
export async function findBodySizeBoundary(
  boundarySearch: BoundarySearch,
  largest: number,
): Promise<Boundary | undefined> {
  if (largest <= least) return undefined;
  const probe = async (bytes: bigint) => (await boundarySearch.pad(Number(bytes))).verdict;
  const bracket = { accepted: BigInt(least), refused: BigInt(largest) };
  const found = await findLimit(bracket, probe);
  if (found === undefined) return undefined;
  // Confirms the limit with other ids.
  const isLimit = (await probe(found.accepted)) === 'accepted' && (await probe(found.refused)) === 'refused';
  return isLimit
    ? { what: 'body-size', place: '', accepted: Number(found.accepted), refused: Number(found.refused) }
    : undefined;
}

/** Finds the limits on the number of items, from an accepted list and rejected numbers of items. */
export async function findItemBoundaries(input: {
  readonly boundarySearch: BoundarySearch;
  readonly place: JsonPointer;
  readonly list: readonly JsonValue[];
  readonly counts: readonly number[];
}): Promise<readonly Boundary[]> {
  const { boundarySearch, place, list, counts } = input;
  const [item] = list;
  if (item === undefined) return [];
  const put = async (count: bigint, how: 'put' | 'putAgain'): Promise<Verdict> => {
    const [varied = [], equal = []] = repeatItem(item, Number(count));
    const probed = await boundarySearch[how](place, [...varied]);
    return probed.record === undefined
      ? (await boundarySearch[how](place, [...equal])).verdict
      : probed.verdict;
  };
  const boundaries: Boundary[] = [];
  for (const refused of new Set([Math.max(...counts), Math.min(...counts)])) {
    if (refused > 0 && refused <= list.length) continue;
    const bracket = { accepted: BigInt(list.length), refused: BigInt(refused) };
    const found = await findLimit(bracket, (count) => put(count, 'put'));
    const isLimit =
      found !== undefined &&
      (await put(found.refused, 'putAgain')) === 'refused' &&
      (await put(found.accepted, 'putAgain')) === 'accepted';
    if (isLimit) {
      boundaries.push({
        what: 'items',
        place,
        accepted: Number(found.accepted),
        refused: Number(found.refused),
      });
    }
  }
  return boundaries;
}

function signature(judged: CheckedExchange | undefined): string | undefined {
  if (judged?.answer.kind !== 'response') return undefined;
  const { status, body } = judged.answer.response;
  return refusalSignature(status, new TextDecoder().decode(body));
}

/** The maximum of int64. */
const mostDistant = 2n ** 63n - 1n;

/** The facts about the values of one place. */
interface ValueSearch {
  readonly boundarySearch: BoundarySearch;
  readonly place: JsonPointer;
  readonly refused: readonly bigint[];
  /** An accepted number. */
  readonly accepted: bigint;
  /** Whether each number is accepted only once, as an id. */
  readonly isKey: boolean;
}

/** Finds the numbers at which rejection starts at one place, above and below. */
export async function findValueBoundaries(search: ValueSearch): Promise<readonly Boundary[]> {
  const { boundarySearch, place, refused, accepted, isKey } = search;
  const repeated = isKey ? await boundarySearch.repeatKey() : undefined;
  const put = (digits: string) => boundarySearch.put(place, toJsonNumber(digits));

  /** Returns whether the number halfway between the two is also rejected, if fractions are allowed. */
  async function isSharp(bound: Bracket): Promise<boolean> {
    const low = bound.accepted < bound.refused ? bound.accepted : bound.refused;
    return (await put(low < 0n ? `-${-low - 1n}.5` : `${low}.5`)).verdict !== 'accepted';
  }

  /** Returns the nearest rejected number on one side, or a distant one if none is known. */
  function nearest(isAbove: boolean): bigint {
    const far = mostDistant - BigInt(boundarySearch.freshSerial());
    const known = refused.filter((number) => number > accepted === isAbove);
    return known.toSorted((left, right) => (left < right === isAbove ? -1 : 1))[0] ?? (isAbove ? far : -far);
  }

  const limits = await findNumberLimits({
    accepted,
    exists: repeated?.verdict === 'accepted' ? undefined : signature(repeated?.record?.judged),
    serial: () => boundarySearch.freshSerial(),
    ends: { above: [nearest(true)], below: [nearest(false)] },
    async send(number) {
      const { verdict, record } = await put(String(number));
      return { verdict, signature: signature(record?.judged) };
    },
  });
  const boundaries: Boundary[] = [];
  for (const { bound } of limits) {
    if (bound === undefined || !(await isSharp(bound))) continue;
    boundaries.push({
      what: 'value',
      place,
      accepted: String(bound.accepted),
      refused: String(bound.refused),
    });
  }
  return boundaries;
}
