import { createBreather } from '../create-breather.ts';
import type { KeptResource, StoreContent } from '../store/store-content.ts';
import type { Store } from '../store/store.ts';
import { describeClaim } from '../state/describe-claim.ts';
import type { ChangeReport, SetAside } from './change-report.ts';
import { changeSetAside } from './change-set-aside.ts';
import type { FitCheck } from './fit-check.ts';

const pageSize = 10_000;

/** A resource on its way out of its collection, or back. */
interface Outsider {
  readonly collection: string;
  readonly resource: KeptResource;
  readonly reason: string;
  /** Whether it was outside before. */
  readonly isOld: boolean;
  /** Whether it may have a place after all, which the others are known not to have. */
  readonly mayReturn: boolean;
}

/** Goes through many one by one, and lets requests in now and then. */
async function forEach<T>(many: readonly T[], act: (each: T) => Promise<void>): Promise<void> {
  const breathe = createBreather();
  for (const each of many) {
    await act(each);
    await breathe();
  }
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}

function toOutsiders(content: StoreContent | undefined): readonly Outsider[] {
  return (content?.collections ?? []).flatMap(({ name, resources }) =>
    resources.map((resource) => ({ collection: name, resource, reason: '', isOld: true, mayReturn: true })),
  );
}

/** Looks through a collection for what does not fit, or only under another key, and leaves it where it is. */
async function findOutsiders(input: {
  readonly store: Store;
  readonly collection: string;
  readonly check: FitCheck;
}): Promise<readonly Outsider[]> {
  const { store, collection, check } = input;
  const outsiders: Outsider[] = [];
  let page: readonly KeptResource[];
  let offset = 0;
  do {
    page = await store.list(collection, { offset, limit: pageSize });
    await forEach(page, async (resource) => {
      const fit = check(collection, resource);
      const outsider = { collection, resource, isOld: false };
      if (fit.kind === 'unfit') {
        outsiders.push({ ...outsider, reason: fit.reason, mayReturn: false });
      } else if (fit.key !== resource.key) {
        outsiders.push({ ...outsider, reason: '', mayReturn: true });
      } else if (!isSame(fit.claims, resource.claims)) {
        const outcome = await store.replace({ collection, ...resource, claims: fit.claims });
        if (outcome.kind === 'claim-taken') {
          // Whoever has it may be on its way out.
          outsiders.push({ ...outsider, reason: describeClaim(outcome.claim), mayReturn: true });
        }
      }
    });
    offset += page.length;
  } while (page.length === pageSize);
  return outsiders;
}

/** False where a client or another mock was first, to put something in its place or to take it. */
async function takeOut(store: Store, { collection, resource }: Outsider): Promise<boolean> {
  const isUnchanged = (await store.get(collection, resource.key)) === resource.text;
  return isUnchanged && store.delete(collection, resource.key);
}

/** Puts a resource back where it fits. The answer is undefined then, else it stays outside. */
async function bringBack(store: Store, check: FitCheck, outsider: Outsider): Promise<Outsider | undefined> {
  const { collection, resource } = outsider;
  const fit = check(collection, resource);
  if (fit.kind === 'unfit') {
    return { ...outsider, reason: fit.reason };
  }
  const { text } = resource;
  const outcome = await store.insertIfAbsent({ collection, key: fit.key, text, claims: fit.claims });
  switch (outcome.kind) {
    case 'stored':
      return undefined;
    case 'claim-taken':
      return { ...outsider, reason: describeClaim(outcome.claim) };
    case 'key-taken':
      // What ended between two steps of an earlier change may be in both places.
      return outcome.text === text
        ? undefined
        : { ...outsider, reason: `another resource has its key ${String(fit.key)}` };
  }
}

function toSetAside({ collection, resource, reason }: Outsider): SetAside {
  return { collection, key: String(resource.key), reason };
}

/**
 * Takes out of a store what does not fit any more, and brings back what was taken out earlier and fits again. Nothing
 * is lost at any moment: what is outside is in the snapshot `set-aside` before it leaves its collection, and of several
 * mocks that do this to one store, each takes from the snapshot only what it put there itself or brought back.
 *
 * @param input.check - judges by what the mock goes by now
 * @param input.isDecidedOtherwise - whether what fits a collection may be another than before; the others are not
 *   looked through
 */
export async function refitStore(input: {
  readonly store: Store;
  readonly check: FitCheck;
  readonly isDecidedOtherwise: (collection: string) => boolean;
}): Promise<ChangeReport> {
  const { store, check } = input;
  const names = (await store.collections()).map(({ name }) => name).filter(input.isDecidedOtherwise);
  const found: Outsider[] = [];
  for (const collection of names) {
    // Not spread into the arguments of a call: there may be more than a call can have.
    (await findOutsiders({ store, collection, check })).forEach((outsider) => found.push(outsider));
  }
  const old = toOutsiders(await changeSetAside({ store, added: found, gone: [] }));
  const taken: Outsider[] = [];
  const gone: Outsider[] = [];
  await forEach(found, async (outsider) => {
    ((await takeOut(store, outsider)) ? taken : gone).push(outsider);
  });
  const still: Outsider[] = [];
  await forEach([...old, ...taken], async (outsider) => {
    const left = outsider.mayReturn ? await bringBack(store, check, outsider) : outsider;
    if (left === undefined) {
      gone.push(outsider);
    } else {
      still.push(left);
    }
  });
  await changeSetAside({ store, added: [], gone });
  // Where a change was broken off, the next one sets the same aside again.
  const back = gone.filter(({ isOld }) => isOld);
  const broughtBack = new Set(
    back.map(({ collection, resource }) => JSON.stringify([collection, resource.key])),
  ).size;
  const total = (await store.collections()).reduce((sum, { count }) => sum + count, 0);
  return {
    kept: total - broughtBack,
    setAside: still.filter(({ isOld }) => !isOld).map(toSetAside),
    broughtBack,
  };
}
