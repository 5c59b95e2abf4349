import { ClocheError, type ErrorCode } from '../errors/cloche-error.ts';
import { escapeControls } from '../errors/console-text.ts';
import { lineAndColumn } from '../json/parse.ts';
import { type JsonPointer, pointerTokens } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';

/** Returns a place in human-readable form, such as `paths./orders.post.parameters[0]`; empty for the whole document. */
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
  /** The name that the user gave, or a path relative to it; for a text from the network, its URL. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

/** A problem that makes a document unusable, with its place in the text. */
export interface LocatedProblem extends TextLocation {
  /** The problem and the path to it, without a full stop. */
  readonly reason: string;
  /** The fix, without a full stop. */
  readonly remedy: string;
}

/** The maximum number of problems in a message. A text that is no document at all can have one in each line. */
const mostListed = 50;

function toLine({ file, line, column, reason, remedy }: LocatedProblem): string {
  return escapeControls(`  ${file}:${line}:${column}: ${reason}. ${remedy}.`);
}

/**
 * An error about an unusable document, with every problem at its line and column. The message is one sentence. For
 * several problems a list follows, one problem per line.
 */
export class DocumentError extends ClocheError {
  /** One or more problems, in the order of the texts. */
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
      remedy: only?.remedy ?? 'Fix each of them',
    });
    this.problems = ordered;
    if (only === undefined) {
      const more = ordered.length > mostListed ? [`  … and ${ordered.length - mostListed} more`] : [];
      this.message = [this.message, ...ordered.slice(0, mostListed).map(toLine), ...more].join('\n');
    }
  }
}

/** A place in a text that the user wrote. */
export interface DocumentPlace {
  /** The text that contains it, named as in TextLocation; left out for the document itself. */
  readonly file?: string;
  /** The place in that text. */
  readonly pointer: JsonPointer;
}

/** The handling of a mistake that concerns only one place. The rest of the document stays usable. */
export interface Recovery {
  /** The effect, as half a sentence: `the parameter is ignored`. */
  readonly effect: string;
  /** Empty if the place can stay unchanged. */
  readonly changes: readonly RecoveryChange[];
  /** The places whose declarations became ambiguous; nothing is concluded from them. */
  readonly unclear: readonly JsonPointer[];
  /** Set if it is not a mistake; strict mode accepts it too. */
  readonly isNote?: true;
}

/** A value to set at a place. A trailing `-` appends to a list (RFC 6901 §4); undefined deletes the place. */
export interface RecoveryChange {
  readonly pointer: JsonPointer;
  readonly value: JsonValue | undefined;
}

/** A document problem that was ignored or repaired, with its place and the effect. */
export interface DocumentWarning extends LocatedProblem {
  readonly effect: string;
  /** Whether it makes the declarations of operations ambiguous. */
  readonly isUnclear: boolean;
}

/** A problem of a document. It makes the whole document unusable, unless it has a `recovery`. */
export interface DocumentProblem {
  /** The place of the wrong member; for a missing member, the object that lacks it. */
  readonly pointer: JsonPointer;
  /** The problem, without a full stop: `must have "schema" or "content"`. */
  readonly reason: string;
  /** The fix, without a full stop. */
  readonly remedy: string;
  /** Left out if the problem makes the whole document unusable. */
  readonly recovery?: Recovery | undefined;
}

/** A text that was read, and its name. */
export interface SourceText {
  /** The name that the user gave, or a path relative to it; for a text from the network, its URL. */
  readonly file: string;
  readonly text: string;
}

/** Offsets of members by key or index, in UTF-16 code units. */
interface MemberPlaces {
  readonly source: SourceText;
  readonly start: number;
  readonly members: ReadonlyMap<string, number>;
  /** The offsets of members that came from other texts. */
  readonly moved?: ReadonlyMap<string, TextOffset>;
}

interface TextOffset {
  readonly source: SourceText;
  readonly offset: number;
}

/** A member of an object or an array. */
interface MemberPlace {
  readonly in: object;
  readonly key: string;
}

