import { ExactNumber } from '../json/exact-number.ts';
import type { JsonValue } from '../json/json-value.ts';
import { parseJson } from '../json/parse-json.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import type { Body } from './body.ts';
import { joinParts } from './join-parts.ts';
import type { BodyPart } from './request-case.ts';

/** No text that is generated holds these digits by chance. */
const start = '70140119820815';
const width = 3;
const marks = new RegExp(`(${start}\\d{${width}})`, 'u');
const onlyMark = new RegExp(`^${start}\\d{${width}}$`, 'u');

/** Bodies as JSON values, with a number of its own for each place of a key. */
export interface SlotMarks {
  /** @returns undefined for what is no JSON, or is not written as Cloche writes it */
  toValue(body: Body): JsonValue | undefined;
  /** @returns undefined for what is no JSON */
  readValue(body: Body): JsonValue | undefined;
  toBody(value: JsonValue): Body;
  /** Whether a text or a number holds the place of a key. */
  isMarked(text: string): boolean;
  /** Whether a value is the place of a key and nothing else. */
  isSlot(value: JsonValue | undefined): boolean;
}

/** Creates the marks of one body; the same key slot always gets the same mark. */
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
    isSlot: (value) =>
      (typeof value === 'number' || value instanceof ExactNumber) && onlyMark.test(String(value)),
  };
}
