import { DocumentError } from '../document/document-error.ts';
import type { OpenApiDocument } from '../document/read-document.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import type { JsonPointer } from '../json/json-pointer.ts';

/**
 * Does what may find a schema unusable, and says so as of any other mistake in a document: at its line and
 * column, as far as the document knows them.
 *
 * @param input.pointer - the place of the schema
 * @throws DocumentError SCHEMA_UNUSABLE
 */
export function locateSchemaError<T>(input: {
  readonly document: OpenApiDocument;
  readonly pointer: JsonPointer;
  readonly work: () => T;
}): T {
  const { document, pointer, work } = input;
  try {
    return work();
  } catch (error) {
    const place = document.locate(pointer);
    if (!(error instanceof ClocheError) || error.code !== 'SCHEMA_UNUSABLE' || place === undefined) {
      throw error;
    }
    const { reason, remedy } = error;
    const problem = { ...place, reason: `the schema at ${pointer} cannot be used: ${reason}`, remedy };
    throw new DocumentError('SCHEMA_UNUSABLE', { source: document.source, problems: [problem] });
  }
}
