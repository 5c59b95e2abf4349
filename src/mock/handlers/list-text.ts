import type { ListShape, ResourceKey } from '../../contract/contract.ts';
import { joinBytes } from '../../http/bytes.ts';
import { jsonCodec } from '../../http/codecs/registry.ts';
import { nestMember } from '../../json/pointer.ts';
import { stringifyJson, toText } from '../../json/print.ts';
import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import { compileSchema, takesAll, type SchemaValidator, type ValidationMode } from '../../schema/compile.ts';
import { memberSchema, type SentMedia, writeContent } from '../answer/representation.ts';
import { sampleValue } from '../../schema/value/sample-value.ts';
import { foldSchema } from '../../schema/merge.ts';
import { elementSchema, plainMember } from '../answer/shown-item.ts';
import { createEventLoopYield } from '../clock.ts';
import type { MaybePromise } from '../message.ts';
import type { ListedResource } from '../store/store.ts';
import { parseStored, parseStoreKey } from './item-places.ts';
import type { ListedItem } from './list-conditions.ts';
import { createResourceRenderer } from './resource-view.ts';

/** The maximum number of items, and of their characters, that are written before yielding to other requests. */
const [atOnce, mostText] = [500, 262_144];
/** A placeholder for a list in the text of its envelope, which no service would use. */
const listMark = '\u0000list\u0000';

/** The text of a list, and whether its schema accepts it. */
export interface ListText {
  readonly text: string | Uint8Array;
  readonly fits: boolean;
}

type Render = ReturnType<typeof createResourceRenderer>;

interface ListPrinterInput {
  readonly sent: SentMedia | undefined;
  readonly list: ListShape;
  readonly key: ResourceKey;
  readonly reading: ValidationMode;
  /** The JSON Pointer of the operation. */
  readonly pointer: string;
}

/** Writes lists of items as the response of an operation shows them. */
export class ListPrinter {
  /** The schema of the list in the response. */
  readonly listSchema: JsonObject;
  /** The schema of an item. */
  readonly itemSchema: ReturnType<typeof memberSchema>;
  readonly #input: ListPrinterInput;
  readonly #sent: SentMedia | undefined;
  readonly #kind: ListShape['kind'];
  readonly #element: readonly string[];
  readonly #wrapper: JsonValue | undefined;
  readonly #validate: SchemaValidator | undefined;
  readonly #isBare: boolean;
  readonly #leastShown: number;
  readonly #render: Render;
  readonly #asKept = new TextSet();
  #renderFitting: Render | undefined;

  constructor(input: ListPrinterInput) {
    const { sent, list, reading } = input;
    const { kind, path, element } = list;
    const schema = memberSchema(sent?.media.schema?.schema ?? true, path);
    const elements = elementSchema(schema, kind);
    this.#input = input;
    this.#sent = sent;
    this.#kind = kind;
    this.#element = element;
    this.listSchema = isJsonObject(schema) ? schema : {};
    this.itemSchema = memberSchema(elements, element);
    this.#wrapper = element.length === 0 ? undefined : sampleValue(elements);
    this.#validate = sent?.media.schema?.validator(reading);
    this.#render = createResourceRenderer(this.itemSchema, takesAll);
    const { type: _type, items: _items, $defs: _defs, ...bounds } = this.listSchema;
    // If the schema has no rules for the whole list, the list is the joined texts of its items.
    this.#isBare =
      sent?.codec === jsonCodec &&
      kind === 'array' &&
      path.length + element.length === 0 &&
      Object.keys(bounds).length === 0;
    const { minItems = 1, contains } = foldSchema(this.listSchema);
    this.#leastShown = contains === undefined ? Math.max(1, Number(minItems)) : atOnce;
  }

