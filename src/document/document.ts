import { ClocheError, type ErrorCode } from '../errors/cloche-error.ts';
import { escapeControls } from '../errors/console-text.ts';
import { lineAndColumn } from '../json/parse.ts';
import { type JsonPointer, pointerTokens } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';

/** A place as people write it: `paths./orders.post.parameters[0]`; empty for the whole document. */
export function describePath(root: JsonValue, pointer: JsonPointer): string {
  let path = '';
  let around: JsonValue | undefined = root;
  for (const token of pointerTokens(pointer)) {
    path += Array.isArray(around) ? `[${token}]` : `${path === '' ? '' : '.'}${token}`;
    around = memberOf(around, token);
  }
  return path;
}

/** A place in a text. */
export interface TextLocation {
  /** As the user named it, or relative to what they named; for one from the network its URL. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

/** One thing in a document that makes it unusable, with its place in the text. */
export interface LocatedProblem extends TextLocation {
  /** What is wrong, the path to it included, without a full stop. */
  readonly reason: string;
  /** What to do about it, without a full stop. */
  readonly remedy: string;
}

/** A text that is no document at all can have a problem in each line. */
const mostListed = 50;

function toLine({ file, line, column, reason, remedy }: LocatedProblem): string {
  return escapeControls(`  ${file}:${line}:${column}: ${reason}. ${remedy}.`);
}

/**
 * A document that cannot be used, with every problem at its line and column: one sentence, and for several
 * problems a list below it, one to a line.
 */
export class DocumentError extends ClocheError {
  /** In the order of the texts; at least one. */
  readonly problems: readonly LocatedProblem[];

  constructor(
    code: ErrorCode,
    found: { readonly source: string; readonly problems: readonly LocatedProblem[] },
  ) {
    const { source, problems } = found;
    const ordered = problems.toSorted(
      (a, b) => a.file.localeCompare(b.file, 'en') || a.line - b.line || a.column - b.column,
    );
    const [only] = ordered.length === 1 ? ordered : [];
    super(code, {
      attempt: 'read',
      subject: source,
      reason:
        only === undefined
          ? `it has ${ordered.length} problems`
          : `${only.file}:${only.line}:${only.column}: ${only.reason}`,
      remedy: only?.remedy ?? 'Mend each of them',
    });
    this.problems = ordered;
    if (only === undefined) {
      const more = ordered.length > mostListed ? [`  … and ${ordered.length - mostListed} more`] : [];
      this.message = [this.message, ...ordered.slice(0, mostListed).map(toLine), ...more].join('\n');
    }
  }
}

/** A place as the user finds it in what they wrote. */
export interface DocumentPlace {
  /** The text that it stands in, as TextLocation names it; left out for the document itself. */
  readonly file?: string;
  /** The place in that text. */
  readonly pointer: JsonPointer;
}

/** What is done about a mistake that is of its own place alone, so that all else of a document can be used. */
export interface Slip {
  /** What is done, as half a sentence: `the parameter is ignored`. */
  readonly effect: string;
  /** None where the place can be left as it is. */
  readonly changes: readonly SlipChange[];
  /** The places of which nobody knows any more what they declare, so that nothing is concluded from them. */
  readonly unclear: readonly JsonPointer[];
  /** It is no mistake, so that a strict reader takes it too. */
  readonly isNote?: true;
}

/** A value that is put at a place, `-` at its end for a further item of a list (RFC 6901 §4); undefined takes away what stands there. */
export interface SlipChange {
  readonly pointer: JsonPointer;
  readonly value: JsonValue | undefined;
}

/** A slip as it was found: where, and what was done about it. */
export interface DocumentWarning extends LocatedProblem {
  readonly effect: string;
  /** Whether what operations declare is unclear by it. */
  readonly isUnclear: boolean;
}

/** One thing in a document that makes it unusable, or where it has a slip, the place of it. */
export interface DocumentProblem {
  /** The place of the member that is wrong; of one that is missing, the object it is missing from. */
  readonly pointer: JsonPointer;
  /** What is wrong there, without a full stop: `must have "schema" or "content"`. */
  readonly reason: string;
  /** What to do about it, without a full stop. */
  readonly remedy: string;
  /** Left out where nothing of the document can be used. */
  readonly slip?: Slip | undefined;
}

/** A text that was read, and what to call it. */
export interface SourceText {
  /** As the user named it, or relative to what they named; for one from the network its URL. */
  readonly file: string;
  readonly text: string;
}

/** By key or index, offsets in UTF-16 code units. */
interface MemberPlaces {
  readonly source: SourceText;
  readonly start: number;
  readonly members: ReadonlyMap<string, number>;
}

/**
 * The places of all objects and arrays that were read. They hang on the values themselves, so that a value
 * put into another document keeps its place. Most documents have nothing to say about any, and finding them takes longer
 * than reading the text, so that they are found when the first is asked for.
 */
export class TextPlaces {
  readonly #known = new WeakMap<object, MemberPlaces>();
  #waiting: (() => void)[] = [];

  get(value: object): MemberPlaces | undefined {
    this.settle();
    return this.#known.get(value);
  }

