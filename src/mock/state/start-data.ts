import type { StoreContent } from '../store/store-content.ts';
import type { Store, StoredResource } from '../store/store.ts';
import type { Collections } from './create-collections.ts';
import { type BadRow, DataError } from './data-error.ts';
import type { DataReport } from './data-report.ts';
import { describeClaim } from './describe-claim.ts';
import { layOutRows, type PlacedRow, type RowLayout } from './lay-out-rows.ts';
import type { StateRows } from './mock-state.ts';
import { nameRows } from './name-rows.ts';
import { placeOfRow } from './row-places.ts';
import { type GivenRows, toStateRows } from './to-state-rows.ts';

/** Makes rows for the collections that have none given. */
export type GenerateRows = (collections: Collections, given: StateRows) => Promise<StateRows>;

/** The data that a mock starts from. */
export interface StartData {
  /**
   * Brings it in, as far as its keys are free.
   *
   * @throws DataError which names each row that the contract does not take
   */
  readonly begin: () => Promise<DataReport>;
  /** Puts it in place of everything that is kept; rows that the contract does not take any more are left out. */
  readonly reset: () => Promise<DataReport>;
  /**
   * Checks other data.
   *
   * @throws DataError which names each row that the collections do not take
   */
  readonly check: (rows: GivenRows, collections: Collections) => Promise<void>;
  /**
   * Takes up other data: rows that changed are put, rows that are new come in where their keys are free, rows that are
   * not in it any more are taken away unless they were changed since, and everything else stays.
   *
   * @throws DataError which names each row that the contract does not take; nothing is changed then
   */
  readonly change: (rows: GivenRows) => Promise<DataReport>;
}

const nothing: DataReport = { added: 0, present: 0, replaced: 0, removed: 0, left: [], short: [] };

/** So many rows are on their way to a store at a time. */
const batch = 500;

function toLeft({ candidate }: PlacedRow, claim: string): BadRow {
  const { collection, index, row } = candidate;
  return { collection: collection.name, index, place: placeOfRow(row), reason: describeClaim(claim) };
}

function nameOf({ collection, key }: StoredResource): string {
  return `${collection}\0${typeof key}\0${key}`;
}

function byName({ placed }: RowLayout): ReadonlyMap<string, PlacedRow> {
  return new Map(placed.map((row) => [nameOf(row.stored), row]));
}

/** What rows come to, and what that follows from. */
interface Layout extends RowLayout {
  readonly rows: StateRows;
  readonly collections: Collections;
  readonly short: DataReport['short'];
}

/**
 * Prepares the data that a mock starts from.
 *
 * @param input.collections - those of the contract as it is now
 */