  /** Returns an item that is parsed on first access. A page that is shown as stored is not parsed at all. */
  toItem = (resource: ListedResource): ListedItem => new LazyItem(resource, this.#input.key, this.#render);

  /** Writes items. If their schema rejects them, samples replace the invalid parts. */
  write(items: readonly ListedItem[], nest: (list: JsonValue) => JsonValue): MaybePromise<ListText> {
    const length = items.reduce((sum, { text }) => sum + text.length, 0);
    const isLong = items.length >= 2 * atOnce || (items.length > 1 && length > mostText);
    if (isLong && this.#sent?.codec === jsonCodec) return this.#printMany(items, nest);
    if (this.#isBare) return this.#printBare(items);
    const shown = this.print(nest(this.#renderAll(items, (item) => item.shown)));
    return shown.fits || items.length === 0
      ? shown
      : this.print(nest(this.#renderAll(items, this.#showFitting)));
  }

  /** Writes a whole body. */
  print(body: JsonValue): ListText {
    const exact = holdsExactNumber(body);
    const fits = this.#validate?.accepts(body, exact) ?? true;
    return { text: this.#sent === undefined ? '' : writeContent(this.#sent, body, exact), fits };
  }

  #accepts(value: JsonValue): boolean {
    return this.#validate?.accepts(value, holdsExactNumber(value)) ?? true;
  }

  /** Returns the text of a bare list and whether the schema accepts it. */
  #printBare(items: readonly ListedItem[]): ListText {
    const others = items.filter(({ text }) => !this.#asKept.has(text));
    const areFitting = others.length === 0 || this.#accepts(others.map(({ shown }) => shown));
    const values = new Map(
      others.map((item) => [item, areFitting ? item.shown : this.#showFitting(item)] as const),
    );
    const fits = areFitting || this.#accepts([...values.values()]);
    const texts = items.map((item) => {
      const value = values.get(item);
      if (value === undefined) return item.text;
      const printed = stringifyJson(value);
      if (fits && printed === item.text) this.#asKept.add(printed);
      return printed;
    });
    return { text: `[${texts.join(',')}]`, fits };
  }

  #renderAll(items: readonly ListedItem[], show: (item: ListedItem) => JsonValue): JsonValue {
    if (this.#kind === 'ids') return items.map(({ id }) => id);
    const all = items.map((item) =>
      this.#wrapper === undefined ? show(item) : nestMember(this.#wrapper, this.#element, show(item)),
    );
    if (this.#kind === 'array') return all;
    const map: JsonObject = {};
    for (const [index, { id }] of items.entries()) {
      setOwn(map, toText(id), all[index] ?? null);
    }
    return map;
  }

  #prepareFitting(): Render {
    const { sent, key, reading, pointer: place } = this.#input;
    const { pointer = place } = sent?.media.schema ?? {};
    const validate = compileSchema({ schema: this.itemSchema, pointer }).validator(reading);
    return createResourceRenderer(this.itemSchema, validate, {
      key: key.kind === 'none' ? undefined : key.property,
    });
  }

  /** Shows an item that the schema rejects, with samples in place of invalid values, as reads do. Its id stays. */
  #showFitting = (item: ListedItem): JsonValue => {
    this.#renderFitting ??= this.#prepareFitting();
    return this.#renderFitting({ resource: item.kept, exact: holdsExactNumber(item.kept), extras: undefined })
      .value;
  };

  /** Writes a list of many items. Each part is validated, not the whole; writing yields to other requests. */
  async #printMany(items: readonly ListedItem[], write: (list: JsonValue) => JsonValue): Promise<ListText> {
    const yieldToEventLoop = createEventLoopYield(1);
    const encoder = new TextEncoder();
    const [head = '', tail = ''] = stringifyJson(write(listMark)).split(JSON.stringify(listMark));
    const [open, close] = this.#kind === 'map' ? ['{', '}'] : ['[', ']'];
    const pieces = [encoder.encode(head + open)];
    let fits = true;
    for (let start = 0, end = 0; end < items.length; start = end) {
      for (let length = 0; end < items.length; end += 1) {
        const size = end - start;
        if (size >= this.#leastShown && (size >= atOnce || length > mostText)) break;
        length += items[end]?.text.length ?? 0;
      }
      // The last part must also have the minimum number of items of a list.
      if (items.length - end < this.#leastShown) end = items.length;
      const part = items.slice(start, end);
      let list = this.#renderAll(part, (item) => item.shown);
      if (!this.#accepts(write(list))) {
        list = this.#renderAll(part, this.#showFitting);
        fits &&= this.#accepts(write(list));
      }
      pieces.push(encoder.encode(`${start === 0 ? '' : ','}${stringifyJson(list).slice(1, -1)}`));
      await yieldToEventLoop();
    }
    pieces.push(encoder.encode(close + tail));
    return { text: joinBytes(pieces), fits };
  }
}

class LazyItem implements ListedItem {
  readonly text: string;
  readonly position: number;
  readonly #storeKey: ListedResource['key'];
  readonly #key: ResourceKey;
  readonly #render: Render;
  #kept: JsonObject | undefined;
  #shown: JsonValue | undefined;

  constructor({ key: storeKey, text, position }: ListedResource, key: ResourceKey, render: Render) {
    this.text = text;
    this.position = position;
    this.#storeKey = storeKey;
    this.#key = key;
    this.#render = render;
  }

  get kept(): JsonObject {
    this.#kept ??= parseStored(this.text).resource;
    return this.#kept;
  }

  get id(): JsonValue {
    const { kept } = this;
    const key = this.#key;
    const own = key.kind !== 'none' && Object.hasOwn(kept, key.property) ? kept[key.property] : undefined;
    return own ?? parseStoreKey(this.#storeKey);
  }

  get shown(): JsonValue {
    const { kept } = this;
    const plain = kept[plainMember];
    this.#shown ??= this.#render({ resource: kept, exact: false, extras: undefined, plain }).value;
    return this.#shown;
  }
}

/** The maximum number of characters of remembered texts. */
const mostRemembered = 2 ** 24;

/** Texts of items that a list shows as stored. They share memory with the store. A full set is cleared. */
class TextSet {
  readonly #texts = new Set<string>();
  #length = 0;

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  add(text: string): void {
    this.#length += text.length;
    if (this.#length > mostRemembered) {
      this.#texts.clear();
      this.#length = text.length;
    }
    this.#texts.add(text);
  }
}
