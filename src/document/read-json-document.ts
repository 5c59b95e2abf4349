import { isJsonObject } from '../json/is-json-object.ts';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { parseJson } from '../json/parse-json.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import type { ErrorCode } from '../errors/error-registry.ts';
import { checkMeaning } from './check-meaning.ts';
import { checkVersion } from './check-version.ts';
import { DocumentError } from './document-error.ts';
import type { DocumentProblem } from './document-problem.ts';
import { locateProblem } from './locate-problem.ts';
import type { OpenApiDocument } from './read-document.ts';
import { recordJsonPlaces } from './record-json-places.ts';
import { checkReferences } from './references/check-references.ts';
import { resolveAnchors } from './references/resolve-anchors.ts';
import { visitReferences } from './references/visit-references.ts';
import { locatePointer, type TextPlaces } from './text-places.ts';

/** A document as JSON: its text, which keeps the digits of big numbers, or what was read from it. */
export type JsonDocument = string | Readonly<Record<string, unknown>>;

/** What is wrong with a document besides what can be told from its text alone. */
export type StructureCheck = (root: JsonObject, version: '3.0' | '3.1') => readonly DocumentProblem[];

/** How a JSON document is read. */
export interface JsonDocumentOptions {
  /** What to call it. */
  readonly source: string;
  /**
   * Looks whether everything in it has the structure that OpenAPI asks for.
   *
   * @defaultValue nobody looks
   */
  readonly checkStructure?: StructureCheck;
}

const bundleRemedy = 'Put what it names into the document: npx cloche bundle FILE -o bundle.json';

function toText(given: JsonDocument, source: string): string {
  if (typeof given === 'string') {
    return given;
  }
  try {
    // The lines are those that `cloche bundle` writes.
    return JSON.stringify(given, undefined, 2);
  } catch (error) {
    throw new ClocheError('DOCUMENT_INVALID', {
      attempt: 'read',
      subject: source,
      reason: `it is no JSON: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`,
      remedy: 'Give it with its references, not with what they lead to',
      cause: error,
    });
  }
}

function findOuter(root: JsonObject): readonly DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  visitReferences(root, {
    reference(_holder, reference, pointer) {
      if (!reference.startsWith('#')) {
        const reason = `the reference ${JSON.stringify(reference)} leads out of the document`;
        problems.push({ pointer: `${pointer}/$ref`, reason, remedy: bundleRemedy });
      }
    },
  });
  return problems;
}

/**
 * Takes an OpenAPI document, 3.0 or 3.1, that is there already, as JSON, and checks it. It reads nothing further and
 * needs no Node, so that it runs in a browser too.
 *
 * @throws DocumentError DOCUMENT_SYNTAX, DOCUMENT_VERSION, REFERENCE_REFUSED for a reference out of it, or
 * DOCUMENT_INVALID, with every problem at its line and column; those of an object are the ones that it has when it is
 * written with two spaces for each level
 * @throws ClocheError DOCUMENT_INVALID for an object that is no JSON, as one that holds itself
 */
export function readJsonDocument(given: JsonDocument, options: JsonDocumentOptions): OpenApiDocument {
  const { source, checkStructure } = options;
  const places: TextPlaces = new WeakMap();
  const text = toText(given, source);
  const parsed = parseJson(text);
  if (parsed.kind === 'syntax') {
    const { line, column, reason } = parsed;
    const problem = { file: source, line, column, reason, remedy: 'Correct the JSON' };
    throw new DocumentError('DOCUMENT_SYNTAX', { source, problems: [problem] });
  }
  const { value: root } = parsed;
  recordJsonPlaces({ source: { file: source, text }, root, places });

  function refuse(code: ErrorCode, whole: JsonValue, problems: readonly DocumentProblem[]): void {
    if (problems.length > 0) {
      const located = problems.map((problem) =>
        locateProblem({ problem, root: whole, places, file: source }),
      );
      throw new DocumentError(code, { source, problems: located });
    }
  }

  const version = checkVersion(root);
  if (typeof version === 'object' || !isJsonObject(root)) {
    refuse('DOCUMENT_VERSION', root, typeof version === 'object' ? [version] : []);
    throw new TypeError('What is no object has no version');
  }
  refuse('REFERENCE_REFUSED', root, findOuter(root));
  resolveAnchors(root);
  refuse('DOCUMENT_INVALID', root, [
    ...checkReferences(root),
    ...(checkStructure?.(root, version) ?? []),
    ...checkMeaning(root),
  ]);
  return {
    source,
    version,
    openapi: typeof root['openapi'] === 'string' ? root['openapi'] : version,
    root,
    locate: (pointer) => locatePointer({ places, root, pointer }),
  };
}
