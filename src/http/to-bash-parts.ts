import type { BashPart } from './quote-for-bash.ts';
import { base64Spellings, createSecretSplitter, redacted } from './redact.ts';
import type { SecretVariable } from './secret-variables.ts';
import { textBytes } from './text-bytes.ts';

/**
 * Cuts a text into the parts of a bash word, with a variable in the place of each secret. In base64, of which no variable
 * holds a part, a mark stands in its place.
 *
 * @param text - one character a byte, or any text where a character is past U+00FF
 */
export function toBashParts(text: string, variables: readonly SecretVariable[]): BashPart[] {
  const secrets = variables.map(([secret]) => secret);
  const split = createSecretSplitter([...secrets, ...secrets.flatMap(base64Spellings)]);
  return split(text).map((piece) => {
    const variable = piece.kind === 'secret' ? variables[piece.index] : undefined;
    return variable === undefined
      ? { kind: 'bytes', bytes: textBytes(piece.kind === 'secret' ? redacted : piece.text) }
      : { kind: 'variable', name: variable[1] };
  });
}
