import { itemsOf, textOf } from './har-value.ts';

/** A body as a HAR file has it; `lost` says why its bytes are not known. */
export type HarBody =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'absent' }
  | { readonly kind: 'lost'; readonly why: string };

/** A surrogate without its other half, and what stands where bytes could not be read. */
const replaced = /[\p{Surrogate}\uFFFD]/u;

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll(/\s/gu, '')), (character) => character.charCodeAt(0));
}

/**
 * Reads `content` of a response, or `postData` of a request (HAR 1.2): text is kept as characters, whatever it was
 * encoded in, so it is UTF-8 here.
 *
 * @param holder - the object with the text
 */
export function readHarBody(holder: unknown): HarBody {
  const text = textOf(holder, 'text');
  if (text === undefined) {
    return { kind: 'absent' };
  }
  // HAR has `encoding` for answers alone; our own reports say it of requests too.
  const encoding = textOf(holder, 'encoding') ?? textOf(holder, '_encoding');
  if (encoding === 'base64') {
    try {
      return { kind: 'bytes', bytes: fromBase64(text) };
    } catch {
      return { kind: 'lost', why: 'its content is not in base64, though the file says so' };
    }
  }
  return replaced.test(text)
    ? { kind: 'lost', why: 'its content was not kept byte for byte' }
    : { kind: 'bytes', bytes: new TextEncoder().encode(text) };
}

/**
 * Reads `postData`: its text, or the fields of a form that some tools write in the place of it.
 *
 * @param postData - of a request; undefined where there is none
 */
export function readPostData(postData: unknown): HarBody {
  const body = readHarBody(postData);
  const params = itemsOf(postData, 'params');
  const isEmpty = body.kind === 'absent' || (body.kind === 'bytes' && body.bytes.length === 0);
  if (!isEmpty || params.length === 0) {
    return body;
  }
  const mediaType = textOf(postData, 'mimeType') ?? '';
  if (!/^application\/x-www-form-urlencoded/iu.test(mediaType)) {
    return { kind: 'lost', why: 'the content of its request is in the file only part by part' };
  }
  const pairs = params.map((param): [string, string] => [
    textOf(param, 'name') ?? '',
    textOf(param, 'value') ?? '',
  ]);
  return { kind: 'bytes', bytes: new TextEncoder().encode(new URLSearchParams(pairs).toString()) };
}
