import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ClocheError, describeReadFailure, type ErrorCode } from '../errors/cloche-error.ts';
import type { JsonValue } from '../json/value.ts';
import { type DocumentError, type DocumentProblem, TextPlaces, toDocumentError } from './document.ts';
import { type FileOptions, readFileBytes } from './read-file.ts';
import { parseSource } from './source.ts';

/**
 * Finds the policy file beside a document: `orders.policy.yaml` (or .yml, .json) for `orders.yaml`. A document on the
 * network has none.
 */
export function findPolicyBeside(source: string): string | undefined {
  if (/^https?:/iu.test(source)) return undefined;
  const path = /^file:/iu.test(source) ? fileURLToPath(source) : source;
  const stem = path.replace(/\.(?:ya?ml|json)$/u, '');
  const names = ['yaml', 'yml', 'json'].map((ending) => `${stem}.policy.${ending}`);
  return names.find((name) => existsSync(name));
}

/**
 * Returns the path of a published schema for the `$schema` of a file that Cloche writes. It leads to the package that is
 * installed in the folder of the file, or the nearest one above it. Editors resolve such a path from the file.
 *
 * @param name - the name of the schema without its ending: `policy`
 * @param file - the file to write; for standard output a file in the working directory
 */
export function schemaPathFor(name: string, file = 'stdout'): string {
  const path = `node_modules/cloche/spec/${name}.schema.json`;
  const start = dirname(resolve(file));
  let folder = start;
  while (!existsSync(join(folder, path))) {
    const above = dirname(folder);
    if (above === folder) return `./${path}`;
    folder = above;
  }
  const found = relative(start, join(folder, path)).split(sep).join('/');
  return found.startsWith('.') ? found : `./${found}`;
}

/** A settings file that was read. */
export interface LocatedFile {
  readonly text: string;
  /** The parsed content, with exact numbers. */
  readonly root: JsonValue;
  /** Creates an error from one or more problems of the content, each with its line and column. */
  toError(code: ErrorCode, problems: readonly DocumentProblem[]): DocumentError;
}

interface WantedFile extends FileOptions {
  readonly file: string;
  /** `the baseline` */
  readonly what: string;
  readonly code: ErrorCode;
  readonly remedyOfNone: string;
  readonly mayBeMissing: boolean;
}

/**
 * Reads a settings file: JSON by its name, else YAML or JSON. Returns undefined if it is missing or empty, and may
 * be missing.
 *
 * @throws ClocheError with the given code if the file cannot be read
 * @throws DocumentError DOCUMENT_SYNTAX, with every problem at its line and column
 */
export function readLocatedFile(input: WantedFile & { readonly mayBeMissing: false }): Promise<LocatedFile>;
/** Reads a settings file that may be missing. */
export function readLocatedFile(input: WantedFile): Promise<LocatedFile | undefined>;
/** Implements both overloads. */
export async function readLocatedFile(input: WantedFile): Promise<LocatedFile | undefined> {
  const { file, what, code } = input;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(await readFileBytes(file, input));
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    if (isMissing && input.mayBeMissing) return undefined;
    throw new ClocheError(code, {
      attempt: `read ${what}`,
      subject: file,
      reason: cause instanceof TypeError ? 'it is not UTF-8' : describeReadFailure(cause),
      remedy: isMissing ? input.remedyOfNone : 'Name a file that can be read',
      cause,
    });
  }
  return isBlank(text) && input.mayBeMissing ? undefined : parseLocatedText(file, text);
}

const isBlank = (text: string): boolean => text.trim() === '';

/**
 * Parses the text of a settings file, as JSON if the file name ends in .json, else as YAML or JSON.
 *
 * @throws DocumentError DOCUMENT_SYNTAX, with every problem at its line and column
 */
export async function parseLocatedText(file: string, text: string): Promise<LocatedFile> {
  const places = new TextPlaces();
  // YAML may be empty.
  const isEmpty = isBlank(text);
  const root = await parseSource({ file, text, isJson: file.endsWith('.json') && !isEmpty, places });
  return {
    text,
    root,
    toError: (problemCode, problems) =>
      toDocumentError(
        problemCode,
        { file, root, places },
        isEmpty ? problems.map((problem) => ({ ...problem, reason: 'it is empty' })) : problems,
      ),
  };
}