  set(value: object, places: MemberPlaces): void {
    this.#known.set(value, places);
  }

  /** Takes how to find the places of a text later. */
  defer(find: () => void): void {
    this.#waiting.push(find);
  }

  /** Finds all places: what was read is about to become other than its text. */
  settle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    waiting.forEach((find) => find());
  }
}

/** The line and column of an offset. */
export function locateOffset({ file, text }: SourceText, offset: number): TextLocation {
  return { file, ...lineAndColumn(text, offset) };
}

/**
 * Where a member stands: its key, or the item of an array. For a place that there is not, that of the last
 * thing on the way to it; undefined where the whole was not read from a text.
 */
export function locatePointer(
  places: TextPlaces,
  root: JsonValue,
  pointer: JsonPointer,
): TextLocation | undefined {
  let around = placesOf(places, root);
  if (around === undefined) return undefined;
  let { source, start: offset } = around;
  let value: JsonValue | undefined = root;
  for (const token of pointerTokens(pointer)) {
    const member = around?.members.get(token);
    if (around === undefined || member === undefined) break;
    ({ source } = around);
    offset = member;
    value = memberOf(value, token);
    around = placesOf(places, value);
  }
  return locateOffset(source, offset);
}

function placesOf(places: TextPlaces, value: JsonValue | undefined): MemberPlaces | undefined {
  return typeof value === 'object' && value !== null ? places.get(value) : undefined;
}

/** A text as it was read: what to call it, its value, and where everything in that stands. */
export interface LocatedText {
  readonly file: string;
  readonly root: JsonValue;
  readonly places: TextPlaces;
}

/** A problem of a text at its line and column, with the way to it. */
export function locateProblem({ file, root, places }: LocatedText, problem: DocumentProblem): LocatedProblem {
  const { pointer, reason, remedy } = problem;
  const path = describePath(root, pointer);
  return {
    ...(locatePointer(places, root, pointer) ?? { file, line: 1, column: 1 }),
    reason: path === '' ? reason : `${path}: ${reason}`,
    remedy,
  };
}

/** The error that names problems of a text (one or more), each at its line and column, with the way to it. */
export function toDocumentError(
  code: ErrorCode,
  text: LocatedText,
  problems: readonly DocumentProblem[],
): DocumentError {
  return new DocumentError(code, {
    source: text.file,
    problems: problems.map((problem) => locateProblem(text, problem)),
  });
}

/** A string, a bracket, or a word such as a number. */
const jsonToken = /"(?:[^"\\]|\\.)*"|[[\]{}]|[^\s,:[\]{}"]+/gu;

/** Notes where each member of a value stands in the JSON text it was read from, once that is asked for; of equal keys the last. */
export function recordJsonPlaces(source: SourceText, root: JsonValue, places: TextPlaces): void {
  places.defer(() => findJsonPlaces(source, root, places));
}

function findJsonPlaces(source: SourceText, root: JsonValue, places: TextPlaces): void {
  const tokens = source.text.matchAll(jsonToken);
  let token = tokens.next();

  function takeValue(value: JsonValue | undefined): void {
    const bracket = token.value?.[0];
    const start = token.value?.index ?? 0;
    token = tokens.next();
    if (bracket !== '{' && bracket !== '[') return;
    const members = new Map<string, number>();
    while (token.done !== true && token.value[0] !== '}' && token.value[0] !== ']') {
      const { 0: written, index: offset } = token.value;
      let key = String(members.size);
      if (bracket === '{') {
        // `as`: JSON.parse is typed `any`, and a JSON string is a string.
        key = JSON.parse(written) as string;
        token = tokens.next();
      }
      members.set(key, offset);
      takeValue(memberOf(value, key));
    }
    token = tokens.next();
    if (typeof value === 'object' && value !== null) {
      places.set(value, { source, start, members });
    }
  }

  takeValue(root);
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** An OpenAPI document that was read and found usable. */
export interface OpenApiDocument {
  /** As the user named it. */
  readonly source: string;
  readonly version: '3.0' | '3.1';
  /** The version as the document has it: `3.1.0`. */
  readonly openapi: string;
  /** Its numbers exact; each reference is `#` and a pointer, not percent-encoded, that leads to something. */
  readonly root: JsonObject;
  /** The slips in it, in the order of the text; `root` is without them. */
  readonly warnings?: readonly DocumentWarning[];
  /** The places of `root` of which nobody knows any more what they declare, for a slip. */
  readonly unclear?: readonly JsonPointer[];
  /** The error for each place of `unclear`. */
  readonly causes?: ReadonlyMap<JsonPointer, TextLocation>;
  /** The place in the text: of a member its key, of an item its start, else of the last thing on the way. */
  locate(pointer: JsonPointer): TextLocation | undefined;
  /** What a place of `root` is called in the text that the user wrote; without it, the same as in `root`. */
  readonly originOf?: (pointer: JsonPointer) => DocumentPlace;
  /** Where a place that `originOf` names stands in its text; without it, as `locate` does. */
  readonly locateOrigin?: (place: DocumentPlace) => TextLocation | undefined;
}