export function createStartData(input: {
  readonly store: Store;
  readonly collections: () => Collections;
  readonly given: GivenRows;
  readonly generate: GenerateRows | undefined;
  /** How many rows `generate` is to make for each collection. */
  readonly wanted: number;
}): StartData {
  const { store, collections, generate, wanted } = input;
  let { given } = input;
  let last: Layout | undefined;

  /** What rows come to; tests go back to their data again and again. */
  async function layOut(rows: GivenRows, known = collections()): Promise<Layout> {
    if (last?.rows === rows && last.collections === known) {
      return last;
    }
    const named = toStateRows(rows, known);
    const made = generate === undefined ? {} : await generate(known, named);
    const layout = await layOutRows({ rows: { ...named, ...made }, collections: known });
    const short = Object.entries(made)
      .filter(([, rowsMade]) => rowsMade.length < wanted)
      .map(([collection, rowsMade]) => ({ collection, made: rowsMade.length, wanted }));
    last = { ...layout, rows: named, collections: known, short };
    return last;
  }

  async function layOutWhole(rows: GivenRows, known = collections()): Promise<Layout> {
    const layout = await layOut(rows, known);
    if (layout.bad.length > 0) {
      throw new DataError({ subject: nameRows(layout.rows), rows: layout.bad });
    }
    return layout;
  }

  /** Others may start, or create, at the same moment: what they keep stays. */
  async function insertAbsent(
    placed: readonly PlacedRow[],
  ): Promise<Pick<DataReport, 'added' | 'present' | 'left'>> {
    const left: BadRow[] = [];
    let added = 0;
    for (let start = 0; start < placed.length; start += batch) {
      const rows = placed.slice(start, start + batch);
      const outcomes = await Promise.all(rows.map(async ({ stored }) => store.insertIfAbsent(stored)));
      for (const [index, row] of rows.entries()) {
        const outcome = outcomes[index];
        added += outcome?.kind === 'stored' ? 1 : 0;
        if (outcome?.kind === 'claim-taken') {
          left.push(toLeft(row, outcome.claim));
        }
      }
    }
    return { added, present: placed.length - added - left.length, left };
  }

  /** A create would try each number that a row has, else. */
  async function passNumbers({ collections: kept }: StoreContent): Promise<void> {
    for (const { name, lastNumber } of kept) {
      if (lastNumber > 0) {
        await store.passNumber(name, lastNumber);
      }
    }
  }

  /** Takes away what is as it was; what was changed since is somebody's. */
  async function remove(rows: Iterable<PlacedRow>): Promise<number> {
    let removed = 0;
    for (const { stored } of rows) {
      const { collection, key, text } = stored;
      const isUnchanged = (await store.get(collection, key)) === text;
      removed += isUnchanged && (await store.delete(collection, key)) ? 1 : 0;
    }
    return removed;
  }

  async function put(rows: readonly PlacedRow[]): Promise<Pick<DataReport, 'added' | 'replaced' | 'left'>> {
    let added = 0;
    let replaced = 0;
    let waiting = rows;
    for (;;) {
      const left: BadRow[] = [];
      const refused: PlacedRow[] = [];
      for (const row of waiting) {
        const { collection, key } = row.stored;
        const isThere = (await store.get(collection, key)) !== undefined;
        const outcome = await store.replace(row.stored);
        if (outcome.kind === 'claim-taken') {
          left.push(toLeft(row, outcome.claim));
          refused.push(row);
        } else if (isThere) {
          replaced += 1;
        } else {
          added += 1;
        }
      }
      // A unique value may have been that of a row which has another one now.
      if (refused.length === 0 || refused.length === waiting.length) {
        return { added, replaced, left };
      }
      waiting = refused;
    }
  }

  return {
    async begin() {
      const { placed, content, rows, short } = await layOutWhole(given);
      // Rows alone belong to one collection for good, whatever collections there will be.
      given = rows;
      // Whatever others keep at the same moment stays.
      if (await store.loadIfEmpty(content)) {
        return { ...nothing, added: placed.length, short };
      }
      const outcome = await insertAbsent(placed);
      await passNumbers(content);
      return { ...nothing, ...outcome, short };
    },
    async reset() {
      const { placed, content, bad, short } = await layOut(given);
      await store.load(content);
      return { ...nothing, added: placed.length, left: bad, short };
    },
    async check(rows, known) {
      await layOutWhole(rows, known);
    },
    async change(rows) {
      const next = await layOutWhole(rows);
      const was = byName(await layOut(given));
      const is = byName(next);
      const gone = [...was].filter(([name]) => !is.has(name)).map(([, row]) => row);
      const changed = [...is].filter(([name, { stored }]) => {
        const former = was.get(name);
        return former !== undefined && former.stored.text !== stored.text;
      });
      const news = [...is].filter(([name]) => !was.has(name)).map(([, row]) => row);
      const removed = await remove(gone);
      const outcome = await put(changed.map(([, row]) => row));
      const inserted = await insertAbsent(news);
      await passNumbers(next.content);
      // Not before: where the store fails on the way, the same data brings the rest.
      given = next.rows;
      return {
        removed,
        replaced: outcome.replaced,
        added: outcome.added + inserted.added,
        present: is.size - changed.length - news.length + inserted.present,
        left: [...outcome.left, ...inserted.left],
        short: next.short,
      };
    },
  };
}
