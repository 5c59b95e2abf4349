import type { Boundary } from '../../check/boundary.ts';
import type { Judged } from '../../check/judged.ts';
import type { JsonPointer } from '../../json/json-pointer.ts';
import { toJsonNumber } from '../../json/to-json-number.ts';
import type { Bracket } from './bisect.ts';
import { findValueBound } from './find-value-bound.ts';
import type { Probed, Prober } from './prober.ts';
import type { Verdict } from './verdict.ts';

/** An answer without its numbers, by which answers of one kind are known. */
function signature(judged: Judged | undefined): string | undefined {
  if (judged?.answer.kind !== 'response') {
    return undefined;
  }
  const { status, body } = judged.answer.response;
  return `${status} ${new TextDecoder().decode(body).replaceAll(/-?\d+/gu, '#')}`;
}

/** Spreads serial numbers over a bracket, so that neither end of it is preferred. */
const scatter = 0x9e_37_79_b9_7f_4a_7c_15n;

function drawWithin({ taken, refused }: Bracket, serial: number): bigint {
  const [low, high] = taken < refused ? [taken, refused] : [refused, taken];
  return high - low < 2n
    ? high
    : low + 1n + (BigInt.asUintN(64, BigInt(serial) * scatter) % (high - low - 1n));
}

/** The end of int64. */
const mostDistant = 2n ** 63n - 1n;

/** A whole number that was refused, with the answer. */
export interface RefusedNumber {
  readonly number: bigint;
  readonly judged: Judged;
}

/** What the values of one place are known to come to. */
interface ValueSearch {
  readonly prober: Prober;
  readonly place: JsonPointer;
  readonly refused: readonly RefusedNumber[];
  /** A whole number that is taken. */
  readonly taken: bigint;
  /** Whether each number can be taken once only, as a key. */
  readonly isKey: boolean;
}

/**
 * Finds where the numbers at one place begin to be refused, above and below. A key that exists is told from one
 * that is out of bounds by its answer, as far as the service says more than that it refuses.
 */
export async function findValueBoundaries(search: ValueSearch): Promise<readonly Boundary[]> {
  const { prober, place, refused, taken, isKey } = search;
  const repeated: Probed | undefined = isKey ? await prober.repeatKey() : undefined;
  const exists = repeated?.verdict === 'taken' ? undefined : signature(repeated?.record?.judged);
  const isVague = exists !== undefined && refused.some(({ judged }) => signature(judged) === exists);

  async function probe(number: bigint): Promise<Verdict> {
    const { verdict, record } = await prober.put(place, toJsonNumber(String(number)));
    const isTakenAlready = !isVague && exists !== undefined && signature(record?.judged) === exists;
    return isTakenAlready ? 'taken' : verdict;
  }

  /** Where numbers may have fractions, the one halfway between the two has to be refused too. */
  async function isSharp(bound: Bracket): Promise<boolean> {
    const low = bound.taken < bound.refused ? bound.taken : bound.refused;
    const halfway = low < 0n ? `-${-low - 1n}.5` : `${low}.5`;
    return (await prober.put(place, toJsonNumber(halfway))).verdict !== 'taken';
  }

  /** The nearest number on one side that is refused, or one that is far out where none is known and that is. */
  async function findRefused(isAbove: boolean): Promise<bigint | undefined> {
    const known = refused.map(({ number }) => number).filter((number) => number > taken === isAbove);
    const far = mostDistant - BigInt(prober.freshSerial());
    const candidates = known.length > 0 ? known : [isAbove ? far : -far];
    const [nearest] = candidates.toSorted((left, right) => (left < right === isAbove ? -1 : 1));
    return nearest !== undefined && (await probe(nearest)) === 'refused' ? nearest : undefined;
  }

  const boundaries: Boundary[] = [];
  for (const isAbove of [true, false]) {
    const nearest = await findRefused(isAbove);
    if (nearest === undefined) {
      continue;
    }
    const bound = await findValueBound({
      bracket: { taken, refused: nearest },
      probe,
      isVague,
      draw: (bracket) => drawWithin(bracket, prober.freshSerial()),
    });
    if (bound !== undefined && (await isSharp(bound))) {
      boundaries.push({
        what: 'value',
        place,
        accepted: String(bound.taken),
        refused: String(bound.refused),
      });
    }
  }
  return boundaries;
}
