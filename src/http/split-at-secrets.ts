import { createSecretSplitter, type SecretPiece } from './create-secret-splitter.ts';

/**
 * Cuts a text at every place where a secret stands in it, percent-encoded or JSON-escaped too.
 *
 * @param secrets - an empty one is passed over
 * @returns the pieces in order, none of them empty
 */
export function splitAtSecrets(text: string, secrets: readonly string[]): SecretPiece[] {
  return createSecretSplitter(secrets)(text);
}
