import type { TextRange } from '../../json/locate-values.ts';

/** A character of a string as it is written in a JSON text, where it may be an escape. */
interface Unit extends TextRange {
  readonly character: string;
}

const unit = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\.|[^\\]/gsu;

/** @param literal - a JSON string, its quotes included */
function unitsOf(literal: string): readonly Unit[] {
  return [...literal.slice(1, -1).matchAll(unit)].map(({ index, 0: written }) => ({
    start: index + 1,
    end: index + 1 + written.length,
    // `as`: what stands in a JSON string is the text of one.
    character: written.startsWith('\\') ? (JSON.parse(`"${written}"`) as string) : written,
  }));
}

function countEqual(left: readonly Unit[], right: readonly Unit[]): number {
  const most = Math.min(left.length, right.length);
  let count = 0;
  while (count < most && left[count]?.character === right[count]?.character) {
    count += 1;
  }
  return count;
}

/** A literal cut into what it stands for. */
interface Spelled {
  readonly literal: string;
  readonly units: readonly Unit[];
}

/** The units from one to before another, as a stretch of the literal; none where there are none. */
function stretch({ units }: Spelled, from: number, to: number): readonly TextRange[] {
  const first = units[from];
  const last = units[to - 1];
  return first === undefined || last === undefined || from >= to
    ? []
    : [{ start: first.start, end: last.end }];
}

function whole(literal: string): readonly TextRange[] {
  return [{ start: 0, end: literal.length }];
}

/** What one text has around another that stands in it, as one that was trimmed does. */
function around(longer: Spelled, shorter: Spelled): readonly TextRange[] | undefined {
  const text = shorter.units.map(({ character }) => character).join('');
  const before = longer.units
    .map(({ character }) => character)
    .join('')
    .indexOf(text);
  if (before < 0 || text === '' || shorter.units.length >= longer.units.length) {
    return undefined;
  }
  let from = 0;
  for (let length = 0; length < before; from += 1) {
    length += longer.units[from]?.character.length ?? 1;
  }
  const to = from + shorter.units.length;
  return [...stretch(longer, 0, from), ...stretch(longer, to, longer.units.length)];
}

/** The stretches of two texts that differ. */
export interface Difference {
  readonly sent: readonly TextRange[];
  readonly received: readonly TextRange[];
}

/**
 * Finds where two JSON values differ as they are written. Of two strings, one of which stands in the other, it
 * is what the other has around it; else the characters between what they begin and end with alike, escapes read
 * as what they stand for. A side with nothing that the other has not is marked whole, and so are other values.
 *
 * @param texts - the texts of two JSON values
 */
export function markDifference(texts: { readonly sent: string; readonly received: string }): Difference {
  const { sent, received } = texts;
  if (!sent.startsWith('"') || !received.startsWith('"')) {
    return { sent: whole(sent), received: whole(received) };
  }
  const left = { literal: sent, units: unitsOf(sent) };
  const right = { literal: received, units: unitsOf(received) };
  const more = around(left, right);
  const added = around(right, left);
  if (more !== undefined || added !== undefined) {
    return { sent: more ?? whole(sent), received: added ?? whole(received) };
  }
  const start = countEqual(left.units, right.units);
  const end = countEqual(left.units.slice(start).toReversed(), right.units.slice(start).toReversed());
  const [ofSent, ofReceived] = [left, right].map((side) => {
    const found = stretch(side, start, side.units.length - end);
    return found.length === 0 ? whole(side.literal) : found;
  });
  return { sent: ofSent ?? [], received: ofReceived ?? [] };
}