/**
 * The places of all objects and arrays that were read. They are attached to the values themselves. A value that is
 * moved to another document keeps its place. Finding places takes longer than reading the text, and most documents need
 * none. Therefore they are computed on first use.
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

  /** Records that a member has the place of a member of another value, which may be in another text. */
  move(from: MemberPlace, to: MemberPlace): void {
    const origin = this.get(from.in);
    const target = this.get(to.in);
    const offset = origin?.members.get(from.key);
    if (origin === undefined || target === undefined || offset === undefined) return;
    const moved = new Map(target.moved).set(to.key, { source: origin.source, offset });
    this.set(to.in, { ...target, moved });
  }

  /** Registers a function that finds the places of a text later. */
  defer(find: () => void): void {
    this.#waiting.push(find);
  }

  /** Finds all places now, before the values are changed. */
  settle(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    waiting.forEach((find) => find());
  }
}

/** Returns the line and column of an offset. */
export function locateOffset({ file, text }: SourceText, offset: number): TextLocation {
  return { file, ...lineAndColumn(text, offset) };
}

/**
 * Returns the location of a member: of its key, or of the item of an array. For a missing place, it is the location of
 * the last existing value on the way. Returns undefined if the root was not read from a text.
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
    const moved = around?.moved?.get(token);
    const member = moved?.offset ?? around?.members.get(token);
    if (around === undefined || member === undefined) break;
    ({ source } = moved ?? around);
    offset = member;
    value = memberOf(value, token);
    around = placesOf(places, value);
  }
  return locateOffset(source, offset);
}

function placesOf(places: TextPlaces, value: JsonValue | undefined): MemberPlaces | undefined {
  return typeof value === 'object' && value !== null ? places.get(value) : undefined;
}

/** A text that was read: its name, its value, and the places of everything in the value. */
export interface LocatedText {
  readonly file: string;
  readonly root: JsonValue;
  readonly places: TextPlaces;
}

/** Adds line, column and path to a problem of a text. */
export function locateProblem({ file, root, places }: LocatedText, problem: DocumentProblem): LocatedProblem {
  const { pointer, reason, remedy } = problem;
  const path = describePath(root, pointer);
  return {
    ...(locatePointer(places, root, pointer) ?? { file, line: 1, column: 1 }),
    reason: path === '' ? reason : `${path}: ${reason}`,
    remedy,
  };
}

/** Creates an error from one or more problems of a text, each with its line, column and path. */
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

/** Matches a string, a bracket, or a word such as a number. */
const jsonToken = /"(?:[^"\\]|\\.)*"|[[\]{}]|[^\s,:[\]{}"]+/gu;

/** Records on demand the place of each member of a value in its JSON text; of equal keys the last. */
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

/** An OpenAPI document that was read and is usable. */
export interface OpenApiDocument {
  /** As the user named it. */
  readonly source: string;
  readonly version: '3.0' | '3.1';
  /** The version as written in the document: `3.1.0`. */
  readonly openapi: string;
  /** The root, with exact numbers. Each reference is `#` and a pointer, not percent-encoded, to an existing place. */
  readonly root: JsonObject;
  /** The problems that were ignored or repaired, in the order of the text; `root` does not contain them. */
  readonly warnings?: readonly DocumentWarning[];
  /** The places of `root` whose declarations are ambiguous because of a problem. */
  readonly unclear?: readonly JsonPointer[];
  /** The error for each place of `unclear`. */
  readonly causes?: ReadonlyMap<JsonPointer, TextLocation>;
  /** Returns the location of a member's key or an item, or of the last existing value on the way to the place. */
  locate(pointer: JsonPointer): TextLocation | undefined;
  /** Returns the place in the user's text of a place of `root`. If it is left out, both are the same. */
  readonly originOf?: (pointer: JsonPointer) => DocumentPlace;
  /** Returns the location of a place that `originOf` returned. If it is left out, use `locate`. */
  readonly locateOrigin?: (place: DocumentPlace) => TextLocation | undefined;
}
