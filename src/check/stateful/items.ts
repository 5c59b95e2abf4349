import type { JsonValue } from '../../json/value.ts';
import type { Conclude } from './conclusions.ts';
import type { ItemName, Place, Representation, Step } from './trace-steps.ts';
import type { ValueSchemas } from './values.ts';

/** The last value that a client gave a property of an item. */
export interface KnownProperty {
  /** Undefined if a whole representation omitted it, or if it was removed. */
  readonly value: JsonValue | undefined;
  readonly by: Step;
  /** The schema of the request that wrote it. */
  readonly schema: ValueSchemas['written'];
  /** The earlier values from clients, the latest first. */
  readonly earlier: readonly { readonly value: JsonValue; readonly by: Step }[];
  /** The later steps that showed this value, the last one of each operation. */
  readonly kept: Map<string, Step>;
  /** All steps that showed this value, in order. */
  readonly occurrences: Step[];
}

/** The state of one item at some step of a trace. */
export interface Item {
  readonly name: ItemName;
  readonly place: Place;
  /** `there` and `gone` follow from the trace for certain; other effects on the item make it `unknown`. */
  state: 'there' | 'gone' | 'unknown';
  /** Whether a request with an unknown outcome or time of effect concerned it. */
  isOpen: boolean;
  /** Whether that request deletes it: then it may go at any time, whatever reads show before. */
  isLeaving: boolean;
  /** The create or the replace that created it in this trace. */
  madeBy: Step | undefined;
  /** The create that named it and was still in progress at its response (202, RFC 9110 §15.3.3). */
  startedBy: Step | undefined;
  /** The last successful change or delete of it. */
  changedBy: Step | undefined;
  readonly known: Map<string, KnownProperty>;
  /** What it had when it was deleted, if a request created or changed it afterwards. */
  past: Past | undefined;
  /** The requests that were rejected since the last success. */
  readonly refused: Step[];
  /** The steps that showed it since its last change. */
  readonly seen: Step[];
  /** The last whole representation in the response to a read or a change. */
  lastShown: (Representation & { readonly by: Step }) | undefined;
  /** The first whole representation in the response to a read. */
  firstShown: Item['lastShown'];
  /** The number of its successful changes since then. */
  changes: number;
  /** The values that the last change sent for properties that only the service sets, with the values shown before. */
  readonly attempts: Map<
    string,
    { readonly value: JsonValue; readonly by: Step; readonly before: JsonValue | undefined }
  >;
  /** The lists filtered by a property that it lacks, but which showed it, by the name of the property. */
  readonly passed: Map<string, { readonly sent: string; readonly by: Step }>;
  /** The last replace, and what each operation showed after it; `again`: an equal replace before it. */
  replaced: Replaced | undefined;
  /** The last two replaces, if they were concurrent and no read has shown yet which of them was the last. */
  rivals: readonly [Step, Step] | undefined;
  /** The latest entity tag of it (RFC 9110 §8.8.3). */
  tag: { readonly text: string; readonly by: Step } | undefined;
  /** The strong entity tags of reads, with the representations that they showed. */
  readonly tagged: (Representation & { readonly tag: string; readonly by: Step })[];
  /** The conclusions from the last similar changes of a singleton, which other clients may write, by change and cause. */
  readonly rounds: Map<string, readonly Round[]>;
}

/** A conclusion from one change of a singleton. */
export interface Round {
  readonly check: Parameters<Conclude>[0];
  readonly conclusion: Parameters<Conclude>[1];
}

interface Past {
  readonly known: ReadonlyMap<string, KnownProperty>;
  readonly deletedBy: Step;
  /** The steps that created and deleted it. */
  readonly by: readonly (Step | undefined)[];
}

interface Replaced {
  readonly by: Step;
  readonly shown: Map<string, Representation & { readonly by: Step }>;
  readonly again: Replaced | undefined;
  /** All equal replaces before it. */
  readonly rounds: readonly Replaced[];
}

/** The items of a trace. */
export interface Items {
  readonly all: () => Iterable<Item>;
  readonly find: (name: ItemName) => Item | undefined;
  readonly at: (name: ItemName, place: Place) => Item;
  /** Lists the items below one. */
  readonly below: (name: ItemName) => readonly Item[];
  /** Lists the steps that created the items above a path, followed by the defined ones of further steps. */
  readonly chainTo: (collection: string, ...further: readonly (Step | undefined)[]) => readonly Step[];
}

/** Creates an empty collection of items. */
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

/** Returns the state of an item of which nothing is known. */
function unknownState() {
  return {
    state: 'unknown' as const,
    known: new Map(),
    past: undefined,
    refused: [],
    seen: [],
    lastShown: undefined,
    firstShown: undefined,
    changes: 0,
    attempts: new Map(),
    passed: new Map(),
    replaced: undefined,
    rivals: undefined,
    tag: undefined,
    tagged: [],
    rounds: new Map(),
  };
}

function newItem(name: ItemName, place: Place): Item {
  const origin = { madeBy: undefined, startedBy: undefined, changedBy: undefined };
  return { name, place, isOpen: false, isLeaving: false, ...origin, ...unknownState() };
}

/** Makes everything about an item unknown. */
export function forget(item: Item): void {
  Object.assign(item, unknownState());
}

/** Notes a successful create, change or delete. After 202, a read has to show the item first (RFC 9110 §15.3.3). */
export function change(item: Item, by: Step, state: 'there' | 'gone'): void {
  const isShown = item.seen.length > 0 && !item.isLeaving;
  const isCertain = !item.isOpen || isShown || by.status === 201;
  item.state = isCertain ? state : 'unknown';
  item.isOpen = item.isLeaving && !isCertain;
  item.isLeaving = item.isOpen;
  item.rivals = undefined;
  item.changedBy = by;
  item.changes += 1;
  item.refused.length = 0;
  item.seen.length = 0;
  item.passed.clear();
}

/** Notes the value that a client gave a property, and keeps the earlier ones. */
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
    occurrences: [],
  });
}

/** Returns whether the id contains a value, like `tea-7` and `tea`; a service may keep that value. */
export function isPartOfId({ name }: Pick<Item, 'name'>, value: JsonValue | undefined): boolean {
  const id = decodeURIComponent(name.slice(name.lastIndexOf('/') + 1)).toLowerCase();
  return typeof value === 'string' && value.length > 2 && id.includes(value.toLowerCase());
}
