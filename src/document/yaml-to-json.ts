import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { JsonObject, JsonValue } from '../json/json-value.ts';
import { toJsonNumber } from '../json/to-json-number.ts';
import { isJsonObject } from '../json/is-json-object.ts';
import type { SourceText } from './source-text.ts';
import type { TextPlaces } from './text-places.ts';

/** How many values aliases may stand for, all told: some levels of ten aliases each would fill any memory. */
const mostAliased = 200_000;

/** A plain number that is no JSON number although JavaScript can read it: `+1`, `.5`, `1.`, `007`. */
const looseNumber = /^([+-]?)0*(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/u;
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u;

interface OpenObject {
  readonly entries: Map<string, JsonValue>;
  readonly members: Map<string, number>;
}

/** Something that YAML allows and JSON does not, at an offset. */
export interface YamlProblem {
  readonly offset: number;
  readonly reason: string;
  readonly remedy: string;
}

/**
 * Makes a JSON value of a YAML document that was parsed without errors: keys are strings, numbers keep their
 * digits, aliases and merge keys (`<<`) are replaced with copies of what they stand for.
 *
 * @param input.places - takes where everything stands; of a copy, where the original does
 * @param input.problems - takes what has no place in JSON
 * @throws RangeError where it is nested too deeply, or aliases make too much of it; the latter is noted before
 */
export function yamlToJson(input: {
  readonly document: Document.Parsed;
  readonly source: SourceText;
  readonly places: TextPlaces;
  readonly problems: YamlProblem[];
}): JsonValue {
  const { document, source, places, problems } = input;
  /** Anchored values that are being read, each of which an alias in itself would never come out of. */
  const open = new Set<unknown>();
  let aliased = 0;
  let isInAlias = false;

  function refuse(node: unknown, reason: string, remedy: string): null {
    problems.push({ offset: startOf(node), reason, remedy });
    return null;
  }

  function toValue(node: unknown): JsonValue {
    aliased += isInAlias ? 1 : 0;
    if (aliased > mostAliased) {
      refuse(
        node,
        `its aliases stand for more than ${mostAliased} values`,
        'Write some of it out; a document of OpenAPI may use $ref',
      );
      throw new RangeError('Too many aliases');
    }
    if (isAlias(node)) {
      return toAliased(node, () => node.resolve(document));
    }
    if (isMap(node) || isSeq(node)) {
      open.add(node);
      const value = isMap(node) ? toObject(node) : toArray(node);
      open.delete(node);
      return value;
    }
    return isScalar(node) ? toScalar(node) : null;
  }

  function toAliased(alias: unknown, resolve: () => unknown): JsonValue {
    const target = resolve();
    if (open.has(target)) {
      return refuse(
        alias,
        'the alias stands in the very value that it stands for',
        'Write a value in its place; in a document of OpenAPI a $ref may refer to itself',
      );
    }
    const wasInAlias = isInAlias;
    isInAlias = true;
    const value = toValue(target);
    isInAlias = wasInAlias;
    return value;
  }

  function toArray(node: YAMLSeq): JsonValue {
    const value = node.items.map((item) => toValue(item));
    const members = new Map(node.items.map((item, index) => [String(index), startOf(item)]));
    places.set(value, { source, start: startOf(node), members });
    return value;
  }

  function toObject(node: YAMLMap): JsonObject {
    const entries = new Map<string, JsonValue>();
    const members = new Map<string, number>();
    const merged: Pair[] = [];
    for (const pair of node.items) {
      const key = toKey(pair.key);
      if (key === undefined) {
        refuse(pair.key, 'a key must be a string', 'Write the key as a plain word or in quotes');
      } else if (isMergeKey(pair.key)) {
        merged.push(pair);
      } else if (entries.has(key)) {
        refuse(pair.key, `the key ${JSON.stringify(key)} stands twice in one object`, 'Remove one of them');
      } else {
        entries.set(key, toValue(pair.value));
        members.set(key, startOf(pair.key));
      }
    }
    for (const pair of merged) {
      mergeInto({ entries, members }, pair);
    }
    const value: JsonObject = Object.fromEntries(entries);
    places.set(value, { source, start: startOf(node), members });
    return value;
  }

  /** What the mapping itself has, and what was merged before, stays (YAML merge key, type tag:yaml.org,2002:merge). */
  function mergeInto({ entries, members }: OpenObject, pair: Pair): void {
    const merged = toValue(pair.value);
    for (const source of Array.isArray(merged) ? merged : [merged]) {
      if (!isJsonObject(source)) {
        refuse(pair.key, 'a merge key must stand before a mapping', 'Give it an alias of a mapping');
        return;
      }
      for (const [key, value] of Object.entries(source)) {
        if (!entries.has(key)) {
          entries.set(key, value);
          members.set(key, places.get(source)?.members.get(key) ?? startOf(pair.key));
        }
      }
    }
  }

  function toScalar(node: Scalar): JsonValue {
    const { value, source: text = '' } = node;
    if (typeof value === 'number') {
      const written = node.type === 'PLAIN' ? toNumberText(text) : undefined;
      if (written !== undefined) {
        return toJsonNumber(written);
      }
      return Number.isFinite(value)
        ? value
        : refuse(node, `${text} is no number in JSON`, 'Write a finite number');
    }
    return typeof value === 'string' || typeof value === 'boolean' ? value : null;
  }

  return toValue(document.contents);
}

function startOf(node: unknown): number {
  return (isAlias(node) || isMap(node) || isScalar(node) || isSeq(node)) && node.range ? node.range[0] : 0;
}

function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.source === '<<';
}

/** Keys such as 200, true and null are what they are written as. */
function toKey(key: unknown): string | undefined {
  if (!isScalar(key)) {
    return undefined;
  }
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}

function toNumberText(text: string): string | undefined {
  if (jsonNumber.test(text)) {
    return text;
  }
  const parts = looseNumber.exec(text);
  if (parts === null) {
    return undefined;
  }
  const [, sign = '', whole = '', fraction = '', power = ''] = parts;
  return `${sign === '-' ? '-' : ''}${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}${power}`;
}
