import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Finds the document that is used where none is named. Which one it is stands in package.json, under
 * `cloche`; it is found through the package's own exports, from a clone and from an installation alike.
 */
export function findDefaultDocument(): string {
  const require = createRequire(import.meta.url);
  // `as`: package.json is ours, and the test of the package reads the same field.
  const manifest = JSON.parse(readFileSync(require.resolve('cloche/package.json'), 'utf8')) as {
    readonly cloche: { readonly document: string };
  };
  return require.resolve(manifest.cloche.document);
}

/** The version of this package. */
export function readVersion(): string {
  // `as`: package.json is ours.
  const manifest = JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve('cloche/package.json'), 'utf8'),
  ) as { readonly version: string };
  return manifest.version;
}
