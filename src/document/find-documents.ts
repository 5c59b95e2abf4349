import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { ClocheError } from '../errors/cloche-error.ts';
import { closestWord, joinWords } from '../errors/suggest.ts';

/** The maximum number of files that are read, and of bytes of each: a folder may contain any number of large files. */
const mostFiles = 100;
const mostBytes = 4_096;

/** Matches the version at the top level of a document: `openapi: 3.1.0`, `"swagger": "2.0"`. */
const version = /(?:^|^\s*\{\s*|,\s*)["']?(?:openapi|swagger)["']?\s*:\s*["']?[23]\./mu;

/** Returns the names of the OpenAPI documents in a folder, in alphabetical order; empty if it cannot be read. */
export function findDocuments(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:ya?ml|json)$/iu.test(entry.name))
      .map(({ name }) => name)
      .toSorted()
      .slice(0, mostFiles)
      .filter((name) => version.test(readStart(join(folder, name))));
  } catch {
    return [];
  }
}

function readStart(file: string): string {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(mostBytes);
    return bytes.toString('utf8', 0, readSync(handle, bytes, 0, mostBytes, 0));
  } finally {
    closeSync(handle);
  }
}

/** The maximum number of documents that a remedy lists. */
const mostNamed = 3;

/**
 * Returns the error for a document that does not exist, or is a folder, with the documents of the folder as the remedy:
 * the one with a similar name, or some of them. Returns any other error as it is.
 *
 * @param source - the path as the user wrote it
 */
export function suggestDocument(error: unknown, source: string): unknown {
  if (!(error instanceof ClocheError)) return error;
  const problem = error.cause instanceof Error && 'code' in error.cause ? error.cause.code : undefined;
  const isFolder = problem === 'EISDIR';
  // The file exists, but its content cannot be used.
  if (problem !== 'ENOENT' && !isFolder) return error;
  const [, folder = '', name = ''] = isFolder
    ? ['', join(source, '/')]
    : (/^(.*[\\/])?(.*)$/su.exec(source) ?? []);
  const documents = findDocuments(folder === '' ? '.' : folder);
  const near = closestWord(name, documents);
  if (documents.length === 0) return error;
  const { code, attempt, subject, reason, cause } = error;
  const named = (near === undefined ? documents.slice(0, mostNamed) : [near]).map(
    (each) => `"${folder}${each}"`,
  );
  return new ClocheError(code, {
    attempt,
    subject,
    reason,
    remedy:
      near === undefined ? `The folder has ${joinWords(named, 'and')}` : `Perhaps ${named[0]} was meant`,
    cause,
  });
}
