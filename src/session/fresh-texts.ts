import { propertyStyle } from '../arbitrary/key-style.ts';
import { isEditedTo, isIdPlace, type PlainBody, put, uniqueWords } from '../arbitrary/plain-body.ts';
import { type BodyPart, plainKey, type RequestCase } from '../arbitrary/request-case.ts';
import { plainBodyOf } from '../arbitrary/request.ts';
import type { Operation } from '../contract/contract.ts';
import { requestPath } from '../contract/item-properties.ts';
import { appendPointer, memberAt } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';
import { schemaAt } from '../schema/properties.ts';
import { schemasInPlace } from '../schema/walk.ts';
import { keyText } from './keys.ts';

/** A text in the plain bodies of an operation, and its replacement by serial number. */
interface FreshText {
  /** Matches it in JSON; its name and the colon are a group: `"name":"abc"`. */
  readonly member: RegExp;
  /** Returns the JSON text for a serial number. */
  readonly write: (serial: number) => string;
  /** Which body contains it: 0 for the smallest, 1 for the fullest. */
  readonly of: number;
  /** Which property it is: two texts of an item differ, so that a search for one does not find the other. */
  readonly position: number;
}

/** Returns another number from 1 to 2^31−1. One step is further than a run has ids, and than an item has texts. */
const distantFrom = (serial: number, steps: number, position: number): number =>
  1 + ((serial - 1 + steps * 2 ** 28 + position * 2 ** 20) % (2 ** 31 - 1));

const known = new WeakMap<PlainBody, readonly FreshText[]>();

/**
 * Replaces the texts that the plain bodies of creates, replaces and updates share. A service may require a unique name.
 * The texts depend only on the serial number: a repeated request stays the same.
 *
 * If the client chooses the ids, only requests that ask for it get other texts, because several checks compare requests
 * that differ in nothing but the id. The texts use the serial number of the id, at a distance: a create draws no second
 * number from the range of ids, and two different bodies under one id have different texts.
 *
 * @param serial - draws the serial number of the request, by slot: that of a change differs from that of its create
 */
export function freshenTexts(
  request: RequestCase,
  operation: Operation | undefined,
  serial: (slot: number) => number,
): RequestCase {
  const { body } = request;
  const { kind } = operation ?? {};
  if (body === undefined || operation === undefined || kind === undefined || !('request' in kind))
    return request;
  const isCreate = kind.kind === 'create';
  const key = isCreate ? kind.key : kind.resource.key;
  const isOfClient = key.kind === 'client';
  if (isOfClient && request.isUnique !== true) return request;
  const plain = plainBodyOf(request, operation);
  if (plain === undefined) return request;
  const texts =
    known.get(plain) ?? findTexts(plain, requestPath(operation), isOfClient ? key.property : undefined);
  known.set(plain, texts);
  const slot = isCreate ? 0 : 1;
  const numberOf = ({ of, position }: FreshText): number =>
    isOfClient ? distantFrom(serial(0), 1 + 2 * slot + of, position) : distantFrom(serial(slot), 0, position);
  const freshen = (part: BodyPart): BodyPart =>
    typeof part !== 'string'
      ? part
      : texts.reduce(
          (all, text) =>
            all.replace(text.member, (_, start: string) => `${start}${text.write(numberOf(text))}`),
          part,
        );
  return texts.length === 0 ? request : { ...request, body: body.map(freshen) };
}

const escapePattern = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`);

function findTexts(
  body: PlainBody,
  at: readonly string[],
  idProperty: string | undefined,
): readonly FreshText[] {
  const own = schemaAt(body.schema?.schema, at);
  const names: string[] = [];
  return [body.smallest, body.fullest].flatMap((whole, of) => {
    const item = memberAt(whole, at);
    return Object.entries(isJsonObject(item) ? item : {}).flatMap(([name, value]): FreshText[] => {
      const pointer = appendPointer('', ...at, name);
      const schema = schemaAt(own, [name]) ?? true;
      const parts = schemasInPlace(schema, schema).filter(isJsonObject);
      const isShown = body.hasExamples === true || parts.some((part) => 'examples' in part);
      const isFixed =
        (isShown && !uniqueWords.test(name)) ||
        name === idProperty ||
        isIdPlace(body, pointer) ||
        parts.some(
          ({ enum: list, const: only, format }) =>
            list !== undefined || only !== undefined || (typeof format === 'string' && ordered.has(format)),
        );
      const style = propertyStyle(own, name);
      if (typeof value !== 'string' || isFixed || style === 'number') return [];
      const text = (serial: number): string => keyText(serial, plainKey, style);
      const isValid = [1, 2].every((serial) =>
        isEditedTo(body, { base: whole, edits: [put(pointer, text(serial).slice(1, -1))] }),
      );
      const member = new RegExp(
        String.raw`(${escapePattern(JSON.stringify(name))}\s*:\s*)${escapePattern(JSON.stringify(value))}`,
        'gu',
      );
      if (!isValid) return [];
      if (!names.includes(name)) names.push(name);
      return [{ member, write: text, of, position: names.indexOf(name) }];
    });
  });
}

/** Formats whose values a service may compare or resolve. */
const ordered = new Set(['date', 'date-time', 'time', 'duration', 'uuid']);
