import type { HeaderList } from './message.ts';
import { createTextRedactor } from './redact.ts';

/** Puts `[secret]` in the place of every secret, in whatever a report holds. */
export interface Redactor {
  readonly text: (text: string) => string;
  readonly bytes: (bytes: Uint8Array) => Uint8Array;
  /** Names are kept as they are. */
  readonly headers: (headers: HeaderList) => HeaderList;
}

/** Creates what hides secrets as {@link createTextRedactor} does; made once, it serves any number of texts. */
export function createRedactor(secrets: readonly string[]): Redactor {
  const redact = createTextRedactor(secrets);
  return {
    text: redact,
    bytes(bytes) {
      const text = Buffer.from(bytes).toString('latin1');
      const shown = redact(text);
      return shown === text ? bytes : Buffer.from(shown, 'latin1');
    },
    headers: (headers) => headers.map(([name, value]) => [name, redact(value)] as const),
  };
}
