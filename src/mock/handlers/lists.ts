import type { Operation, OperationKind } from '../../contract/contract.ts';
import { toParameterSource } from '../../contract/read-parameters.ts';
import { findSuccessResponse, isSuccess, statusOf } from '../../contract/responses.ts';
import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/print.ts';
import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import { chooseSentMedia, memberSchema, nestMember, renderText } from '../answer/representation.ts';
import { mergeSchema, sampleValue, setOwn } from '../answer/sample-value.ts';
import { type MaybePromise, type MockResponse, whenThere } from '../message.ts';
import type { ListedResource } from '../store/store.ts';
import { concreteCollection, type HandlerInput } from './items.ts';
import { createConditions, type ListedItem, sortValues } from './list-conditions.ts';
import { type ListEnvelope, type ListFields, prepareEnvelope, prepareFields } from './list-envelope.ts';
import { describePage, type PageEnd } from './list-links.ts';
import { findPage, type FoundPage } from './list-pages.ts';
import { type ListQuery, prepareListQuery } from './list-query.ts';
import { createResourceRenderer } from './resource-view.ts';
import type { OperationHandler, ValidRequest } from './stored-form.ts';

type ListKind = Extract<OperationKind, { kind: 'list' }>;

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
  const { operation, kind, reading, store, refuse, siblings } = input;
  const response = findSuccessResponse(operation);
  const status = response === undefined ? 200 : statusOf(response);
  const sent = chooseSentMedia(response?.media ?? []);
  const schema = sent?.media.schema?.schema ?? true;
  const { path, element } = kind.list;
  const { key } = kind.resource;
  const listSchema = memberSchema(schema, path);
  const elements = elementSchema(listSchema, kind.list.kind);
  const itemSchema = memberSchema(elements, element);
  const render = createResourceRenderer(itemSchema, [], () => []);
  const wrapper = element.length === 0 ? undefined : sampleValue(elements);
  const validate = sent?.media.schema?.validator(reading);
  const contentType = sent === undefined ? [] : ['Content-Type', sent.contentType];
  let prepared: PreparedList | undefined;

  function prepare(): PreparedList {
    const { maxItems } = mergeSchema(isJsonObject(listSchema) ? listSchema : {}, listSchema);
    // What other operations show of an item may be filtered by, too.
    const conditions = createConditions([itemSchema, ...siblings.flatMap(representationOf)]);
    return {
      ...prepareListQuery(
        operation.parameters,
        conditions,
        typeof maxItems === 'number' ? maxItems : undefined,
      ),
      envelope: prepareEnvelope(schema, path),
      fields: prepareFields(response?.headers ?? []),
    };
  }

  function toItems(resources: readonly ListedResource[]): readonly ListedItem[] {
    // One text of all is read in a fraction of the time; each was read before, so that none is too deep.
    const read = parseJson(`[${resources.map(({ text }) => text).join(',')}]`, { maxDepth: Infinity });
    const values = read.kind === 'json' && Array.isArray(read.value) ? read.value : [];
    return resources.map(({ key: storeKey, position }, index) => {
      const value = values[index];
      // What is stored is an object that was valid once.
      const kept = isJsonObject(value) ? value : {};
      const own = key.kind !== 'none' && Object.hasOwn(kept, key.property) ? kept[key.property] : undefined;
      const { value: shown } = render({ resource: kept, exact: false, extras: undefined });
      return { id: own ?? readKey(storeKey), position, kept, shown };
    });
  }

  function renderAll(items: readonly ListedItem[]): JsonValue {
    if (kind.list.kind === 'ids') return items.map(({ id }) => id);
    const all = items.map(({ shown }) =>
      wrapper === undefined ? shown : nestMember(wrapper, element, shown),
    );
    if (kind.list.kind === 'array') return all;
    const map: JsonObject = {};
    for (const [index, { id }] of items.entries()) {
      setOwn(map, typeof id === 'string' ? id : stringifyJson(id), all[index] ?? null);
    }
    return map;
  }

  function write(
    { paging, envelope, fields }: PreparedList,
    found: { readonly page: FoundPage; readonly query: ListQuery; readonly scope: string },
    { head }: ValidRequest,
  ): MockResponse {
    const { page, query, scope } = found;
    const { items } = page;
    const ends = [items[0], items.at(-1)].flatMap((item): readonly PageEnd[] =>
      item === undefined ? [] : [{ ...item, values: sortValues(item, query.sort) }],
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
    const body = envelope.write(renderAll(items), facts);
    const exact = holdsExactNumber(body);
    const wrong = validate?.(body, exact) ?? [];
    const print = exact ? stringifyJson : JSON.stringify;
    const note = { operation: operation.id };
    return {
      status,
      headers: [...contentType, ...fields.write(facts)],
      body: sent === undefined ? '' : sent.isJson ? print(body) : renderText(sent.contentType, body),
      note:
        wrong.length === 0 ? note : { ...note, message: 'What is kept does not fit the schema of the list.' },
    };
  }

  function refuseCursor(name: string): MockResponse {
    const reason = `the query parameter "${name}" is no cursor of this list, or its item is gone`;
    return refuse({
      condition: 'invalid-parameter',
      message: `The request is not valid: ${reason}.`,
      problems: () => [{ parameter: { in: 'query', name }, reason }],
    });
  }

  return (request) => {
    prepared ??= prepare();
    const ready = prepared;
    const { head, path: requested, parameters } = request;
    const collection = concreteCollection(kind.resource, requested);
    const query = ready.read(
      toParameterSource({ target: head.target, path: parameters, header: (name) => head.header(name) }),
    );
    const scope = stringifyJson([
      collection,
      query.isNewestFirst,
      ...query.sort.map(({ path: names, isDown }) => [isDown, ...names]),
    ]);
    const needsTotal = ready.envelope.needsTotal || ready.fields.needsTotal;
    const find = (asked: ListQuery): MaybePromise<MockResponse> =>
      whenThere(findPage({ store, collection, query: asked, scope, needsTotal, toItems }), (page) => {
        if (page !== undefined) return write(ready, { page, query: asked, scope }, request);
        const { start } = asked;
        if (start.kind !== 'offset' && start.isDeclared) return refuseCursor(start.parameter);
        // A parameter that is not declared is left alone, unless it is a cursor of this list.
        return find({ ...asked, start: { kind: 'offset', by: undefined, offset: 0 } });
      });
    return find(query);
  };
}

