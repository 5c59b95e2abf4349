import { ClocheError } from '../errors/cloche-error.ts';
import { parseJson } from '../json/parse.ts';
import type { JsonPointer } from '../json/pointer.ts';
import { isJsonNumber, isJsonObject, type JsonObject } from '../json/value.ts';
import {
  DocumentError,
  type DocumentProblem,
  type DocumentWarning,
  type LocatedText,
  locatePointer,
  locateProblem,
  type OpenApiDocument,
  recordJsonPlaces,
  type TextPlaces,
  toDocumentError,
} from './document.ts';
import { checkReferences, resolveAnchors, visitReferences } from './references.ts';
import { checkMeaning, listOperations } from './rules.ts';
import { applySlips, passOver } from './slips.ts';
import { traceConcern } from './unclear-places.ts';

const firstLine = 'Name a file that begins with "openapi: 3.1.0" or "openapi: 3.0.4"';

/** Which version of OpenAPI a document follows (OpenAPI 3.1 §4.8.1 and §4.1), or why it cannot be used. */
function checkVersion(root: JsonObject): '3.0' | '3.1' | DocumentProblem {
  const { openapi } = root;
  if (Object.hasOwn(root, 'swagger')) {
    const remedy = 'Convert it to 3.0 with: npx swagger2openapi --outfile openapi.json FILE';
    return { pointer: '/swagger', reason: 'this is OpenAPI 2.0', remedy };
  }
  if (Object.hasOwn(root, 'asyncapi')) {
    const remedy = 'Name an OpenAPI document, which describes an HTTP interface';
    return { pointer: '/asyncapi', reason: 'this is an AsyncAPI document', remedy };
  }
  if (openapi === undefined) {
    return { pointer: '', reason: 'there is no "openapi" field', remedy: firstLine };
  }
  const pointer = '/openapi';
  if (isJsonNumber(openapi)) {
    const text = String(openapi);
    const remedy = `Write it as a string of three numbers: "${text}.0"`;
    return { pointer, reason: `the version ${text} is a number`, remedy };
  }
  if (typeof openapi !== 'string') {
    return { pointer, reason: 'the version must be a string', remedy: 'Write "3.1.0" or "3.0.4"' };
  }
  const [, version] = /^(3\.[01])\.\d+(?:-.+)?$/u.exec(openapi) ?? [];
  if (version === '3.0' || version === '3.1') return version;
  if (/^3\.2(?:\.|$)/u.test(openapi)) {
    return {
      pointer,
      reason: 'this is OpenAPI 3.2, and Cloche reads 3.0 and 3.1',
      remedy:
        'Write "openapi: 3.1.2" and take out what 3.2 added: $self, query and additionalOperations, querystring parameters, itemSchema, device authorization',
    };
  }
  const reason = `the version ${JSON.stringify(openapi)} is none that Cloche reads`;
  return { pointer, reason, remedy: 'Write "3.1.0" or "3.0.4", three numbers' };
}

/** A document and the version that it follows. @throws DocumentError DOCUMENT_VERSION where there is none */
export function requireVersion(text: LocatedText): { own: JsonObject; version: OpenApiDocument['version'] } {
  const { root: own } = text;
  const none = { pointer: '', reason: 'this is no OpenAPI document', remedy: firstLine };
  if (!isJsonObject(own)) throw toDocumentError('DOCUMENT_VERSION', text, [none]);
  const version = checkVersion(own);
  if (typeof version === 'object') throw toDocumentError('DOCUMENT_VERSION', text, [version]);
  return { own, version };
}

/** Passing one thing over may show the next. */
const mostRounds = 12;

/**
 * Checks a document whose references are all internal, and does without what has a slip, unless
 * it is read strictly.
 *
 * @throws DocumentError DOCUMENT_INVALID, with every problem that all of it suffers from
 */
