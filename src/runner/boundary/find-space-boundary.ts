import type { Boundary } from '../../check/boundary.ts';
import type { JsonPointer } from '../../json/json-pointer.ts';
import type { Prober } from './prober.ts';

/**
 * Finds out whether white space is refused at the ends of a text, though it is taken within it.
 *
 * @param input.letters - a text of letters that is taken
 */
export async function findSpaceBoundary(input: {
  readonly prober: Pick<Prober, 'put' | 'putAgain'>;
  readonly place: JsonPointer;
  readonly letters: string;
}): Promise<Boundary | undefined> {
  const { prober, place, letters } = input;
  const isRefused = async (text: string): Promise<boolean> =>
    (await prober.put(place, text)).verdict === 'refused' &&
    (await prober.putAgain(place, text)).verdict === 'refused';
  const within = `a ${letters}`;
  if ((await prober.put(place, within)).verdict !== 'taken') {
    return undefined;
  }
  const atStart = await isRefused(` ${letters}`);
  const atEnd = await isRefused(`${letters} `);
  if (!atStart && !atEnd) {
    return undefined;
  }
  return {
    what: 'white-space',
    place,
    at: atStart && atEnd ? 'either end' : atStart ? 'start' : 'end',
    accepted: within,
    refused: atStart ? ` ${letters}` : `${letters} `,
  };
}
