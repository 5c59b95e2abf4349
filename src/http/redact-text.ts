import { splitAtSecrets } from './split-at-secrets.ts';

/** What stands in the place of a secret. */
const mark = '[secret]';

/**
 * Puts `[secret]` in the place of every secret in a text.
 *
 * A secret of fewer than six characters is seen only where it stands as a word of its own.
 */
export function redactText(text: string, secrets: readonly string[]): string {
  return splitAtSecrets(text, secrets)
    .map((piece) => (piece.kind === 'secret' ? mark : piece.text))
    .join('');
}