export function finishDocument(
  located: LocatedText & { readonly root: JsonObject },
  {
    source,
    version,
    checkStructure,
    isStrict = false,
  }: JsonDocumentOptions & Pick<OpenApiDocument, 'version'>,
): OpenApiDocument {
  const { root, places } = located;
  resolveAnchors(root);
  const warnings: DocumentWarning[] = [];
  const unclear: JsonPointer[] = [];
  const passedOver: JsonPointer[] = [];
  const known = new Set<string>();
  for (let round = 1; ; round += 1) {
    const structural = checkStructure?.(root, version) ?? [];
    const found = [...checkReferences(root, passedOver), ...structural, ...checkMeaning(root)].filter(
      (problem) => !known.has(nameProblem(problem)),
    );
    const problems = withoutNeed(found, root);
    const grave =
      isStrict || round > mostRounds ? problems : problems.filter(({ slip }) => slip === undefined);
    if (grave.length > 0) throw toDocumentError('DOCUMENT_INVALID', located, grave);
    for (const problem of problems) {
      const { effect = '', changes = [], unclear: places = [] } = problem.slip ?? {};
      warnings.push({ ...locateProblem(located, problem), effect, isUnclear: places.length > 0 });
      unclear.push(...places);
      passedOver.push(...changes.flatMap(({ pointer, value }) => (value === undefined ? [pointer] : [])));
      if (changes.length === 0) known.add(nameProblem(problem));
    }
    if (!applySlips(located, problems)) break;
  }
  return {
    source,
    version,
    openapi: typeof root['openapi'] === 'string' ? root['openapi'] : version,
    root,
    warnings: warnings.toSorted(
      (a, b) => a.file.localeCompare(b.file, 'en') || a.line - b.line || a.column - b.column,
    ),
    unclear,
    locate: (pointer) => locatePointer(places, root, pointer),
  };
}

function nameProblem({ pointer, reason }: DocumentProblem): string {
  return `${pointer} ${reason}`;
}

/** References that lead nowhere and that no operation needs are slips. */
function withoutNeed(problems: readonly DocumentProblem[], root: JsonObject): readonly DocumentProblem[] {
  const isLost = ({ pointer, slip }: DocumentProblem): boolean =>
    slip === undefined && pointer.endsWith('/$ref');
  if (!problems.some(isLost)) return problems;
  const concernOf = traceConcern(root);
  const operations = listOperations(root);
  return problems.map((problem) => {
    if (!isLost(problem)) return problem;
    const concerns = concernOf([problem.pointer]);
    return operations.some((operation) => concerns(operation))
      ? problem
      : { ...problem, slip: passOver(problem.pointer) };
  });
}

/** A document as JSON: its text, which keeps the digits of big numbers, or what was read from it. */
export type JsonDocument = string | Readonly<Record<string, unknown>>;

type StructureCheck = (root: JsonObject, version: '3.0' | '3.1') => readonly DocumentProblem[];

/** How a JSON document is read. */
export interface JsonDocumentOptions {
  /** What to call it. */
  readonly source: string;
  /** Looks whether everything in it has the structure that OpenAPI asks for. @defaultValue nobody looks */
  readonly checkStructure?: StructureCheck;
  /** Whether a slip of one place makes all of it unusable. @defaultValue false */
  readonly isStrict?: boolean;
}

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
        const remedy = 'Put what it names into the document: npx cloche bundle FILE -o bundle.json';
        problems.push({ pointer: `${pointer}/$ref`, reason, remedy });
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
  const { source } = options;
  const places: TextPlaces = new WeakMap();
  const text = toText(given, source);
  const parsed = parseJson(text);
  if (parsed.kind === 'syntax') {
    const { line, column, reason } = parsed;
    const problem = { file: source, line, column, reason, remedy: 'Correct the JSON' };
    throw new DocumentError('DOCUMENT_SYNTAX', { source, problems: [problem] });
  }
  const { value: root } = parsed;
  recordJsonPlaces({ file: source, text }, root, places);
  const { own, version } = requireVersion({ file: source, root, places });
  const located = { file: source, root: own, places };
  const outer = findOuter(own);
  if (outer.length > 0) throw toDocumentError('REFERENCE_REFUSED', located, outer);
  return finishDocument(located, { ...options, version });
}
