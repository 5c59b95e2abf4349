import { ClocheError, type ErrorCode } from '../errors/cloche-error.ts';
import { escapeControls } from '../errors/console-text.ts';
import { appendPointer, type JsonPointer, pointerTokens, resolvePointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';

/**
 * A place in a document as people write it: `paths./orders.post.parameters[0]`.
 *
 * @returns the empty string for the whole document
 */
export function describePath(root: JsonValue, pointer: JsonPointer): string {
  let path = '';
  let around: JsonPointer = '';
  for (const [index, token] of pointerTokens(pointer).entries()) {
    const isItem = Array.isArray(resolvePointer(root, around));
    path += isItem ? `[${token}]` : `${index === 0 ? '' : '.'}${token}`;
    around = pointer
      .split('/')
      .slice(0, index + 2)
      .join('/');
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
 * A document that cannot be used, with every problem at its line and column.
 *
 * Its message is one sentence, and for several problems a list below it, one to a line.
 */
export class DocumentError extends ClocheError {
  /** In the order of the texts; at least one. */
  readonly problems: readonly LocatedProblem[];

  /**
   * @param found - the document as the user named it, and at least one problem
   */
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

/** One thing in a document that makes it unusable. */
export interface DocumentProblem {
  /** The place of the member that is wrong; of one that is missing, the object it is missing from. */
  readonly pointer: JsonPointer;
  /** What is wrong there, without a full stop: `must have "schema" or "content"`. */
  readonly reason: string;
  /** What to do about it, without a full stop. */
  readonly remedy: string;
}

/** A text that was read, and what to call it. */
export interface SourceText {
  /** As the user named it, or relative to what they named; for one from the network its URL. */
  readonly file: string;
  readonly text: string;
}

/** Where the members of an object or array stand in their text: by key or index, offsets in UTF-16 code units. */
interface MemberPlaces {
  readonly source: SourceText;
  readonly start: number;
  readonly members: ReadonlyMap<string, number>;
}

/**
 * The places of all objects and arrays that were read. They hang on the values themselves, so that a value
 * put into another document keeps its place.
 */
export type TextPlaces = WeakMap<object, MemberPlaces>;

/** The line and column of an offset. */
export function locateOffset({ file, text }: SourceText, offset: number): TextLocation {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { file, line, column: offset - before.lastIndexOf('\n') };
}

/**
 * Where a member stands: its key, or the item of an array. For a place that there is not, that of the last
 * thing on the way to it.
 *
 * @returns undefined where the whole was not read from a text
 */
export function locatePointer(input: {
  readonly places: TextPlaces;
  readonly root: JsonValue;
  readonly pointer: JsonPointer;
}): TextLocation | undefined {
  const { places, root, pointer } = input;
  let value: JsonValue | undefined = root;
  const whole = placesOf(places, root);
  let location = whole === undefined ? undefined : { source: whole.source, offset: whole.start };
  for (const token of pointerTokens(pointer)) {
    const around = placesOf(places, value);
    const offset = around?.members.get(token);
    if (around === undefined || offset === undefined) break;
    location = { source: around.source, offset };
    value = value === undefined ? undefined : resolvePointer(value, appendPointer('', token));
  }
  return location === undefined ? undefined : locateOffset(location.source, location.offset);
}

function placesOf(places: TextPlaces, value: JsonValue | undefined): MemberPlaces | undefined {
  return typeof value === 'object' && value !== null ? places.get(value) : undefined;
}

/**
 * Says of a problem at which line and column it lies, and names the way to it.
 *
 * @param input.file - what to call the text
 */
export function locateProblem(input: {
  readonly problem: DocumentProblem;
  readonly root: JsonValue;
  readonly places: TextPlaces;
  readonly file: string;
}): LocatedProblem {
  const { root, places, file } = input;
  const { pointer, reason, remedy } = input.problem;
  const path = isJsonObject(root) ? describePath(root, pointer) : '';
  return {
    ...(locatePointer({ places, root, pointer }) ?? { file, line: 1, column: 1 }),
    reason: path === '' ? reason : `${path}: ${reason}`,
    remedy,
  };
}

const space = /[ \t\n\r]*/uy;
const string = /"(?:[^"\\]|\\.)*"/uy;
const other = /[^,\]}\s]+/uy;

/**
 * Notes where each member of a value stands in the JSON text that it was read from.
 *
 * @param input.source - a text known to be JSON
 * @param input.root - its value; of equal keys the last counts
 */
export function recordJsonPlaces(input: {
  readonly source: SourceText;
  readonly root: JsonValue;
  readonly places: TextPlaces;
}): void {
  const { source, root, places } = input;
  const { text } = source;
  let at = 0;

  function take(pattern: RegExp): string {
    pattern.lastIndex = at;
    const [taken = ''] = pattern.exec(text) ?? [];
    at += taken.length;
    return taken;
  }

  /** Reads the members between brackets; each is scanned by the function given. */
  function takeMembers(
    value: JsonValue | undefined,
    close: string,
    takeMember: (members: Map<string, number>) => void,
  ): void {
    const start = at;
    const members = new Map<string, number>();
    at += 1;
    take(space);
    while (text[at] !== close) {
      takeMember(members);
      take(space);
      if (text[at] === ',') {
        at += 1;
        take(space);
      }
    }
    at += 1;
    if (typeof value === 'object' && value !== null) {
      places.set(value, { source, start, members });
    }
  }

  function takeValue(value: JsonValue | undefined): void {
    take(space);
    switch (text[at]) {
      case '{': {
        const object = isJsonObject(value) ? value : undefined;
        takeMembers(object, '}', (members) => {
          const offset = at;
          // `as`: JSON.parse is typed `any`, and a JSON string is a string.
          const key = JSON.parse(take(string)) as string;
          members.set(key, offset);
          take(space);
          at += 1;
          takeValue(object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined);
        });
        return;
      }
      case '[': {
        const array = Array.isArray(value) ? value : undefined;
        takeMembers(array, ']', (members) => {
          const index = members.size;
          members.set(String(index), at);
          takeValue(array?.[index]);
        });
        return;
      }
      case '"':
        take(string);
        return;
      default:
        take(other);
    }
  }

  takeValue(root);
}

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