/** The id that a resource is kept under. */
function readKey(key: ListedResource['key']): JsonValue {
  const read = typeof key === 'number' ? undefined : parseJson(key, { explains: false });
  return read?.kind === 'json' ? read.value : key;
}

/** The schemas that an operation shows or takes an item by. */
function representationOf({ kind, responses, requestBody }: Operation): readonly JsonSchema[] {
  const schemaIn = (media: Operation['responses'][number]['media'] | undefined): JsonSchema | undefined =>
    media?.find(({ isJson }) => isJson)?.schema?.schema;
  const shown = 'response' in kind ? schemaIn(responses.find(isSuccess)?.media) : undefined;
  const taken = 'request' in kind ? schemaIn(requestBody?.media) : undefined;
  return [
    ...(shown === undefined || !('response' in kind) ? [] : [memberSchema(shown, kind.response ?? [])]),
    ...(taken === undefined || !('request' in kind) ? [] : [memberSchema(taken, kind.request)]),
  ];
}

/** The schema of an element of a list, which stands alone; `true` where none is declared. */
export function elementSchema(list: JsonSchema, kind: ListKind['list']['kind']): JsonSchema {
  const root = isJsonObject(list) ? list : {};
  const merged = mergeSchema(root, list);
  const item = merged[kind === 'map' ? 'additionalProperties' : 'items'];
  if (!isJsonObject(item)) return true;
  return root['$defs'] === undefined ? item : { ...item, $defs: root['$defs'] };
}
