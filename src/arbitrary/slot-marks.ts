import { parseJson } from '../json/parse.ts';
import { stringifyJson } from '../json/print.ts';
import { isJsonNumber, type JsonValue } from '../json/value.ts';
import { type Body, type BodyPart, joinParts } from './request-case.ts';

/** Digits that do not occur in generated texts by chance. */
const start = '70140119820815';
const width = 3;
const marks = new RegExp(`(${start}\\d{${width}})`, 'u');
const onlyMark = new RegExp(`^${start}\\d{${width}}$`, 'u');

/** Converts bodies to JSON values, with a unique number for each placeholder of an id. */
interface SlotMarks {
  /** @returns undefined if the body is not JSON, or not in Cloche's notation */
  readonly toValue: (body: Body) => JsonValue | undefined;
  /** @returns undefined if the body is not JSON */
  readonly readValue: (body: Body) => JsonValue | undefined;
  readonly toBody: (value: JsonValue) => Body;
  /** Returns whether a text or a number contains a placeholder. */
  readonly isMarked: (text: string) => boolean;
  /** Returns whether a value is exactly a placeholder. */
  readonly isSlot: (value: JsonValue | undefined) => boolean;
}

/** Creates the marks of one body; equal placeholders always get the same mark. */
export function createSlotMarks(): SlotMarks {
  const slots = new Map<string, BodyPart>();
  const markOf = (part: Exclude<BodyPart, string>): string => {
    const name = JSON.stringify(part);
    const index = [...slots.keys(), name].indexOf(name);
    slots.set(name, part);
    return start + String(index).padStart(width, '0');
  };
  const toBody = (value: JsonValue): Body =>
    joinParts(
      stringifyJson(value)
        .split(marks)
        .map((piece) => {
          const index = piece.startsWith(start) ? Number(piece.slice(start.length)) : -1;
          return [...slots.values()][index] ?? piece;
        }),
    );
  const textOf = (body: Body): string | undefined => {
    if (body.some((part) => part instanceof Uint8Array || (typeof part === 'string' && marks.test(part)))) {
      return undefined;
    }
    return body.map((part) => (typeof part === 'string' ? part : markOf(part))).join('');
  };
  const readValue = (body: Body): JsonValue | undefined => {
    const text = textOf(body);
    const parsed = text === undefined ? undefined : parseJson(text);
    return parsed?.kind === 'json' ? parsed.value : undefined;
  };
  return {
    toBody,
    readValue,
    toValue(body) {
      const value = readValue(body);
      const isUsual = value !== undefined && stringifyJson(value) === textOf(body);
      return isUsual ? value : undefined;
    },
    isMarked: (text) => marks.test(text),
    isSlot: (value) => isJsonNumber(value) && onlyMark.test(String(value)),
  };
}
