import { repeatItem } from '../../arbitrary/shrink-value.ts';
import type { Boundary } from '../../check/boundary.ts';
import type { CheckedExchange } from '../../check/classify/subject.ts';
import { toJsonNumber } from '../../json/exact-number.ts';
import type { JsonPointer } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import {
  type Bracket,
  findLimit,
  isBetween,
  notableNumbers,
  type NumberProbe,
  refusalSignature,
  type Verdict,
} from '../../policy/find-limit.ts';
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

/** The distance from a notable number within which ids of earlier runs may hide the exact limit. */
const raggedness = 4n;

/**
 * Returns the notable number at or just past the limit that ids of earlier runs may hide. Below the accepted number,
 * only numbers up to one count, because a store that counts its ids uses the others.
 */
function nearestNotable({ accepted, refused }: Bracket): bigint | undefined {
  const distance = (number: bigint): bigint => (number - accepted) * (refused - accepted);
  return notableNumbers
    .filter((number) => distance(number) >= 0n && distance(number) < raggedness)
    .filter((number) => refused > accepted || number <= 1n)
    .toSorted((left, right) => (distance(left) < distance(right) ? -1 : 1))[0];
}

/**
 * Finds the two adjacent integers between which rejection starts, exact to the last digit. If a rejection may also mean
 * an existing id (`isVague`), only a limit at a notable number is reported, because ids can be anywhere. Returns
 * undefined if a probe has the verdict `other`, or if the rejected numbers are not a range.
 */
export async function findValueBound(input: {
  readonly bracket: Bracket;
  readonly probe: NumberProbe;
  readonly isVague: boolean;
  readonly draw: (bracket: Bracket) => bigint;
}): Promise<Bracket | undefined> {
  const { bracket, isVague, draw } = input;

  /** If a number past a rejected one is accepted, the rejected one is an existing id. */
  async function probe(number: bigint): Promise<Verdict> {
    const verdict = await input.probe(number);
    const further = { accepted: number, refused: bracket.refused };
    if (verdict !== 'refused' || !isVague || number === bracket.refused) return verdict;
    const others = [
      draw(further),
      draw({ accepted: number, refused: number + (bracket.refused > number ? 9n : -9n) }),
    ];
    const verdicts = await Promise.all(
      others.filter((other) => isBetween(other, further)).map((other) => input.probe(other)),
    );
    return verdicts.includes('accepted') ? 'accepted' : 'refused';
  }

  const found = await findLimit(bracket, probe);
  if (found === undefined) return undefined;
  const step = found.refused - found.accepted;
  const limit = isVague ? nearestNotable(found) : found.accepted;
  if (limit === undefined) return undefined;
  const beyond = { accepted: limit + step, refused: bracket.refused };
  const within = { accepted: limit, refused: bracket.accepted };
  if ((await probe(limit + step)) !== 'refused') return undefined;
  // Numbers that the document does not allow are not sent.
  for (const number of [limit + 2n * step, limit + 3n * step, draw(beyond), draw(beyond)]) {
    if ((await probe(number)) === 'accepted') return undefined;
  }
  // If a rejection may mean an existing id, numbers within the limit may be ids of this run and prove nothing.
  const inside = isVague ? [] : [draw(within), draw(within)].filter((number) => isBetween(number, within));
  for (const number of inside) {
    if ((await probe(number)) !== 'accepted') return undefined;
  }
  return { accepted: limit, refused: limit + step };
}

function signature(judged: CheckedExchange | undefined): string | undefined {
  if (judged?.answer.kind !== 'response') return undefined;
  const { status, body } = judged.answer.response;
  return refusalSignature(status, new TextDecoder().decode(body));
}

/** Spreads serial numbers evenly over a range. */
const scatter = 0x9e_37_79_b9_7f_4a_7c_15n;

function drawWithin({ accepted, refused }: Bracket, serial: number): bigint {
  const [low, high] = accepted < refused ? [accepted, refused] : [refused, accepted];
  return high - low < 2n
    ? high
    : low + 1n + (BigInt.asUintN(64, BigInt(serial) * scatter) % (high - low - 1n));
}

/** The maximum of int64. */
const mostDistant = 2n ** 63n - 1n;

/** An integer that was rejected, with the exchange. */
export interface RefusedNumber {
  readonly number: bigint;
  readonly judged: CheckedExchange;
}

/** The facts about the values of one place. */
interface ValueSearch {
  readonly boundarySearch: BoundarySearch;
  readonly place: JsonPointer;
  readonly refused: readonly RefusedNumber[];
  /** An accepted number. */
  readonly accepted: bigint;
  /** Whether each number is accepted only once, as an id. */
  readonly isKey: boolean;
}

/**
 * Finds the numbers at which rejection starts at one place, above and below. The response for an existing id differs
 * from that for a number out of bounds, if the service describes the reason.
 */
export async function findValueBoundaries(search: ValueSearch): Promise<readonly Boundary[]> {
  const { boundarySearch, place, refused, accepted, isKey } = search;
  const repeated = isKey ? await boundarySearch.repeatKey() : undefined;
  const exists = repeated?.verdict === 'accepted' ? undefined : signature(repeated?.record?.judged);
  const isVague = exists !== undefined && refused.some(({ judged }) => signature(judged) === exists);

  async function probe(number: bigint): Promise<Verdict> {
    const { verdict, record } = await boundarySearch.put(place, toJsonNumber(String(number)));
    const isExisting = !isVague && exists !== undefined && signature(record?.judged) === exists;
    return isExisting ? 'accepted' : verdict;
  }

  /** Returns whether the number halfway between the two is also rejected, if fractions are allowed. */
  async function isSharp(bound: Bracket): Promise<boolean> {
    const low = bound.accepted < bound.refused ? bound.accepted : bound.refused;
    const halfway = low < 0n ? `-${-low - 1n}.5` : `${low}.5`;
    return (await boundarySearch.put(place, toJsonNumber(halfway))).verdict !== 'accepted';
  }

  /** Returns the nearest rejected number on one side, or a rejected distant one if none is known. */
  async function findRefused(isAbove: boolean): Promise<bigint | undefined> {
    const known = refused.map(({ number }) => number).filter((number) => number > accepted === isAbove);
    const far = mostDistant - BigInt(boundarySearch.freshSerial());
    const candidates = known.length > 0 ? known : [isAbove ? far : -far];
    const [nearest] = candidates.toSorted((left, right) => (left < right === isAbove ? -1 : 1));
    return nearest !== undefined && (await probe(nearest)) === 'refused' ? nearest : undefined;
  }

  const boundaries: Boundary[] = [];
  for (const isAbove of [true, false]) {
    const nearest = await findRefused(isAbove);
    if (nearest === undefined) continue;
    const bound = await findValueBound({
      bracket: { accepted, refused: nearest },
      probe,
      isVague,
      draw: (bracket) => drawWithin(bracket, boundarySearch.freshSerial()),
    });
    if (bound !== undefined && (await isSharp(bound))) {
      boundaries.push({
        what: 'value',
        place,
        accepted: String(bound.accepted),
        refused: String(bound.refused),
      });
    }
  }
  return boundaries;
}
