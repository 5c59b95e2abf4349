import type { Contract } from '../../contract/contract.ts';
import { jsonEqual, type JsonValue } from '../../json/value.ts';
import { quoteDocument } from '../finding.ts';
import {
  type Conclude,
  documentSays,
  type LifeCycleConclusion,
  patchClause,
  safeMethodClause,
} from './conclusions.ts';
import type { Item, Items, KnownProperty } from './items.ts';
import type { Step } from './steps.ts';

/** A flag or a state of an item that was shown as it was written, and then was another one. */
interface Move {
  readonly item: Item;
  readonly known: KnownProperty;
  readonly name: string;
  readonly value: JsonValue | undefined;
  /** The step that showed it first. */
  readonly by: Step;
}

/** A move, and what came right before it. */
interface ReadMove extends Move {
  /** The last step that showed it as it was written. */
  readonly last: Step;
  /** What it may have come of: the change between the two looks, or a list, or else the first look. */
  readonly cause: Step;
  readonly kind: string;
}

/** How much longer one has to stay than another takes to move: a busy machine moves what time moves sooner or later. */
const clearly = { steps: 2.5, time: 1.5 };

/** From what takes least to move an item on: what moves by less needs no more. A change takes most. */
const looks = ['nothing', 'read', 'list'];
const rank = ({ kind }: ReadMove): number => (looks.includes(kind) ? looks.indexOf(kind) : looks.length);

/** So many items have to move alike: that time alone moves each of them just then is unlikely. */
const enough = 3;

/** What a service tells by a state of how far an item got to its client. */
const ofReading =
  /read|seen|view|visit|opened|access|fetch|deliver|receiv|download|consum|acknowledg|notif|fresh|\bnew\b|expire/iu;

/** What documents say of reading that changes something. */
const marks = /\bmark|as (?:read|seen|opened|delivered)\b|\bonce\b|consum|acknowledg/iu;

interface MovesInput {
  readonly steps: readonly Step[];
  readonly items: Items;
  readonly conclude: Conclude;
  readonly contract: Contract;
}

/** Compares moves of states: one by itself may come of time; what comes after like requests each time does not. */
export class Moves {
  readonly #input: MovesInput;
  readonly #taken: ReadMove[] = [];

  constructor(input: MovesInput) {
    this.#input = input;
  }

