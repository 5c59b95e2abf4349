import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ClocheError, describeReadFailure } from '../errors/cloche-error.ts';
import { parseJson } from '../json/parse.ts';
import { pointerTokens } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import {
  DocumentError,
  locatePointer,
  recordJsonPlaces,
  type SourceText,
  type TextPlaces,
} from './document.ts';
import { collectBytes, type FileOptions, readFileBytes } from './read-file.ts';

/** Returns the path of a file URL, if it has one. Examples without: `file://host/a.yaml`, `file:///a%2Fb.yaml`. */
export function pathOf(url: URL): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

/**
 * Returns the name of a text for messages. A file is named relative to the name that the user gave the document
 * (`source`, at `base`). A text from the network is named by its URL without credentials.
 */
export function nameSource(source: string, base: URL, url: URL): string {
  if (url.protocol !== 'file:') {
    const shown = new URL(url);
    shown.username = '';
    shown.password = '';
    return shown.href;
  }
  if (pathOf(url) === undefined) return url.href;
  if (base.protocol !== 'file:' || /^file:/iu.test(source)) return fileURLToPath(url);
  const inFolder = relative(dirname(fileURLToPath(base)), fileURLToPath(url));
  return url.href === base.href ? source : join(dirname(source), inFolder).replaceAll(sep, '/');
}

/** Returns the name of a file in a repository; undefined for a URL, a file outside it, or an installed package. */
export function nameInRepository(file: string, root: string): string | undefined {
  if (/^https?:/iu.test(file)) return undefined;
  const name = relative(resolve(root), resolve(file));
  const isOutside = name === '' || isAbsolute(name) || name.split(sep)[0] === '..';
  return isOutside || name.split(sep).includes('node_modules') ? undefined : name.replaceAll(sep, '/');
}

/**
 * Parses a text as JSON if it is declared as JSON, else as YAML 1.2. Numbers keep all their digits.
 *
 * @throws DocumentError DOCUMENT_SYNTAX, with every problem
 */
export async function parseSource(
  input: SourceText & { readonly isJson: boolean; readonly places: TextPlaces },
): Promise<JsonValue> {
  const { file, text, isJson, places } = input;
  const source = { file, text };
  if (!isJson && !/^\s*[{[]/u.test(text)) return parseAsYaml(source, places);
  const parsed = parseJson(text, { findDuplicateKeys: true });
  if (parsed.kind === 'syntax') {
    if (!isJson) return parseAsYaml(source, places);
    const { line, column, reason } = parsed;
    const problem = { file, line, column, reason, remedy: 'Correct the JSON' };
    throw new DocumentError('DOCUMENT_SYNTAX', { source: file, problems: [problem] });
  }
  recordJsonPlaces(source, parsed.value, places);
  const repeated = parsed.duplicateKeys.map((pointer) => ({
    ...(locatePointer(places, parsed.value, pointer) ?? { file, line: 1, column: 1 }),
    reason: `the key ${JSON.stringify(pointerTokens(pointer).at(-1))} stands twice in one object`,
    remedy: 'Remove one of them',
  }));
  if (repeated.length > 0) throw new DocumentError('DOCUMENT_SYNTAX', { source: file, problems: repeated });
  return parsed.value;
}

async function parseAsYaml(source: SourceText, places: TextPlaces): Promise<JsonValue> {
  // The YAML parser takes long to load, and JSON documents do not need it.
  const { parseYaml } = await import('./yaml.ts');
  return parseYaml(source, places);
}

/** Time limit for a server to send the whole document. */
const patienceMs = 30_000;

/** A text that was read. */
export interface ReadText {
  readonly text: string;
  /** The final URL after redirects. */
  readonly url: URL;
  /** Whether its name or its media type declares it as JSON. */
  readonly isJson: boolean;
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'there is no such host',
};

/** Reads a text from a file, http or https URL. @throws ClocheError DOCUMENT_UNREADABLE, with its name */
export async function readSource(url: URL, name: string, options?: FileOptions): Promise<ReadText> {
  const { bytes, from, mediaType } =
    url.protocol === 'file:' ? await readFromDisk(url, name, options) : await readFromNetwork(url, name);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, url: from, isJson: /\bjson\b/u.test(mediaType) || from.pathname.endsWith('.json') };
  } catch (cause) {
    throw unreadable(name, { reason: 'it is not UTF-8', remedy: 'Save it as UTF-8', cause });
  }
}

interface ReadBytes {
  readonly bytes: Uint8Array;
  readonly from: URL;
  readonly mediaType: string;
}

async function readFromDisk(url: URL, name: string, options?: FileOptions): Promise<ReadBytes> {
  try {
    return { bytes: await readFileBytes(url, options), from: url, mediaType: '' };
  } catch (cause) {
    const reason = describeReadFailure(cause);
    throw unreadable(name, { reason, remedy: 'Name a file that can be read, or a URL', cause });
  }
}

async function readFromNetwork(url: URL, name: string): Promise<ReadBytes> {
  const remedy = 'Check the URL, or download the document and name the file';
  let response: Response;
  try {
    response = await fetch(url, {
      headers: {
        accept: 'application/openapi+json, application/openapi+yaml, application/json, application/yaml, */*',
      },
      signal: AbortSignal.timeout(patienceMs),
    });
    if (response.ok) {
      // `as`: fetch yields bytes, which the type of its stream does not express.
      const bytes = await collectBytes((response.body ?? []) as AsyncIterable<Uint8Array>);
      return { bytes, from: new URL(response.url), mediaType: response.headers.get('content-type') ?? '' };
    }
  } catch (cause) {
    throw unreadable(name, { reason: explain(cause), remedy, cause });
  }
  throw unreadable(name, { reason: `the server answered ${response.status}`, remedy });
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `it did not arrive within ${patienceMs / 1000} seconds`;
  const code = 'code' in error ? String(error.code) : '';
  // fetch puts the actual error one level deeper.
  return reasons[code] ?? (error.cause instanceof Error ? explain(error.cause) : error.message);
}

function unreadable(
  name: string,
  parts: { readonly reason: string; readonly remedy: string; readonly cause?: unknown },
): ClocheError {
  return new ClocheError('DOCUMENT_UNREADABLE', { attempt: 'read', subject: name, ...parts });
}

/**
 * Returns the URL of a document that is named by a path, or an http, https or file URL.
 *
 * @throws ClocheError DOCUMENT_UNREADABLE if it looks like a URL but is not valid, or names no file of this machine
 */
export function toSourceUrl(source: string): URL {
  if (!/^(?:https?|file):/iu.test(source)) return pathToFileURL(resolve(source));
  const url = URL.canParse(source) ? new URL(source) : undefined;
  if (url !== undefined && (url.protocol !== 'file:' || pathOf(url) !== undefined)) return url;
  const reason = url === undefined ? 'it is no URL' : 'it names no file of this machine';
  throw unreadable(source, { reason, remedy: 'Name a file that can be read, or a URL' });
}
