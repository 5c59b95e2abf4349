import { ClocheError } from '../errors/cloche-error.ts';
import { parseJson } from '../json/parse.ts';
import { type JsonPointer, resolvePointer } from '../json/pointer.ts';
import type { JsonObject } from '../json/value.ts';
import {
  DocumentError,
  type DocumentPlace,
  type DocumentProblem,
  type DocumentWarning,
  type LocatedText,
  locatePointer,
  locateProblem,
  type OpenApiDocument,
  recordJsonPlaces,
  type TextLocation,
  TextPlaces,
  toDocumentError,
} from './document.ts';
import { checkReferences, resolveAnchors, resolveOwnReferences, visitReferences } from './references.ts';
import { checkMeaning, listOperations } from './rules.ts';
import { applyRecoveries, passOver } from './recoveries.ts';
import type { StructureVersion } from './structure.ts';
import { requireVersion, toReadVersion, type WrittenVersion } from './versions.ts';
import { traceConcern } from './ambiguous-places.ts';

/** Ignoring one part may reveal the next problem. */
const mostRounds = 12;

/**
 * Checks a document whose references are all internal. Parts with a problem are ignored or repaired, unless the
 * document is read strictly.
 *
 * @throws DocumentError DOCUMENT_INVALID, with every problem that makes the whole document unusable
 */
export function finishDocument(
  text: LocatedText & { readonly root: JsonObject },
  {
    source,
    written,
    checkStructure,
    isStrict = false,
    origins = new WeakMap(),
  }: JsonDocumentOptions & {
    readonly written: WrittenVersion;
    /** Receives the names in the text of parts that were moved. */
    readonly origins?: WeakMap<object, DocumentPlace>;
  },
): OpenApiDocument {
  const { places } = text;
  const { openapi } = text.root;
  if (written === '3.1' || written === '3.2') resolveOwnReferences(text.root);
  resolveAnchors(text.root);
  const { root, version, structure } = toReadVersion(text, written, origins);
  const located = { ...text, root };
  const warnings: DocumentWarning[] = [];
  const causes = new Map<JsonPointer, TextLocation>();
  const passedOver: JsonPointer[] = [];
  const known = new Set<string>();
  for (let round = 1; ; round += 1) {
    const structural = checkStructure?.(root, structure) ?? [];
    const found = [...checkReferences(root, passedOver), ...structural, ...checkMeaning(root)].filter(
      (problem) => !known.has(nameProblem(problem)),
    );
    const problems = withoutNeed(found, root);
    const grave = problems.filter(
      ({ recovery }) =>
        recovery === undefined || (recovery.isNote !== true && (isStrict || round > mostRounds)),
    );
    if (grave.length > 0) throw toDocumentError('DOCUMENT_INVALID', located, grave);
    for (const problem of problems) {
      const { changes = [], unclear: places = [] } = problem.recovery ?? {};
      const warning = toWarning(located, problem);
      warnings.push(warning);
      for (const place of places) if (!causes.has(place)) causes.set(place, warning);
      passedOver.push(...changes.flatMap(({ pointer, value }) => (value === undefined ? [pointer] : [])));
      if (changes.length === 0) known.add(nameProblem(problem));
    }
    if (!applyRecoveries(located, problems)) break;
  }
  return {
    source,
    version,
    openapi: typeof openapi === 'string' ? openapi : written,
    root,
    warnings: warnings.toSorted(
      (a, b) => a.file.localeCompare(b.file, 'en') || a.line - b.line || a.column - b.column,
    ),
    unclear: [...causes.keys()],
    causes,
    locate: (pointer) => locatePointer(places, root, pointer),
  };
}

function toWarning(text: LocatedText, problem: DocumentProblem): DocumentWarning {
  const { effect = '', unclear = [] } = problem.recovery ?? {};
  return { ...locateProblem(text, problem), effect, isUnclear: unclear.length > 0 };
}

function nameProblem({ pointer, reason }: DocumentProblem): string {
  return `${pointer} ${reason}`;
}

/** Marks broken internal references that no operation needs as problems of their own place only. */
function withoutNeed(problems: readonly DocumentProblem[], root: JsonObject): readonly DocumentProblem[] {
  const isLost = ({ pointer, recovery }: DocumentProblem): boolean => {
    const reference = pointer.endsWith('/$ref') ? resolvePointer(root, pointer) : undefined;
    return recovery === undefined && typeof reference === 'string' && reference.startsWith('#');
  };
  if (!problems.some(isLost)) return problems;
  const concernOf = traceConcern(root);
  const operations = listOperations(root);
  return problems.map((problem) => {
    if (!isLost(problem)) return problem;
    const concerns = concernOf([problem.pointer]);
    return operations.some((operation) => concerns(operation))
      ? problem
      : { ...problem, recovery: passOver(problem.pointer) };
  });
}

/** A document as JSON: its text, which keeps the digits of big numbers, or the object parsed from it. */
export type JsonDocument = string | Readonly<Record<string, unknown>>;

type StructureCheck = (root: JsonObject, version: StructureVersion) => readonly DocumentProblem[];

/** Options for reading a JSON document. */
export interface JsonDocumentOptions {
  /** Its name in messages. */
  readonly source: string;
  /** Checks that it has the structure that OpenAPI requires. @defaultValue no check */
  readonly checkStructure?: StructureCheck;
  /** Whether to reject the document for an error that concerns only one place. @defaultValue false */
  readonly isStrict?: boolean;
}

function toText(given: JsonDocument, source: string): string {
  if (typeof given === 'string') return given;
  try {
    // These are the lines that `cloche bundle` writes.
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
 * Checks an OpenAPI document, 2.0 to 3.2, that is given as JSON. It reads no other files and does not need Node.
 * Therefore it also runs in a browser.
 *
 * @throws DocumentError DOCUMENT_SYNTAX, DOCUMENT_VERSION, REFERENCE_REFUSED for a reference out of it, or
 * DOCUMENT_INVALID, with every problem at its line and column. For an object, lines and columns are those of its JSON
 * text with an indentation of two spaces.
 * @throws ClocheError DOCUMENT_INVALID for an object that is not JSON, such as one that contains itself
 */
export function readJsonDocument(given: JsonDocument, options: JsonDocumentOptions): OpenApiDocument {
  const { source } = options;
  const places = new TextPlaces();
  const text = toText(given, source);
  const parsed = parseJson(text);
  if (parsed.kind === 'syntax') {
    const { line, column, reason } = parsed;
    const problem = { file: source, line, column, reason, remedy: 'Correct the JSON' };
    throw new DocumentError('DOCUMENT_SYNTAX', { source, problems: [problem] });
  }
  const { value: root } = parsed;
  recordJsonPlaces({ file: source, text }, root, places);
  const { own, version: written } = requireVersion({ file: source, root, places });
  const located = { file: source, root: own, places };
  const outer = findOuter(own);
  if (outer.length > 0) throw toDocumentError('REFERENCE_REFUSED', located, outer);
  return finishDocument(located, { ...options, written });
}
