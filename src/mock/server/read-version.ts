import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The version of this package. */
export function readVersion(): string {
  // `as`: package.json is ours.
  const manifest = JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve('cloche/package.json'), 'utf8'),
  ) as { readonly version: string };
  return manifest.version;
}
