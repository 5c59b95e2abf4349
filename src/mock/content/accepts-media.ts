import { matchesMediaRange } from '../../http/matches-media-range.ts';

/** A media range with its weight: `text/*;q=0.5`. */
const weighted = /^[ \t]*([^;\s]+)[ \t]*(?:;.*?)??(?:;[ \t]*q=([01](?:\.\d{0,3})?)[ \t]*)?$/iu;

/** How precise a range is; the most precise one decides (RFC 9110 §12.5.1). */
function precision(range: string): number {
  return range === '*/*' ? 0 : range.endsWith('/*') ? 1 : 2;
}

/**
 * Whether an Accept field allows a media type (RFC 9110 §12.5.1). A field that cannot be read allows all.
 *
 * @param contentType - as it would be sent
 */
export function acceptsMedia(accept: string, contentType: string): boolean {
  const essence = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const ranges = accept.split(',').flatMap((part) => {
    const match = weighted.exec(part);
    return match?.[1] === undefined ? [] : [{ range: match[1].toLowerCase(), weight: Number(match[2] ?? 1) }];
  });
  if (ranges.length === 0) {
    return true;
  }
  const [best] = ranges
    .filter(({ range }) => matchesMediaRange(essence, range))
    .toSorted((left, right) => precision(right.range) - precision(left.range));
  return best !== undefined && best.weight > 0;
}
