import { concreteCollection } from '../../contract/router.ts';
import { findResponseMedia, jsonCodec } from '../../http/codecs/registry.ts';
import { nestMember } from '../../json/pointer.ts';
import type { Operation, OperationKind } from '../../contract/contract.ts';
import { undeclaredFinder } from '../../contract/list-parameters.ts';
import { toParameterSource } from '../../contract/read-parameters.ts';
import { declaresRefusal, findSuccessResponse, statusOf } from '../../contract/responses.ts';
import { joinBytes } from '../../http/bytes.ts';
import { stringifyJson } from '../../json/print.ts';
import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import { compileSchema, takesAll } from '../../schema/compile.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import { chooseSentMedia, memberSchema, writeContent } from '../answer/representation.ts';
import { mergeSchema, sampleValue } from '../answer/sample-value.ts';
import { elementSchema, plainMember } from '../answer/shown-item.ts';
import { createEventLoopYield } from '../clock.ts';
import { type MaybePromise, type MockResponse, policyClause, shorten, whenThere } from '../message.ts';
import type { ListedResource } from '../store/store.ts';
import { type HandlerInput, parseStored, parseStoreKey } from './items.ts';
import { createConditions, type ListedItem } from './list-conditions.ts';
import { type ListEnvelope, type ListFields, prepareEnvelope, prepareFields } from './list-envelope.ts';
import { describePage, type PageEnd } from './list-links.ts';
import { findPage, type FoundPage } from './list-pages.ts';
import { type ListQuery, prepareListQuery } from './list-query.ts';
import { createResourceRenderer, markMisfit, markSample } from './resource-view.ts';
import type { OperationHandler, ValidRequest } from './stored-form.ts';

type ListKind = Extract<OperationKind, { kind: 'list' }>;

/** So many items, or characters of them, are shown before requests have their turn. */
const [atOnce, mostText] = [500, 262_144];
/** Stands for a list in the text of its envelope, where no service would have it. */
const listMark = '\u0000list\u0000';

/** What is made ready with the first request: most operations of a document are never asked for. */
interface PreparedList extends ReturnType<typeof prepareListQuery> {
  readonly envelope: ListEnvelope;
  readonly fields: ListFields;
}

/**
 * Prepares the lists of a collection: its items in the order in which they came, filtered, sorted and cut by the parameters
 * that the operation declares, in the envelope of its response.
 *
 * @throws ClocheError SCHEMA_UNUSABLE where the schema of the response cannot be compiled
 */
