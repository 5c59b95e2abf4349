import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The versions of OpenAPI that documents are checked as. */
const versions = ['3.0', '3.1', '3.2'];

/**
 * Copies the published schemas of OpenAPI documents, of which Cloche needs nothing else of their package.
 *
 * @returns {{ path: string, text: string, modules: string[] }[]} files of dist/, and where each comes from
 */
export function copySchemas() {
  return versions.map((version) => {
    const name = `@seriousme/openapi-schema-validator/schemas/v${version}/schema.json`;
    const file = fileURLToPath(import.meta.resolve(name));
    // Compact: whoever checks a document reads the whole file.
    const text = JSON.stringify(JSON.parse(readFileSync(file, 'utf8')));
    return { path: `schemas/openapi-${version}.json`, text, modules: [file] };
  });
}
