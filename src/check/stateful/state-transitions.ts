import type { Contract } from '../../contract/contract.ts';
import { jsonEqual, type JsonValue } from '../../json/value.ts';
import type { CheckContext } from '../classify/subject.ts';
import { quoteDocument } from '../finding.ts';
import {
  type Conclude,
  type StatefulConclusion,
  patchClause,
  qualify,
  safeMethodClause,
} from './conclusions.ts';
import type { Item, Items, KnownProperty } from './items.ts';
import { statesLag } from './lag.ts';
import type { Step } from './trace-steps.ts';

/** A state transition: a flag or a state of an item was shown as written, and then with another value. */
interface Move {
  readonly item: Item;
  readonly known: KnownProperty;
  readonly name: string;
  readonly value: JsonValue | undefined;
  /** The first step that showed it. */
  readonly by: Step;
}

/** A state transition and its possible cause. */
interface ReadMove extends Move {
  /** The last step that showed the value as it was written. */
  readonly last: Step;
  /** The possible cause: the change between the two observations, or a list, or else the first observation. */
  readonly cause: Step;
  readonly kind: string;
}

/** The ratio by which one state must outlast another's transition; a busy machine shifts transitions by time. */
const clearly = { steps: 2.5, time: 1.5 };

/** The kinds from the weakest cause to the strongest: a weaker cause is enough. A change is the strongest. */
const looks = ['nothing', 'read', 'list'];
const rank = ({ kind }: ReadMove): number => (looks.includes(kind) ? looks.indexOf(kind) : looks.length);

/** The number of equal transitions that is required, as time alone is unlikely to cause so many of them. */
const enough = 3;

/** Words for states that report to the client how far an item got. */
const ofReading =
  /read|seen|view|visit|opened|access|fetch|deliver|receiv|download|consum|acknowledg|notif|fresh|\bnew\b|expire/iu;

/** Words in documents for reads that change something. */
const marks = /\bmark|as (?:read|seen|opened|delivered)\b|\bonce\b|consum|acknowledg/iu;

interface MovesInput {
  readonly steps: readonly Step[];
  readonly items: Items;
  readonly conclude: Conclude;
  readonly contract: Contract;
  readonly context: CheckContext;
}

/** Compares state transitions. Time may cause a single one, but not one after each of several similar requests. */
export class StateTransitions {
  readonly #input: MovesInput;
  readonly #taken: ReadMove[] = [];

  constructor(input: MovesInput) {
    this.#input = input;
  }

  #read(move: Move): ReadMove | undefined {
    const { item, known, by } = move;
    const last = known.occurrences.at(-1);
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
    // A patch names the properties that it changes, and the state may depend on other collections.
    const isPlain = change.outcome === 'done' && kind !== undefined && kind !== 'action';
    if (others.length > 0 || !isPlain || !isBeside || (isOwn && kind !== 'update')) return undefined;
    return { ...move, last, cause: change, kind: isOwn ? 'own update' : kind };
  }

  /** Returns whether some steps of the kind did not change the state. */
  #isSometimes(alike: readonly ReadMove[], { kind, name, item, known }: ReadMove): boolean {
    if (kind !== 'read' && kind !== 'list') return false;
    const looksAt = (own: Item, from: number, to: number): readonly Step[] =>
      this.#input.steps
        .slice(from + 1, to)
        .filter((step) => (kind === 'list' ? lists(step, own) : reads(step, own)));
    const others = [...this.#input.items.all()].some((own) => {
      const other = own.place.resource === item.place.resource ? own.known.get(name) : undefined;
      if (other?.value === undefined || !jsonEqual(other.value, known.value ?? null)) return false;
      const seen = other.occurrences.findLast(({ role }) => role?.kind === 'read');
      return seen !== undefined && looksAt(own, other.by.index, seen.index).length > 0;
    });
    return others || alike.some((each) => looksAt(each.item, each.known.by.index, each.by.index).length > 1);
  }

  /** Returns whether time may be the cause: no item stayed clearly longer than another took, in steps or duration. */
  #isOfTime(alike: readonly ReadMove[]): boolean {
    const { steps, contract, context } = this.#input;
    // If the document states a lag, the run waits between requests.
    const elapsedMs = statesLag(contract) ? context.elapsedMs : undefined;
    const countTime = (from: Step, to: Step): number =>
      elapsedMs?.(from.judged, to.judged) ??
      steps
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
      // A timer needs at least a millisecond.
      return shortest >= 1 && Math.max(...stayed) < shortest * times;
    });
  }

  /** Adds a transition of an item that this trace created. */
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
    const isByReading = kind === 'read' || kind === 'list';
    if (isByReading && [name, typeof value === 'string' ? value : ''].some((text) => ofReading.test(text)))
      return;
    const { check, ...words } = describe(one);
    this.#input.conclude(check, {
      of: cause,
      shownBy: this.#stepsOf(alike),
      ...words,
      ...(isByReading ? qualify([by, cause], this.#input.contract, marks) : {}),
    });
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

/** Returns the finding for a transition that time does not explain. */
function describe({ name, kind, cause }: ReadMove): Omit<StatefulConclusion, 'of' | 'shownBy'> {
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
