import { essenceOf } from './media-type.ts';

/** A picture of eight by eight pixels, in one color. */
const jpeg =
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQH/wAALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAD8AP//Z';

const encoded: ReadonlyMap<string, string> = new Map([
  // One page with a word.
  [
    'application/pdf',
    'JVBERi0xLjQKMSAwIG9iajw8L1R5cGUvQ2F0YWxvZy9QYWdlcyAyIDAgUj4+ZW5kb2JqCjIgMCBvYmo8PC9UeXBlL1BhZ2VzL0tpZHNbMyAwIFJdL0NvdW50IDE+PmVuZG9iagozIDAgb2JqPDwvVHlwZS9QYWdlL1BhcmVudCAyIDAgUi9NZWRpYUJveFswIDAgMjAwIDEwMF0vQ29udGVudHMgNCAwIFIvUmVzb3VyY2VzPDwvRm9udDw8L0Y8PC9UeXBlL0ZvbnQvU3VidHlwZS9UeXBlMS9CYXNlRm9udC9IZWx2ZXRpY2E+Pj4+Pj4+PmVuZG9iago0IDAgb2JqPDwvTGVuZ3RoIDMyPj5zdHJlYW0KQlQvRiAxOCBUZiA2MCA0NSBUZChTYW1wbGUpVGogRVQKZW5kc3RyZWFtZW5kb2JqCnhyZWYKMCA1CjAwMDAwMDAwMDAgNjU1MzUgZiAKMDAwMDAwMDAwOSAwMDAwMCBuIAowMDAwMDAwMDUyIDAwMDAwIG4gCjAwMDAwMDAxMDEgMDAwMDAgbiAKMDAwMDAwMDI1MSAwMDAwMCBuIAp0cmFpbGVyPDwvU2l6ZSA1L1Jvb3QgMSAwIFI+PgpzdGFydHhyZWYKMzI4CiUlRU9GCg==',
  ],
  // One file, sample.txt.
  [
    'application/zip',
    'UEsDBBQAAAAAAAAAIVxgCpuGCgAAAAoAAAAKAAAAc2FtcGxlLnR4dEEgc2FtcGxlLgpQSwECFAMUAAAAAAAAACFcYAqbhgoAAAAKAAAACgAAAAAAAAAAAAAAgAEAAAAAc2FtcGxlLnR4dFBLBQYAAAAAAQABADgAAAAyAAAAAAA=',
  ],
  ['image/gif', 'R0lGODlhAQABAIAAAMjY6AAAACH5BAAAAAAALAAAAAABAAEAAAICRAEAOw=='],
  ['image/jpeg', jpeg],
  ['image/jpg', jpeg],
  [
    'image/png',
    'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mM4ceMFVsQwtCQARHmiAUl+xCwAAAAASUVORK5CYII=',
  ],
  ['image/webp', 'UklGRigAAABXRUJQVlA4IBwAAABwAQCdASoIAAgAB0CWJYwCdAFAAAD+6139JLgA'],
]);

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="#c8d8e8"/></svg>\n';

/**
 * Returns a small file that programs for a media type can open: a picture, a page or an archive, with one character per
 * byte. Returns undefined if there is none for the type.
 */
export function sampleFile(contentType: string): string | undefined {
  const essence = essenceOf(contentType);
  if (essence === 'image/svg+xml') return svg;
  const base64 = encoded.get(essence);
  return base64 === undefined ? undefined : atob(base64);
}
