import type { BashPart } from './quote-for-bash.ts';
import type { SecretVariable } from './secret-variables.ts';
import { createSecretSplitter } from './redact.ts';
import { textBytes } from './text-bytes.ts';

/**
 * Cuts a text into the parts of a bash word, with a variable in the place of each secret.
 *
 * @param text - one character a byte, or any text where a character is past U+00FF
 */
export function toBashParts(text: string, variables: readonly SecretVariable[]): BashPart[] {
  const split = createSecretSplitter(variables.map(([secret]) => secret));
  return split(text).map((piece) =>
    piece.kind === 'secret'
      ? { kind: 'variable', name: variables[piece.index]?.[1] ?? '' }
      : {
          kind: 'bytes',
          bytes: textBytes(piece.text),
        },
  );
}
