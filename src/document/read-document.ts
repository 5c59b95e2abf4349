import type { JsonPointer } from '../json/json-pointer.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { checkDocument } from './check-document.ts';
import { checkVersion } from './check-version.ts';
import { DocumentError } from './document-error.ts';
import type { DocumentPlace } from './document-place.ts';
import type { DocumentProblem } from './document-problem.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import { locateProblem } from './locate-problem.ts';
import type { LocatedProblem, TextLocation } from './located-problem.ts';
import { nameSource } from './name-source.ts';
import { parseSource } from './parse-source.ts';
import { readSource } from './read-source.ts';
import { embedReferences } from './references/embed-references.ts';
import { resolveAnchors } from './references/resolve-anchors.ts';
import { locateOrigin } from './references/locate-origin.ts';
import { findOrigin, type TextOrigins } from './references/text-origins.ts';
import { locatePointer, type TextPlaces } from './text-places.ts';
import { toSourceUrl } from './to-source-url.ts';

/** An OpenAPI document that was read and found usable. */
export interface OpenApiDocument {
  /** As the user named it. */
  readonly source: string;
  readonly version: '3.0' | '3.1';
  /** The version as the document has it: `3.1.0`. */
  readonly openapi: string;
  /**
   * The document with its numbers exact. Each reference in it is `#` and a pointer (RFC 6901), not
   * percent-encoded, that leads to something.
   */
  readonly root: JsonObject;
  /**
   * Where a place of the document stands in the text: the key of a member, the start of an item. Of a place
   * that there is not, it is that of the last thing on the way to it.
   */
  locate(pointer: JsonPointer): TextLocation | undefined;
  /** What a place of `root` is called in the text that the user wrote; without it, the same as in `root`. */
  readonly originOf?: (pointer: JsonPointer) => DocumentPlace;
  /** Where a place that `originOf` names stands in its text; without it, as `locate` does. */
  readonly locateOrigin?: (place: DocumentPlace) => TextLocation | undefined;
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