  #read(move: Move): ReadMove | undefined {
    const { item, known, by } = move;
    const last = known.sightings.at(-1);
    if (last === undefined || item.madeBy === undefined || by.role?.kind !== 'read') return undefined;
    const between = this.#input.steps.slice(last.index + 1, by.index);
    const [change, ...others] = between.filter(({ isSafe, outcome }) => !isSafe && outcome !== 'refused');
    if (change === undefined) {
      const cause = between.findLast((step) => lists(step, item)) ?? last;
      let kind = 'nothing';
      if (lists(cause, item)) kind = 'list';
      else if (reads(cause, item)) kind = 'read';
      return { ...move, last, cause, kind };
    }
    const isOwn = change.place?.item === item.name;
    const isBeside = change.place?.collection === item.place.collection;
    const kind = change.role?.kind;
    // A patch says which properties it changes, and what is not of this collection may be what the state tells of.
    const isPlain = change.outcome === 'done' && kind !== undefined && kind !== 'action';
    if (others.length > 0 || !isPlain || !isBeside || (isOwn && kind !== 'update')) return undefined;
    return { ...move, last, cause: change, kind: isOwn ? 'own update' : kind };
  }

  /** Whether some looks of the kind did not move what they showed. */
  #isSometimes(alike: readonly ReadMove[], { kind, name, item, known }: ReadMove): boolean {
    if (kind !== 'read' && kind !== 'list') return false;
    const looksAt = (own: Item, from: number, to: number): readonly Step[] =>
      this.#input.steps
        .slice(from + 1, to)
        .filter((step) => (kind === 'list' ? lists(step, own) : reads(step, own)));
    const others = [...this.#input.items.all()].some((own) => {
      const other = own.place.resource === item.place.resource ? own.known.get(name) : undefined;
      if (other?.value === undefined || !jsonEqual(other.value, known.value ?? null)) return false;
      const seen = other.sightings.findLast(({ role }) => role?.kind === 'read');
      return seen !== undefined && looksAt(own, other.by.index, seen.index).length > 0;
    });
    return others || alike.some((each) => looksAt(each.item, each.known.by.index, each.by.index).length > 1);
  }

  /** Whether none of the items stayed clearly longer than it took another to move, by steps and by what these took. */
  #isOfTime(alike: readonly ReadMove[]): boolean {
    const countTime = (from: Step, to: Step): number =>
      this.#input.steps
        .slice(from.index + 1, to.index + 1)
        .reduce((sum, { judged }) => sum + judged.exchange.durationMs, 0);
    const counts = [
      { count: (from: Step, to: Step) => to.index - from.index, times: clearly.steps },
      { count: countTime, times: clearly.time },
    ];
    return counts.some(({ count, times }) => {
      const stayed = alike.map(({ known, last }) => count(known.by, last));
      const moved = alike.map(({ known, by }) => count(known.by, by));
      const shortest = Math.min(...moved);
      // What is over within a millisecond no timer has moved.
      return shortest >= 1 && Math.max(...stayed) < shortest * times;
    });
  }

  /** Takes a move of an item that this trace has made. */
  take(move: Move): void {
    const one = this.#read(move);
    if (one === undefined) return;
    this.#taken.push(one);
    const { name, known, value, kind, by, item, cause } = one;
    const ofAnyKind = this.#taken.filter(
      (each) =>
        each.name === name &&
        each.item.place.resource === item.place.resource &&
        jsonEqual(each.known.value ?? null, known.value ?? null) &&
        jsonEqual(each.value ?? null, value ?? null),
    );
    const alike = ofAnyKind.filter((each) => each.kind === kind);
    if (kind === 'nothing' || new Set(alike.map((each) => each.cause)).size < enough) return;
    const isMovedByLess = ofAnyKind.some((each) => rank(each) < rank(one));
    if (isMovedByLess || this.#isOfTime(alike) || this.#isSometimes(alike, one)) return;
    if (kind === 'read' || kind === 'list') {
      const says = [name, typeof value === 'string' ? value : ''].some((text) => ofReading.test(text));
      if (says || [by, cause].some((step) => documentSays(step, this.#input.contract, marks))) return;
    }
    const { check, ...words } = describe(one);
    this.#input.conclude(check, { of: cause, shownBy: this.#stepsOf(alike), ...words });
  }

  #stepsOf(alike: readonly ReadMove[]): readonly Step[] {
    const { items } = this.#input;
    return alike.flatMap(({ item, known, last, cause, by }) =>
      items.chainTo(
        item.place.collection,
        item.madeBy,
        known.by,
        last,
        cause,
        by,
        items.find(cause.place?.item ?? '')?.madeBy,
      ),
    );
  }
}

/** Returns the finding of a move that does not come of time. */
function describe({ name, kind, cause }: ReadMove): Omit<LifeCycleConclusion, 'of' | 'shownBy'> {
  switch (kind) {
    case 'read':
    case 'list':
      return {
        check: 'safe-method-changes',
        clause: safeMethodClause,
        expected: `/${name} as it was shown before, since nothing but reading came in between`,
        received: `another value for /${name} each time after ${kind === 'list' ? 'the item was listed' : 'it was read'}`,
        cause: `${name} changed by reading`,
      };
    case 'own update':
      return {
        check: 'merge-patch',
        level: cause.notation === 'plain' ? 'warning' : 'violation',
        clause: patchClause(cause),
        expected: `/${name} as it was, as the update did not name it`,
        received: `/${name} changed`,
        cause: `${name} changed`,
      };
    default:
      return {
        check: 'spill',
        clause: quoteDocument(cause.operation?.pointer ?? '', 'a change of one item changes no other'),
        expected: `/${name} as it was written last`,
        received: `another /${name}`,
        cause: `${name} changed`,
      };
  }
}

const lists = ({ role, place }: Step, item: Item): boolean =>
  role?.kind === 'list' && place?.collection === item.place.collection;

const reads = ({ role, place }: Step, item: Item): boolean =>
  role?.kind === 'read' && place?.item === item.name;
