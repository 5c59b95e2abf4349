import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

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

/** Returns the path of a file of this package. The package's own name leads to it from the source and from dist/ alike. */
export function packageFile(...names: readonly string[]): string {
  const manifest = createRequire(import.meta.url).resolve('cloche/package.json');
  return join(dirname(manifest), ...names);
}

function readManifest(): { readonly version: string; readonly cloche: { readonly document: string } } {
  // `as`: package.json is ours, and the test of the package reads the same fields.
  return JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as ReturnType<typeof readManifest>;
}
