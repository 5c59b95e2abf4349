import { isMap, isSeq, parseDocument } from 'yaml';
import type { JsonObject, JsonValue } from '../json/json-value.ts';

/**
 * Takes items out of a list that stands under a key of a YAML text, and adds some behind the others; all else,
 * comments included, stays as it is.
 *
 * @param input.text - a mapping that holds the list
 * @param input.isRemoved - whether an item goes
 */
export function editYamlList(input: {
  readonly text: string;
  readonly key: string;
  readonly isRemoved: (item: JsonObject) => boolean;
  readonly added: readonly JsonObject[];
}): string {
  const { text, key, isRemoved, added } = input;
  const document = parseDocument(text, { version: '1.2' });
  const list = document.get(key);
  if (isSeq(list)) {
    // `as`: what is read of JSON is JSON.
    list.items = list.items.filter((item) => !isMap(item) || !isRemoved(item.toJSON() as JsonObject));
    list.items.push(...added.map((item: JsonValue) => document.createNode(item)));
    list.flow = list.items.length === 0;
  }
  return document.toString({ lineWidth: 0 });
}
