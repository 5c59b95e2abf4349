import { isJsonObject } from '../json/value.ts';
import { embedReferences, findOrigin, locateOrigin, recordOrigins, type TextOrigins } from './bundle.ts';
import { readExternalExamples } from './external-examples.ts';
import { locatePointer, type OpenApiDocument, TextPlaces } from './document.ts';
import { finishDocument } from './read-json-document.ts';
import type { FileOptions } from './read-file.ts';
import { nameSource, parseSource, type ReadText, readSource, toSourceUrl } from './source.ts';
import { checkStructure } from './structure.ts';
import { requireVersion } from './versions.ts';

/** Options for reading a document. */
export interface DocumentOptions extends FileOptions {
  /** Whether to follow references out of its folder, or over the network. @defaultValue false */
  readonly followReferences?: boolean;
  /** A file, of which references may reach the folder. @defaultValue the document */
  readonly within?: URL | undefined;
  /** Whether to reject the document for an error that concerns only one place. @defaultValue false */
  readonly isStrict?: boolean | undefined;
  /** Overlays to apply to the document, files or URLs, in order. @defaultValue none */
  readonly overlays?: readonly string[] | undefined;
  /** Called with the URL of each text before it is read, referenced texts too. @defaultValue not called */
  readonly onRead?: (url: URL) => void;
}

/** Reads the text of a document. An error about a file names the documents that are there. */
async function readNamed(source: string, asked: URL, options: DocumentOptions): Promise<ReadText> {
  try {
    return await readSource(asked, nameSource(source, asked, asked), options);
  } catch (error) {
    if (/^(?:https?|file):/iu.test(source)) throw error;
    throw (await import('./find-documents.ts')).suggestDocument(error, source);
  }
}

/**
 * Reads an OpenAPI document, 2.0 to 3.2, in YAML or JSON (a path, or an http, https or file URL), and checks it.
 *
 * @throws ClocheError DOCUMENT_UNREADABLE if it cannot be opened or fetched
 * @throws DocumentError DOCUMENT_SYNTAX, DOCUMENT_VERSION, REFERENCE_REFUSED or DOCUMENT_INVALID, with every
 * problem at its line and column
 */
export async function readDocument(source: string, options: DocumentOptions = {}): Promise<OpenApiDocument> {
  const asked = toSourceUrl(source);
  options.onRead?.(asked);
  const { text, url, isJson } = await readNamed(source, asked, options);
  const file = nameSource(source, url, url);
  const places = new TextPlaces();
  const whole = await parseSource({ file, text, isJson, places });
  const { overlays = [], onRead } = options;
  const unused =
    overlays.length === 0 || !isJsonObject(whole)
      ? []
      : await (await import('./overlays.ts')).applyOverlays(overlays, { file, root: whole, places }, onRead);
  const { own, version: written } = requireVersion({ file, root: whole, places });
  await readExternalExamples(
    { root: own, text, url },
    { document: options.within ?? url, onRead: options.onRead },
  );
  const origins: TextOrigins = new WeakMap();
  // The conversion moves parts of the document to other places.
  if (written === '2.0') recordOrigins(own, { pointer: '' }, origins);
  const embedded = await embedReferences({
    origins,
    root: own,
    url,
    source,
    places,
    follow: options.followReferences === true,
    within: options.within ?? url,
    onRead: options.onRead,
  });
  const document = finishDocument(
    { file, root: embedded, places },
    { source, written, checkStructure, isStrict: options.isStrict === true, origins },
  );
  const { root, warnings = [] } = document;
  return {
    ...document,
    warnings: [...unused, ...warnings],
    originOf: (pointer) => findOrigin(root, pointer, origins),
    locateOrigin: (place) =>
      locateOrigin({ root, place, origins, places }) ??
      (place.file === undefined ? locatePointer(places, root, place.pointer) : undefined),
  };
}
