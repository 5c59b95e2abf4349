import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type TextPlan, textPlanOf } from '../../schema/coerce.ts';
import type { CompiledSchema } from '../../schema/compile.ts';
import type { Codec, DeclaredContent, ParsedContent } from './codec.ts';

const text = (value: JsonValue): string => (typeof value === 'string' ? value : stringifyJson(value));

const toLines = (name: string, value: JsonValue): string =>
  text(value)
    .split(/\r\n|\r|\n/u)
    .map((line) => `${name}: ${line}\n`)
    .join('');

/** Formats a text, or the JSON of a value, as an event (HTML §9.2.6). A text with event fields is unchanged. */
function toDataEvent(value: JsonValue): string {
  if (typeof value === 'string' && /^(?:data|event|id|retry)?:/mu.test(value)) return value;
  return `${toLines('data', value)}\n`;
}

const fields = ['id', 'event', 'retry', 'data'];

/** Writes an event from the object of its fields (OpenAPI 3.2 §4.14.4). */
function toEvent(value: JsonValue): string {
  if (!isJsonObject(value) || !fields.some((name) => Object.hasOwn(value, name))) return toDataEvent(value);
  // A line end would end the field.
  const lines = fields.slice(0, 3).flatMap((name) => {
    const field = Object.hasOwn(value, name) ? value[name] : undefined;
    return field === undefined || field === null
      ? []
      : `${name}: ${text(field).replaceAll(/[\r\n]/gu, ' ')}\n`;
  });
  const data = Object.hasOwn(value, 'data') ? toLines('data', value['data'] ?? null) : '';
  return `${lines.join('')}${data}\n`;
}

interface EventPlan {
  /** Whether the schema describes the fields of an event. If not, it describes the JSON in `data`. */
  readonly isWhole: boolean;
  readonly data: TextPlan;
}

const plans = new WeakMap<CompiledSchema, EventPlan>();

function planOf(compiled: CompiledSchema): EventPlan {
  const known = plans.get(compiled);
  if (known !== undefined) return known;
  const items = textPlanOf(compiled.schema).items();
  const isWhole = items.names.size === 0 || ['data', 'event', 'retry'].some((name) => items.names.has(name));
  const plan = { isWhole, data: isWhole ? items.member('data') : items };
  plans.set(compiled, plan);
  return plan;
}

/** Returns the value of `data`: the JSON in it if the schema wants another type than a string. */
function readData(data: string, { types }: TextPlan): JsonValue {
  if (types.size === 0 || (types.size === 1 && types.has('string'))) return data;
  const parsed = parseJson(data);
  const isPlain = parsed.kind === 'json' && !isJsonObject(parsed.value) && !Array.isArray(parsed.value);
  return parsed.kind !== 'json' || (isPlain && types.has('string')) ? data : parsed.value;
}

/** Lists the events of a stream as objects of their fields (HTML §9.2.6). An event without data, or without its end, is none. */
function listEvents(content: string): readonly (JsonObject & { data: string })[] {
  const events: (JsonObject & { data: string })[] = [];
  let event: JsonObject = {};
  let data: string[] = [];
  for (const line of content.split(/\r\n|\r|\n/u).slice(0, -1)) {
    if (line === '') {
      if (data.length > 0) events.push({ ...event, data: data.join('\n') });
      event = {};
      data = [];
      continue;
    }
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/su.exec(line) ?? [];
    if (name === 'data') data.push(value);
    else if (name === 'event' || (name === 'id' && !value.includes('\0'))) event[name] = value;
    else if (name === 'retry' && /^\d+$/u.test(value)) event[name] = Number(value);
  }
  return events;
}

/** Parses a stream whose items the document describes; undefined for another one, whose events may be anything. */
function parseStream(
  content: Uint8Array,
  { schema, isSequence }: DeclaredContent,
): ParsedContent | undefined {
  if (isSequence !== true || schema === undefined) return undefined;
  const decoded = new TextDecoder().decode(content);
  if (!/^(?:(?:data|event|id|retry)(?::|$)|:)/mu.test(decoded) && decoded.trim() !== '') {
    return { kind: 'malformed', reason: 'no line starts with "data:", "event:", "id:", "retry:" or ":"' };
  }
  const { isWhole, data } = planOf(schema);
  const value = listEvents(decoded).map((event) => {
    const read = readData(event.data, data);
    return isWhole ? { ...event, data: read } : read;
  });
  return { kind: 'value', value };
}

/** Writes server-sent events, and parses those that the document describes with `itemSchema` (OpenAPI 3.2 §4.14.4). */
export const eventStreamCodec: Codec = {
  matches: (essence) => essence === 'text/event-stream',
  holds: 'value',
  serialize(value, { schema, isSequence }) {
    const isWhole = isSequence === true && schema !== undefined && planOf(schema).isWhole;
    return (Array.isArray(value) ? value : [value]).map(isWhole ? toEvent : toDataEvent).join('');
  },
  frame: toDataEvent,
  parseStream,
};

/** Splits the text of a stream into the texts of its events. */
export function splitEvents(content: string): readonly string[] {
  return content.match(/(?:[^\n]+\n)+\n*/gu) ?? [];
}

/** Gives an id to the text of an event without one: a client resumes after it (HTML §9.2.4). */
export function giveId(event: string, index: number): string {
  return idOf(event) === undefined ? `id: ${index + 1}\n${event}` : event;
}

/** Returns the id in the text of an event. */
export function idOf(event: string): string | undefined {
  return /^id: ?(.*)$/mu.exec(event)?.[1];
}
