import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Finds the default document, which package.json names under `exampleDocument`. It is resolved through the exports of the
 * package, which works in a clone and in an installation.
 */
export function findDefaultDocument(): string {
  return createRequire(import.meta.url).resolve(readManifest().exampleDocument);
}

/** Returns the version of this package. */
export function readVersion(): string {
  return readManifest().version;
}

/** Returns the path of a file of this package, resolved by package name from the source and from dist/. */
export function packageFile(...names: readonly string[]): string {
  const manifest = createRequire(import.meta.url).resolve('cloche/package.json');
  return join(dirname(manifest), ...names);
}

function readManifest(): { readonly version: string; readonly exampleDocument: string } {
  // `as`: package.json is ours, and the test of the package reads the same fields.
  return JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as ReturnType<typeof readManifest>;
}
