import type { MediaTypeContract } from '../../contract/media-type-contract.ts';
import type { RequestBody } from '../../contract/request-body.ts';
import { isJsonMediaType } from '../../http/is-json-media-type.ts';
import { matchesMediaRange } from '../../http/matches-media-range.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { shorten } from './shorten.ts';

/** How the content of a request is to be read. */
export type MediaMatch =
  | {
      readonly kind: 'matched';
      readonly media: MediaTypeContract;
      readonly notation: 'json' | 'form' | 'other';
    }
  /** `message` says what came and what is taken. */
  | { readonly kind: 'unsupported'; readonly message: string };

/** Finds the declared media type for the value of Content-Type. */
export type MediaMatcher = (contentType: string | undefined) => MediaMatch;

/** Clients send the same few values over and over; a hostile one must not fill the memory. */
const mostRemembered = 64;

function notationOf(essence: string): 'json' | 'form' | 'other' {
  if (isJsonMediaType(essence)) {
    return 'json';
  }
  return essence === 'application/x-www-form-urlencoded' ? 'form' : 'other';
}

/** Concrete types before ranges, and `type/*` before any (OpenAPI 3.1 §4.8.13). */
function generality({ range }: MediaTypeContract): number {
  return range.startsWith('*/') ? 2 : range.includes('*') ? 1 : 0;
}

/**
 * Prepares the look-up of declared media types for an operation.
 *
 * @param readAnyway - whether content of another type is read as if it had the first declared one
 */
export function createMediaMatcher({ media }: RequestBody, readAnyway: boolean): MediaMatcher {
  const declared = media.toSorted((left, right) => generality(left) - generality(right));
  const first = declared.find(({ isJson }) => isJson) ?? declared[0];
  const wanted = media.map(({ range }) => range).join(' or ');
  const remembered = new Map<string | undefined, MediaMatch>();

  function match(contentType: string | undefined): MediaMatch {
    const type = contentType === undefined ? undefined : parseMediaType(contentType);
    const found =
      type === undefined ? undefined : declared.find(({ range }) => matchesMediaRange(type.essence, range));
    if (type !== undefined && found !== undefined) {
      return { kind: 'matched', media: found, notation: notationOf(type.essence) };
    }
    if (readAnyway && first !== undefined) {
      return { kind: 'matched', media: first, notation: notationOf(first.range.split(';', 1)[0] ?? '') };
    }
    const came =
      contentType === undefined
        ? 'The request has no Content-Type'
        : `The Content-Type ${JSON.stringify(shorten(contentType))} is not supported`;
    return { kind: 'unsupported', message: `${came}: send ${wanted}.` };
  }

  return (contentType) => {
    const known = remembered.get(contentType);
    if (known !== undefined) {
      return known;
    }
    const result = match(contentType);
    if (remembered.size < mostRemembered) {
      remembered.set(contentType, result);
    }
    return result;
  };
}
