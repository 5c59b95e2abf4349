import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { embedReferences, findOrigin, locateOrigin, type TextOrigins } from './bundle.ts';
import {
  DocumentError,
  type DocumentProblem,
  type LocatedProblem,
  locatePointer,
  locateProblem,
  type OpenApiDocument,
  type TextPlaces,
} from './document.ts';
import { checkVersion } from './read-json-document.ts';
import { checkReferences, resolveAnchors } from './references.ts';
import { checkMeaning } from './rules.ts';
import { nameSource, parseSource, readSource, toSourceUrl } from './source.ts';
import { checkStructure } from './structure.ts';

/**
 * Everything in a document that makes it unusable, one problem for each mistake.
 *
 * @param root - with no reference out of it
 */
function checkDocument(root: JsonObject, version: '3.0' | '3.1'): readonly DocumentProblem[] {
  return [...checkReferences(root), ...checkStructure(root, version), ...checkMeaning(root)];
}

/** How a document is read. */
export interface DocumentOptions {
  /**
   * Whether references out of the folder of the document, or over the network, are followed.
   *
   * @defaultValue false
   */
  readonly followReferences?: boolean;
  /**
   * Is told of each text before it is read: the document itself, and what it refers to.
   *
   * @defaultValue nobody is told
   */
  readonly onRead?: (url: URL) => void;
}

/**
 * Reads an OpenAPI document, 3.0 or 3.1, in YAML or JSON, and checks it.
 *
 * @param source - a path, or an http, https or file URL
 * @throws ClocheError DOCUMENT_UNREADABLE where it cannot be opened or fetched
 * @throws DocumentError DOCUMENT_SYNTAX, DOCUMENT_VERSION, REFERENCE_REFUSED or DOCUMENT_INVALID, with every
 * problem at its line and column
 */
export async function readDocument(source: string, options: DocumentOptions = {}): Promise<OpenApiDocument> {
  const asked = toSourceUrl(source);
  options.onRead?.(asked);
  const { text, url, isJson } = await readSource(asked, nameSource({ source, base: asked, url: asked }));
  const file = nameSource({ source, base: url, url });
  const places: TextPlaces = new WeakMap();
  const whole = await parseSource({ file, text, isJson, places });
  const toLocated = (root: JsonValue, problem: DocumentProblem): LocatedProblem =>
    locateProblem({ problem, root, places, file });

  const version = checkVersion(whole);
  if (typeof version === 'object' || !isJsonObject(whole)) {
    const problem = typeof version === 'object' ? [toLocated(whole, version)] : [];
    throw new DocumentError('DOCUMENT_VERSION', { source: file, problems: problem });
  }
  const origins: TextOrigins = new WeakMap();
  const root = await embedReferences({
    origins,
    root: whole,
    url,
    source,
    places,
    follow: options.followReferences === true,
    onRead: options.onRead,
  });
  resolveAnchors(root);
  const problems = checkDocument(root, version);
  if (problems.length > 0) {
    const located = problems.map((problem) => toLocated(root, problem));
    throw new DocumentError('DOCUMENT_INVALID', { source: file, problems: located });
  }
  return {
    source,
    version,
    openapi: typeof root['openapi'] === 'string' ? root['openapi'] : version,
    root,
    locate: (pointer) => locatePointer({ places, root, pointer }),
    originOf: (pointer) => findOrigin({ root, pointer, origins }),
    locateOrigin: (place) =>
      locateOrigin({ root, place, origins, places }) ??
      (place.file === undefined ? locatePointer({ places, root, pointer: place.pointer }) : undefined),
  };
}
