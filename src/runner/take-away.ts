import type { Contract } from '../contract/contract.ts';
import { withoutOperations } from '../contract/selection.ts';
import type { NotChecked } from '../events/events.ts';
import { deleteItems } from '../session/clean-up.ts';
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

/** Returns the created items of both services with the functions of their service. */
function listMade({ memory, cleanUp, referenceService }: OpenRun) {
  const own = { made: memory.made, cleanUp };
  return [own, referenceService ?? []]
    .flat()
    .flatMap((place) => [...place.made.values()].map((item) => ({ item, place, isOwn: place === own })));
}

/** Returns the signal that ends the cleaning after a run. */
function cleaningSignal(run: OpenRun, startedAt: number): AbortSignal {
  const { settings } = run;
  let allowed = settings.signal?.aborted === true ? cleaningMs.interrupted : cleaningMs.usual;
  // The end of its time aborts pending requests like an interruption.
  if (run.isOutOfTime()) {
    const left = startedAt + settings.maxTimeMs - performance.now();
    allowed = Math.max(cleaningTime(settings), left) + cleaningMs.late;
  }
  return AbortSignal.timeout(Math.ceil(allowed));
}

/**
 * Puts back the changed singletons, deletes the created items, and lists what is left behind. An in-process mock needs no
 * deletion.
 */
export async function takeAway(run: OpenRun, startedAt: number): Promise<void> {
  const { settings, memory, ledger } = run;
  const timeUp = cleaningSignal(run, startedAt);
  for (const service of [run, run.referenceService ?? []].flat()) {
    for (const { path, reason } of await service.cleanUp.putBack(timeUp)) {
      ledger.notChecked.push({
        what: 'Left behind',
        reason: `${path} as this run changed it (${reason})`,
        isLeftBehind: true,
      });
    }
  }
  if (settings.isMock || settings.keep) return;
  if (!memory.isGone) {
    await deleteItems({
      list: () => listMade(run),
      remove: ({ item, place }) => place.cleanUp.deleteItem(item, timeUp),
      atOnce: settings.connections,
      signal: timeUp,
    });
  }
  const counts = new Map(memory.unnamed);
  const kept = new Set(keptForEver(withoutOperations(settings.contract, settings.excluded)));
  const failed = memory.isGone
    ? 'the service stopped answering before they were deleted'
    : 'their DELETE was rejected or took too long';
  for (const { item, place, isOwn } of listMade(run)) {
    const { collection } = item.item.resource;
    counts.set(collection, (counts.get(collection) ?? 0) + 1);
    const request = await place.cleanUp.renderDelete(item);
    const reason = request === undefined ? noDelete : failed;
    const { path } = item;
    run.left.push({ path, collection, reason, request, ...(isOwn ? {} : { isElsewhere: true }) });
  }
  for (const [collection, count] of counts) {
    let why = failed;
    if (memory.unnamed.has(collection)) why = 'the responses that created them show no id';
    if (kept.has(collection)) why = noDelete;
    ledger.notChecked.push(leftBehind(`${collection} (${why})`, count));
  }
}

/** Returns the entry about items that stay in the service. `place` is their collection, and why in parentheses. */
export function leftBehind(place: string, count: number): NotChecked {
  const items = `up to ${count} ${count === 1 ? 'item' : 'items'}`;
  return { what: 'Left behind', reason: `${items} in ${place}`, isLeftBehind: true };
}

const noDelete = 'no operation deletes them';
