import type { Operation } from '../../contract/contract.ts';
import { decodePathText } from '../../http/query.ts';
import { singular, splitWords } from '../../contract/resource-key.ts';
import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../json/value.ts';
import { schemaProperties } from '../../schema/properties.ts';
import { type JsonSchema, schemaTypes } from '../../schema/walk.ts';
import { elementSchema } from '../answer/shown-item.ts';
import { memberSchema } from '../answer/representation.ts';
import { makeUuid } from './stored-form.ts';

/** The types of the properties that responses show for an item, by name. */
type ShownTypes = ReadonlyMap<string, ReadonlySet<string>>;

/** A property that contains the id of an item in the path. */
interface ParentId {
  readonly name: string;
  /** The index of the id among the segments of the path. */
  readonly index: number;
  readonly types: ReadonlySet<string>;
}

/**
 * Returns the properties named after the parent items: the singular of the segment before the parameter, alone or
 * followed by the parameter's last word or `id`. Below `/customers/{key}`: `customer`, `customerKey`, `customer_id`.
 */
function findParentIds(
  { path, kind }: Operation,
  typesOf: ReadonlyMap<string, ReadonlySet<string>>,
): readonly ParentId[] {
  const own = kind.kind === 'sample' ? undefined : kind.resource.parameter;
  const segments = path.template.split('/');
  return segments.flatMap((segment, index) => {
    const parameter = /^\{([^{}]+)\}$/u.exec(segment)?.[1];
    const before = segments[index - 1] ?? '';
    if (parameter === undefined || parameter === own || before.includes('{')) return [];
    const parent = splitWords(before).map(singular).join(' ');
    const names = ['', ' id', ` ${splitWords(parameter).at(-1) ?? 'id'}`].map((end) => `${parent}${end}`);
    return [...typesOf].flatMap(([name, types]) => {
      const isNamed = names.includes(splitWords(name).join(' ')) || name === parameter;
      return isNamed && !types.has('object') ? [{ name, index, types }] : [];
    });
  });
}

/** Parses an id in a path as one of the types of a property; undefined if it has another type. */
export function readId(text: string, types: ReadonlySet<string>): JsonValue | undefined {
  const isNumber = /^(?:0|-?[1-9]\d{0,14})$/u.test(text) && (types.has('integer') || types.has('number'));
  if (isNumber && !types.has('string')) return Number(text);
  return types.size === 0 || types.has('string') ? text : undefined;
}

/** Prepares the insertion of the ids in a path into an item that lacks its properties for them. */
export function prepareParentIds(
  operation: Operation,
  shown: ShownTypes,
): (item: JsonObject, path: string) => JsonObject {
  const parents = findParentIds(operation, shown);
  if (parents.length === 0) return (item) => item;
  return (item, path) => {
    const segments = path.split('/');
    const below = { ...item };
    for (const { name, index, types } of parents) {
      const id = Object.hasOwn(item, name) ? undefined : readId(decodePathText(segments[index] ?? ''), types);
      if (id !== undefined) setOwn(below, name, id);
    }
    return below;
  };
}

/** Prepares the synchronization of an object with the id beside it (`author.id`, `authorId`). The sent one wins. */
export function prepareAgreement(shown: ShownTypes): (item: JsonObject, sent: JsonObject) => JsonObject {
  const named = new Map([...shown.keys()].map((name) => [splitWords(name).join(' '), name]));
  const pairs = [...shown].flatMap(([name, types]) => {
    const id = types.has('object') ? named.get(`${splitWords(name).join(' ')} id`) : undefined;
    return id === undefined ? [] : [{ name, id }];
  });
  if (pairs.length === 0) return (item) => item;
  return (item, sent) => {
    let agreed = item;
    for (const { name, id } of pairs) {
      const [object, own] = [item[name], item[id]];
      if (!isJsonObject(object) || typeof object['id'] !== typeof own || object['id'] === own) continue;
      const isSent = Object.hasOwn(sent, id) && !Object.hasOwn(sent, name);
      agreed = isSent
        ? { ...agreed, [name]: { ...object, id: own ?? null } }
        : { ...agreed, [id]: object['id'] ?? null };
    }
    return agreed;
  };
}

/** Prepares unique ids for the entries of lists in an item, if its responses require them. */
export function prepareEntryIds(responses: readonly JsonSchema[]): (item: JsonObject) => JsonObject {
  const lists = responses.flatMap((schema) =>
    [...schemaProperties(schema).keys()].flatMap((name) => {
      const entry = elementSchema(memberSchema(schema, [name]), 'array');
      const ids = [...schemaProperties(entry)]
        .filter(([each, { required }]) => required && splitWords(each).at(-1) === 'id')
        .map(([each, property]) => ({ name: each, types: schemaTypes(property.schema, entry) }));
      return ids.length === 0 ? [] : [{ name, ids }];
    }),
  );
  if (lists.length === 0) return (item) => item;
  return (item) => {
    const completed = { ...item };
    for (const { name, ids } of lists) {
      const list = Object.hasOwn(item, name) ? item[name] : undefined;
      if (!Array.isArray(list)) continue;
      setOwn(completed, name, withIds(list, ids));
    }
    return completed;
  };
}

/** Sets the id of each entry that lacks one to the first unused id of the list. */
function withIds(
  list: readonly JsonValue[],
  ids: readonly { readonly name: string; readonly types: ReadonlySet<string> }[],
): JsonValue[] {
  const completed = list.map((entry) => (isJsonObject(entry) ? { ...entry } : entry));
  const entries = completed.filter(isJsonObject);
  for (const { name, types } of ids) {
    const used = new Set(entries.map((entry) => (Object.hasOwn(entry, name) ? entry[name] : undefined)));
    let number = 0;
    for (const entry of entries.filter((each) => !Object.hasOwn(each, name))) {
      let id: JsonValue;
      do {
        number += 1;
        id = types.has('string') ? makeUuid(number) : number;
      } while (used.has(id));
      setOwn(entry, name, id);
    }
  }
  return completed;
}
