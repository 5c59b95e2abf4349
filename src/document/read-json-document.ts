import { ClocheError, type ErrorCode } from '../errors/cloche-error.ts';
import { ExactNumber } from '../json/exact-number.ts';
import { parseJson } from '../json/parse.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import {
  DocumentError,
  type DocumentProblem,
  locatePointer,
  locateProblem,
  type OpenApiDocument,
  recordJsonPlaces,
  type TextPlaces,
} from './document.ts';
import { checkReferences, resolveAnchors, visitReferences } from './references.ts';
import { checkMeaning } from './rules.ts';

function problem(pointer: string, reason: string, remedy: string): DocumentProblem {
  return { pointer, reason, remedy };
}

function isNumber(value: JsonValue | undefined): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

/**
 * Which version of OpenAPI a document says it follows (OpenAPI 3.1 §4.8.1 and §4.1).
 *
 * @returns the version, or why the document is none that can be used
 */
export function checkVersion(root: JsonValue): '3.0' | '3.1' | DocumentProblem {
  if (!isJsonObject(root)) {
    return problem(
      '',
      'this is no OpenAPI document',
      'Name a file that begins with "openapi: 3.1.0" or "openapi: 3.0.4"',
    );
  }
  const { openapi } = root;
  if (Object.hasOwn(root, 'swagger')) {
    return problem(
      '/swagger',
      'this is OpenAPI 2.0',
      'Convert it to 3.0 with: npx swagger2openapi --outfile openapi.json FILE',
    );
  }
  if (Object.hasOwn(root, 'asyncapi')) {
    return problem(
      '/asyncapi',
      'this is an AsyncAPI document',
      'Name an OpenAPI document, which describes an HTTP interface',
    );
  }
  if (openapi === undefined) {
    return problem(
      '',
      'there is no "openapi" field',
      'Name a file that begins with "openapi: 3.1.0" or "openapi: 3.0.4"',
    );
  }
  if (isNumber(openapi)) {
    const text = String(openapi);
    return problem(
      '/openapi',
      `the version ${text} is a number`,
      `Write it as a string of three numbers: "${text}.0"`,
    );
  }
  if (typeof openapi !== 'string') {
    return problem('/openapi', 'the version must be a string', 'Write "3.1.0" or "3.0.4"');
  }
  const [, version] = /^(3\.[01])\.\d+(?:-.+)?$/u.exec(openapi) ?? [];
  if (version === '3.0' || version === '3.1') return version;
  if (/^3\.2(?:\.|$)/u.test(openapi)) {
    return problem(
      '/openapi',
      'this is OpenAPI 3.2, and Cloche reads 3.0 and 3.1',
      'Write "openapi: 3.1.2" and take out what 3.2 added: $self, query and additionalOperations, querystring parameters, itemSchema, device authorization',
    );
  }
  return problem(
    '/openapi',
    `the version ${JSON.stringify(openapi)} is none that Cloche reads`,
    'Write "3.1.0" or "3.0.4", three numbers',
  );
}

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
  if (typeof given === 'string') return given;
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
