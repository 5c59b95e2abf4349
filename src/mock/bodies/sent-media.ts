import type { MediaTypeContract } from '../../contract/media-type-contract.ts';
import { matchesMediaRange } from '../../http/matches-media-range.ts';

/** A declared media type that the mock answers in. */
export interface SentMedia {
  readonly media: MediaTypeContract;
  /** What stands in Content-Type; a range of the document is narrowed to one type. */
  readonly contentType: string;
  readonly isJson: boolean;
}

function toSentMedia(media: MediaTypeContract): SentMedia {
  if (!media.range.includes('*')) {
    return { media, contentType: media.range, isJson: media.isJson };
  }
  const isJson = matchesMediaRange('application/json', media.range);
  return { media, contentType: isJson ? 'application/json' : media.range.replace('*', 'plain'), isJson };
}

/** The media type of a response that the mock answers in: JSON where it is declared, else the first. */
export function chooseSentMedia(declared: readonly MediaTypeContract[]): SentMedia | undefined {
  const all = declared.map(toSentMedia);
  return all.find(({ isJson }) => isJson) ?? all[0];
}
