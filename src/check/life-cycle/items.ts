import type { JsonValue } from '../../json/value.ts';
import type { ItemName, Place, Representation, Step } from './steps.ts';
import type { ValueSchemas } from './values.ts';

/** What a client said of a property of an item, last. */
export interface KnownProperty {
  /** Undefined where it was left out of a whole representation, or removed. */
  readonly value: JsonValue | undefined;
  readonly by: Step;
  /** The schema that it was written by. */
  readonly schema: ValueSchemas['written'];
  /** What clients had given it before, the latest first. */
  readonly earlier: readonly { readonly value: JsonValue; readonly by: Step }[];
  /** The steps that showed it so since, the last of each operation. */
  readonly kept: Map<string, Step>;
  /** All of them, in their order. */
  readonly sightings: Step[];
}

/** What a trace tells of one item, up to some step. */
export interface Item {
  readonly name: ItemName;
  readonly place: Place;
  /** `there` and `gone` are certain by what the trace shows; whatever touched it otherwise makes it `unknown`. */
  state: 'there' | 'gone' | 'unknown';
  /** Whether something touched it of which nobody knows what came of it, or when. */
  isOpen: boolean;
  /** The create, or the replace, that made it in this trace. */
  madeBy: Step | undefined;
  /** The create that named it and was not finished when it was answered (202, RFC 9110 §15.3.3). */
  startedBy: Step | undefined;
  /** The last success that changed it, or deleted it. */
  changedBy: Step | undefined;
  readonly known: Map<string, KnownProperty>;
  /** What was refused since the last success. */
  readonly refused: Step[];
  /** The steps that showed it since it was changed last. */
  readonly seen: Step[];
  /** The last whole representation that a read, or the answer to a change, showed of it. */
  lastShown: (Representation & { readonly by: Step }) | undefined;
  /** What the last change sent for properties that the service alone sets, with what was shown of them before. */
  readonly attempts: Map<
    string,
    { readonly value: JsonValue; readonly by: Step; readonly before: JsonValue | undefined }
  >;
  /** The lists by a value of a property that it lacks, which showed it all the same, by the name of the property. */
  readonly passed: Map<string, { readonly sent: string; readonly by: Step }>;
  /** The last replace, and what was shown after it by operation; `again`: the same before it. */
  replaced: Replaced | undefined;
  /** The entity tag that it had last (RFC 9110 §8.8.3). */
  tag: { readonly text: string; readonly by: Step } | undefined;
  /** The strong entity tags that reads showed it with, and what they showed. */
  readonly tagged: (Representation & { readonly tag: string; readonly by: Step })[];
}

interface Replaced {
  readonly by: Step;
  readonly shown: Map<string, Representation & { readonly by: Step }>;
  readonly again: Replaced | undefined;
  /** All that were the same before it. */
  readonly rounds: readonly Replaced[];
}

/** The items that a trace tells of. */
export interface Items {
  readonly all: () => Iterable<Item>;
  readonly find: (name: ItemName) => Item | undefined;
  readonly at: (name: ItemName, place: Place) => Item;
  /** The items that stand below one, whatever becomes of it. */
  readonly below: (name: ItemName) => readonly Item[];
  /** The steps that made the items above a path, and further ones as far as there are such steps. */
  readonly chainTo: (collection: string, ...further: readonly (Step | undefined)[]) => readonly Step[];
}

/** Creates an empty memory of items. */
export function createItems(): Items {
  const items = new Map<ItemName, Item>();

  return {
    all: () => items.values(),
    find: (name) => items.get(name),
    at(name, place) {
      const item = items.get(name) ?? newItem(name, place);
      items.set(name, item);
      return item;
    },
    below: (name) => [...items.values()].filter((item) => item.name.startsWith(`${name}/`)),
    chainTo: (collection, ...further) => {
      const above = [...items.values()].filter(({ name }) => collection.startsWith(`${name}/`));
      return [...above.map(({ madeBy }) => madeBy), ...further].filter((step) => step !== undefined);
    },
  };
}

function newItem(name: ItemName, place: Place): Item {
  return {
    name,
    place,
    state: 'unknown',
    isOpen: false,
    madeBy: undefined,
    startedBy: undefined,
    changedBy: undefined,
    known: new Map(),
    refused: [],
    seen: [],
    lastShown: undefined,
    attempts: new Map(),
    passed: new Map(),
    replaced: undefined,
    tag: undefined,
    tagged: [],
  };
}

/** Leaves nothing certain of an item. */
export function forget(item: Item): void {
  item.state = 'unknown';
  item.known.clear();
  item.refused.length = 0;
  item.seen.length = 0;
  item.lastShown = undefined;
  item.attempts.clear();
  item.passed.clear();
  item.replaced = undefined;
  item.tag = undefined;
  item.tagged.length = 0;
}

/** Notes that an item was made, changed or deleted by a success. After 202 a read has to show it first (RFC 9110 §15.3.3). */
export function change(item: Item, by: Step, state: 'there' | 'gone'): void {
  const isCertain = !item.isOpen || item.seen.length > 0 || by.status === 201;
  item.state = isCertain ? state : 'unknown';
  item.isOpen = false;
  item.changedBy = by;
  item.refused.length = 0;
  item.seen.length = 0;
  item.passed.clear();
}

/** Notes what a client said of a property, with what it had said before. */
export function learn(
  { known }: Item,
  name: string,
  said: Pick<KnownProperty, 'value' | 'by' | 'schema'>,
): void {
  const before = known.get(name);
  const last = before?.value === undefined ? [] : [{ value: before.value, by: before.by }];
  known.set(name, {
    ...said,
    earlier: [...last, ...(before?.earlier ?? [])],
    kept: new Map(),
    sightings: [],
  });
}