export function prepareList(input: HandlerInput<ListKind>): OperationHandler {
  const { operation, kind, policy, reading, store, refuse, siblings } = input;
  const response = findSuccessResponse(operation);
  const status = response === undefined ? 200 : statusOf(response);
  const sent = chooseSentMedia(response?.media ?? []);
  const schema = sent?.media.schema?.schema ?? true;
  const { path, element } = kind.list;
  const { key } = kind.resource;
  const listSchema = memberSchema(schema, path);
  const elements = elementSchema(listSchema, kind.list.kind);
  const itemSchema = memberSchema(elements, element);
  const render = createResourceRenderer(itemSchema, [], takesAll);
  const wrapper = element.length === 0 ? undefined : sampleValue(elements);
  const validate = sent?.media.schema?.validator(reading);
  const contentType = sent === undefined ? [] : ['Content-Type', sent.contentType];
  const { type: _type, items: _items, $defs: _defs, ...bounds } = isJsonObject(listSchema) ? listSchema : {};
  // Where nothing is said of the list as a whole, it is the texts of its items one after the other.
  const isBare =
    sent?.codec === jsonCodec &&
    kind.list.kind === 'array' &&
    path.length + element.length === 0 &&
    Object.keys(bounds).length === 0;
  const { minItems = 1, contains } = isJsonObject(listSchema) ? mergeSchema(listSchema, listSchema) : {};
  const leastShown = contains === undefined ? Math.max(1, Number(minItems)) : atOnce;
  const asKept = createTextSet();
  let prepared: PreparedList | undefined;
  let renderFitting: typeof render | undefined;

  /** Shows an item that the schema does not take as reads do: with samples in place of what is wrong. Its id stays. */
  function showFitting(item: ListedItem): JsonValue {
    if (renderFitting === undefined) {
      const { pointer = operation.pointer } = sent?.media.schema ?? {};
      const validateItem = compileSchema({ schema: itemSchema, pointer }).validator(reading);
      const id = key.kind === 'none' ? undefined : key.property;
      renderFitting = createResourceRenderer(itemSchema, [], validateItem, { key: id });
    }
    return renderFitting({ resource: item.kept, exact: holdsExactNumber(item.kept), extras: undefined })
      .value;
  }

  function prepare(): PreparedList {
    const { maxItems } = mergeSchema(isJsonObject(listSchema) ? listSchema : {}, listSchema);
    // What other operations show of an item may be filtered by, too.
    const conditions = createConditions([itemSchema, ...siblings.flatMap(representationOf)]);
    return {
      ...prepareListQuery(operation.parameters, conditions, {
        mostShown: typeof maxItems === 'number' ? maxItems : undefined,
        policy,
      }),
      envelope: prepareEnvelope(sent?.media, path),
      fields: prepareFields(response?.headers ?? []),
    };
  }

  /** An item that is read when it is first looked into: a page that is shown as it is kept is not read at all. */
  class LazyItem implements ListedItem {
    readonly text: string;
    readonly position: number;
    readonly #key: ListedResource['key'];
    #kept: JsonObject | undefined;
    #shown: JsonValue | undefined;

    constructor({ key: storeKey, text, position }: ListedResource) {
      this.text = text;
      this.position = position;
      this.#key = storeKey;
    }

    get kept(): JsonObject {
      this.#kept ??= parseStored(this.text).resource;
      return this.#kept;
    }

    get id(): JsonValue {
      const { kept } = this;
      const own = key.kind !== 'none' && Object.hasOwn(kept, key.property) ? kept[key.property] : undefined;
      return own ?? parseStoreKey(this.#key);
    }

    get shown(): JsonValue {
      const { kept } = this;
      this.#shown ??= render({
        resource: kept,
        exact: false,
        extras: undefined,
        plain: kept[plainMember],
      }).value;
      return this.#shown;
    }
  }

  const toItem = (resource: ListedResource): ListedItem => new LazyItem(resource);

  /** The text of a bare list, and whether the schema takes it. */
  function printBare(items: readonly ListedItem[]): { readonly text: string; readonly fits: boolean } {
    const others = items.filter(({ text }) => !asKept.has(text));
    const isFitting = (values: JsonValue[]): boolean =>
      validate?.accepts(values, holdsExactNumber(values)) ?? true;
    const areFitting = others.length === 0 || isFitting(others.map(({ shown }) => shown));
    const values = new Map(
      others.map((item) => [item, areFitting ? item.shown : showFitting(item)] as const),
    );
    const fits = areFitting || isFitting([...values.values()]);
    const texts = items.map((item) => {
      const value = values.get(item);
      if (value === undefined) return item.text;
      const printed = stringifyJson(value);
      if (fits && printed === item.text) asKept.add(printed);
      return printed;
    });
    return { text: `[${texts.join(',')}]`, fits };
  }

  function print(body: JsonValue): { readonly text: string | Uint8Array; readonly fits: boolean } {
    const exact = holdsExactNumber(body);
    const fits = validate?.accepts(body, exact) ?? true;
    if (sent === undefined) return { text: '', fits };
    return { text: writeContent(sent, body, exact), fits };
  }

  function renderAll(items: readonly ListedItem[], show: (item: ListedItem) => JsonValue): JsonValue {
    if (kind.list.kind === 'ids') return items.map(({ id }) => id);
    const all = items.map((item) =>
      wrapper === undefined ? show(item) : nestMember(wrapper, element, show(item)),
    );
    if (kind.list.kind === 'array') return all;
    const map: JsonObject = {};
    for (const [index, { id }] of items.entries()) {
      setOwn(map, typeof id === 'string' ? id : stringifyJson(id), all[index] ?? null);
    }
    return map;
  }

  /** The text of a list of many items, each part of it held to the schema in place of the whole; requests have their turn. */
  async function printMany(
    items: readonly ListedItem[],
    write: (list: JsonValue) => JsonValue,
  ): Promise<{ readonly text: Uint8Array; readonly fits: boolean }> {
    const breathe = createEventLoopYield(1);
    const encoder = new TextEncoder();
    const [head = '', tail = ''] = stringifyJson(write(listMark)).split(JSON.stringify(listMark));
    const [open, close] = kind.list.kind === 'map' ? ['{', '}'] : ['[', ']'];
    const pieces = [encoder.encode(head + open)];
    let fits = true;
    for (let start = 0, end = 0; end < items.length; start = end) {
      for (let length = 0; end < items.length; end += 1) {
        const size = end - start;
        if (size >= leastShown && (size >= atOnce || length > mostText)) break;
        length += items[end]?.text.length ?? 0;
      }
      // The last part, too, has as many items as a list must have.
      if (items.length - end < leastShown) end = items.length;
      const part = items.slice(start, end);
      const isFitting = (list: JsonValue): boolean => {
        const body = write(list);
        return validate?.accepts(body, holdsExactNumber(body)) ?? true;
      };
      let list = renderAll(part, (item) => item.shown);
      if (!isFitting(list)) {
        list = renderAll(part, showFitting);
        fits &&= isFitting(list);
      }
      pieces.push(encoder.encode(`${start === 0 ? '' : ','}${stringifyJson(list).slice(1, -1)}`));
      await breathe();
    }
    pieces.push(encoder.encode(close + tail));
    return { text: joinBytes(pieces), fits };
  }

  function write(
    { paging, envelope, fields }: PreparedList,
    found: { readonly page: FoundPage; readonly query: ListQuery; readonly scope: string },
    { head }: ValidRequest,
  ): MaybePromise<MockResponse> {
    const { page, query, scope } = found;
    const { items } = page;
    const ends = [items[0], items.at(-1)].flatMap((item, end): readonly PageEnd[] =>
      item === undefined ? [] : [{ id: item.id, position: item.position, values: page.ends[end] ?? [] }],
    );
    const [first, last] = ends;
    const facts = describePage(
      {
        ...page,
        ...query,
        scope,
        count: items.length,
        ends: first === undefined || last === undefined ? undefined : [first, last],
      },
      paging,
      head,
    );
    const printAll = (show: (item: ListedItem) => JsonValue): ReturnType<typeof print> =>
      print(envelope.write(renderAll(items, show), facts));
    const respond = ({
      text,
      fits,
    }: {
      readonly text: string | Uint8Array;
      readonly fits: boolean;
    }): MockResponse => {
      const note = { operation: operation.id };
      const answer = { status, headers: [...contentType, ...fields.write(facts)], body: text, note };
      return fits ? answer : markMisfit(answer, sent?.media.schema?.pointer);
    };
    const length = items.reduce((sum, { text }) => sum + text.length, 0);
    const isLong = items.length >= 2 * atOnce || (items.length > 1 && length > mostText);
    if (isLong && sent?.codec === jsonCodec) {
      return printMany(items, (list) => envelope.write(list, facts)).then(respond);
    }
    const shown = isBare ? printBare(items) : printAll((item) => item.shown);
    // A list that has to have items is none of a collection that has none.
    if (items.length === 0 && !shown.fits) {
      const sample = print(sampleValue(schema) ?? null);
      return sample.fits ? markSample(respond(sample)) : respond(shown);
    }
    return respond(isBare || shown.fits ? shown : printAll(showFitting));
  }

  function refuseCursor(name: string): MockResponse {
    const reason = `the query parameter "${name}" is no cursor of this list, or its item is gone`;
    return refuse({
      condition: 'invalid-parameter',
      message: `The request is not valid: ${reason}.`,
      problems: () => [{ parameter: { in: 'query', name }, reason }],
    });
  }

  function refuseSort({ parameter, text }: NonNullable<ListQuery['unsortable']>): MockResponse {
    const reason = `the query parameter "${shorten(parameter)}" names "${shorten(text)}", which no item has`;
    return refuse({
      condition: 'invalid-parameter',
      message: `The request is not valid: ${reason}.`,
      problems: () => [{ parameter: { in: 'query', name: parameter }, reason }],
    });
  }

  function refuseUnknown(name: string): MockResponse {
    const reason = `the query parameter "${shorten(name)}" is not declared`;
    return refuse({
      condition: 'invalid-parameter',
      message: `The request is not valid: ${reason}.`,
      problems: () => [
        {
          parameter: { in: 'query', name },
          reason,
          clause: policyClause('unknown-query-parameter', 'refuse'),
        },
      ],
    });
  }

  // The document lets any text be sent: only a refusal that it declares as well may answer one.
  const mayRefuse = declaresRefusal(operation);
  const findUnknown =
    policy['unknown-query-parameter'] === 'refuse' ? undeclaredFinder(operation) : undefined;
  return (request) => {
    const unknown = findUnknown?.(request.head.target);
    if (unknown !== undefined) return refuseUnknown(unknown);
    prepared ??= prepare();
    const ready = prepared;
    const { head, path: requested, parameters } = request;
    const collection = concreteCollection(kind.resource, requested);
    const query = ready.read(
      toParameterSource({ target: head.target, path: parameters, header: (name) => head.header(name) }),
    );
    if (query.unsortable !== undefined && mayRefuse) return refuseSort(query.unsortable);
    const scope = stringifyJson([
      collection,
      query.isNewestFirst,
      ...query.sort.map(({ path: names, isDown }) => [isDown, ...names]),
    ]);
    const needsTotal = ready.envelope.needsTotal || ready.fields.needsTotal;
    const find = (asked: ListQuery): MaybePromise<MockResponse> =>
      whenThere(findPage({ store, collection, query: asked, scope, needsTotal, toItem }), (page) => {
        if (page !== undefined) return write(ready, { page, query: asked, scope }, request);
        const { start } = asked;
        if (start.kind !== 'offset' && start.isDeclared) return refuseCursor(start.parameter);
        // A parameter that is not declared is left alone, unless it is a cursor of this list.
        return find({ ...asked, start: { kind: 'offset', by: undefined, offset: 0 } });
      });
    return find(query);
  };
}

