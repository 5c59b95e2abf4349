import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseJsonValue } from '../json/parse.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { readFileBytes } from './read-file.ts';
import { pathOf } from './source.ts';

/** An Example Object whose value is in a file, and the media type that contains it, if any. */
interface ExternalExample {
  readonly holder: JsonObject;
  readonly externalValue: string;
  readonly mediaType: string | undefined;
}

/** Finds the examples with an external value. The content of examples, extensions and schema values is data. */
function findExamples(root: JsonValue): readonly ExternalExample[] {
  const found: ExternalExample[] = [];
  const seen = new Set<JsonValue>();
  function visit(value: JsonValue, parent: string, mediaType?: string): void {
    // A YAML anchor may be used in many places.
    if (typeof value !== 'object' || seen.has(value)) return;
    seen.add(value);
    if (Array.isArray(value)) value.forEach((item) => visit(item, parent));
    if (!isJsonObject(value)) return;
    for (const [name, member] of Object.entries(value)) {
      const isData =
        /^(?:example|enum|const|x-.*)$/u.test(name) || (name === 'default' && parent !== 'responses');
      if (name === 'examples' && isJsonObject(member)) {
        for (const holder of Object.values(member)) {
          const externalValue = isJsonObject(holder) ? holder['externalValue'] : undefined;
          if (isJsonObject(holder) && typeof externalValue === 'string') {
            found.push({ holder, externalValue, mediaType });
          }
        }
      } else if (!isData) {
        visit(member, name, parent === 'content' ? name : undefined);
      }
    }
  }
  visit(root, '');
  return found;
}

/**
 * Returns whether a file is in the folder of a document. Symbolic links are resolved: a link to a file outside of the
 * folder is not inside. A missing file is judged by its path. A URL that no path can express (`..%2Fapi.yaml`,
 * `file://host/api.yaml`) is in no folder.
 */
export async function isWithinFolder(url: URL, document: URL): Promise<boolean> {
  if (url.protocol !== 'file:' || document.protocol !== 'file:') return false;
  const file = pathOf(url);
  if (file === undefined) return false;
  const path = relative(await settle(dirname(fileURLToPath(document))), await settle(file));
  return !isAbsolute(path) && path !== '..' && !/^\.\.[/\\]/u.test(path);
}

async function settle(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const folder = dirname(path);
    return folder === path ? path : `${await settle(folder)}${path.slice(folder.length)}`;
  }
}

async function readText(url: URL): Promise<string | undefined> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFileBytes(url, { mayBePipe: false }));
  } catch {
    return undefined;
  }
}

/**
 * Replaces each `externalValue` with the content of the named file (OpenAPI 3.1 §4.8.19): JSON if the media type is
 * JSON, else text. An example stays unchanged if its file may not be read, cannot be read, or is neither.
 *
 * @param source.url - the URL of the text; relative names are resolved against it
 * @param options.document - the document; the files must be in its folder
 */
export async function readExternalExamples(
  { root, text, url }: { readonly root: JsonValue; readonly text: string; readonly url: URL },
  { document, onRead }: { readonly document: URL; readonly onRead: ((url: URL) => void) | undefined },
): Promise<void> {
  // Searching a large document takes a while.
  if (!text.includes('externalValue')) return;
  const contents = new Map<string, string | undefined>();
  for (const { holder, externalValue, mediaType } of findExamples(root)) {
    const file = URL.canParse(externalValue, url.href) ? new URL(externalValue, url.href) : undefined;
    if (file === undefined || 'value' in holder || !(await isWithinFolder(file, document))) continue;
    if (!contents.has(file.href)) {
      onRead?.(file);
      contents.set(file.href, await readText(file));
    }
    const content = contents.get(file.href);
    const isJson =
      /[/+]json\b/iu.test(mediaType ?? '') || (mediaType === undefined && /\.json$/iu.test(file.pathname));
    const value = isJson ? parseJsonValue(content) : content;
    if (value === undefined) continue;
    delete holder['externalValue'];
    holder['value'] = value;
  }
}
