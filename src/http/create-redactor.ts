import { createTextRedactor } from './redact.ts';
import type { HeaderList } from './header-list.ts';

/** Puts `[secret]` in the place of every secret, in whatever a report holds. */
export interface Redactor {
  readonly text: (text: string) => string;
  readonly bytes: (bytes: Uint8Array) => Uint8Array;
  /** Names are kept as they are. */
  readonly headers: (headers: HeaderList) => HeaderList;
}

/** Base64 of less than this stands in too many places by chance. */
const shortestEncoded = 8;

/**
 * What of base64 is the same wherever a secret stands in the bytes that are encoded (RFC 4648 §4, §5): its
 * first byte may be the first, second or third of a group.
 */
function encodings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const inner = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return inner.length < shortestEncoded ? [] : [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/**
 * Creates what hides secrets as {@link createTextRedactor} does, and in base64 too; made once, it serves any number of
 * texts.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const redact = createTextRedactor([...secrets, ...secrets.flatMap(encodings)]);
  return {
    text: redact,
    bytes: (bytes) => Buffer.from(redact(Buffer.from(bytes).toString('latin1')), 'latin1'),
    headers: (headers) => headers.map(([name, value]) => [name, redact(value)] as const),
  };
}
