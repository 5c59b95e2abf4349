import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Finds the document that is used where none is named: package.json says which, under `cloche`. It is found
 * through the package's own exports, from a clone and from an installation alike.
 */
export function findDefaultDocument(): string {
  return createRequire(import.meta.url).resolve(readManifest().cloche.document);
}

/** The version of this package. */
export function readVersion(): string {
  return readManifest().version;
}

function readManifest(): { readonly version: string; readonly cloche: { readonly document: string } } {
  const file = createRequire(import.meta.url).resolve('cloche/package.json');
  // `as`: package.json is ours, and the test of the package reads the same fields.
  return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof readManifest>;
}