/** The schemas that an operation shows or takes an item by. */
function representationOf(operation: Operation): readonly JsonSchema[] {
  const { kind, requestBody } = operation;
  const schemaIn = (media: Operation['responses'][number]['media'] | undefined): JsonSchema | undefined =>
    findResponseMedia(media)?.schema?.schema;
  const shown = 'response' in kind ? schemaIn(findSuccessResponse(operation)?.media) : undefined;
  const taken = 'request' in kind ? schemaIn(requestBody?.media) : undefined;
  return [
    ...(shown === undefined || !('response' in kind) ? [] : [memberSchema(shown, kind.response ?? [])]),
    ...(taken === undefined || !('request' in kind) ? [] : [memberSchema(taken, kind.request)]),
  ];
}

/** So many characters of texts are remembered. */
const mostRemembered = 2 ** 24;

/** Texts of items that a list shows as they are kept. They are those of the store, and forgotten all at once when they are many. */
function createTextSet(): Pick<Set<string>, 'has'> & { readonly add: (text: string) => void } {
  const texts = new Set<string>();
  let length = 0;
  return {
    has: (text) => texts.has(text),
    add(text) {
      length += text.length;
      if (length > mostRemembered) {
        texts.clear();
        length = text.length;
      }
      texts.add(text);
    },
  };
}
