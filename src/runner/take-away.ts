import type { Contract } from '../contract/contract.ts';
import type { MadeItem } from '../session/made-items.ts';
import { runSideBySide } from '../session/throttle.ts';
import { cleaningTime, type OpenRun } from './run-context.ts';

/** Lists the collections that have a create and no operation that deletes one of their items. */
export function keptForEver({ operations }: Contract): readonly string[] {
  const of = (role: 'create' | 'delete'): ReadonlySet<string> =>
    new Set(operations.flatMap(({ kind }) => (kind.kind === role ? [kind.resource.collection] : [])));
  const deleted = of('delete');
  return [...of('create')].filter((collection) => !deleted.has(collection));
}

/** The maximum time to delete created items after a run, in milliseconds. */
const cleaningMs = { usual: 60_000, interrupted: 4_000, late: 1_000 };

/** Deletes the created items, the last first, and lists those left behind. An in-process mock needs no deletion. */
export async function takeAway(run: OpenRun, startedAt: number): Promise<void> {
  const { settings, memory, ledger, referenceService } = run;
  const { isMock, keep, signal, connections } = settings;
  if (isMock || keep || memory.isGone) return;
  const places = [{ made: memory.made, deleteItem: run.deleteItem }, referenceService ?? []].flat();
  const listMade = () =>
    places.flatMap(({ made, deleteItem }) => [...made.values()].map((item) => ({ item, made, deleteItem })));
  let allowed = signal?.aborted === true ? cleaningMs.interrupted : cleaningMs.usual;
  // The end of its time aborts pending requests like an interruption.
  if (run.isOutOfTime()) {
    const left = startedAt + settings.maxTimeMs - performance.now();
    allowed = Math.max(cleaningTime(settings), left) + cleaningMs.late;
  }
  const timeUp = AbortSignal.timeout(Math.ceil(allowed));
  const depthOf = ({ item }: { readonly item: MadeItem }): number => item.path.split('/').length;
  // Deletes that failed because of references are tried once more, one at a time.
  for (const atOnce of listMade().length === 0 ? [] : [connections, 1]) {
    await runSideBySide({
      // Nested items come before their parents.
      tasks: listMade()
        .toReversed()
        .toSorted((left, right) => depthOf(right) - depthOf(left)),
      atOnce,
      isStopped: () => timeUp.aborted,
      run: async ({ item, made, deleteItem }) => {
        if (await deleteItem(item, timeUp)) made.delete(item.path);
      },
    }).catch(() => undefined);
  }
  const left = new Map(memory.unnamed);
  for (const { item } of listMade()) {
    const { collection } = item.item.resource;
    left.set(collection, (left.get(collection) ?? 0) + 1);
  }
  const kept = new Set(keptForEver(settings.contract));
  for (const [collection, count] of left) {
    const items = `up to ${count} ${count === 1 ? 'item' : 'items'} in ${collection}`;
    let why = 'their DELETE was rejected or took too long';
    if (memory.unnamed.has(collection)) why = 'the responses that created them show no id';
    if (kept.has(collection)) why = 'no operation deletes them';
    ledger.notChecked.push({ what: 'Left behind', reason: `${items} (${why})`, isLeftBehind: true });
  }
}
