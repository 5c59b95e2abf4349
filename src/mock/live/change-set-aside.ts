import type { KeptResource, StoreContent } from '../store/store-content.ts';
import type { Store } from '../store/store.ts';
import { setAsideName } from './set-aside-name.ts';

/** A resource of a collection. */
interface Placed {
  readonly collection: string;
  readonly resource: KeptResource;
}

function nameOf({ collection, resource: { key, text } }: Placed): string {
  return `${collection}\0${typeof key}\0${key}\0${text}`;
}

function toPlaced(content: StoreContent | undefined): readonly Placed[] {
  return (content?.collections ?? []).flatMap(({ name, resources }) =>
    resources.map((resource) => ({ collection: name, resource })),
  );
}

function toContent(many: readonly Placed[]): StoreContent | undefined {
  const byCollection = new Map<string, KeptResource[]>();
  for (const { collection, resource } of many) {
    const resources = byCollection.get(collection) ?? [];
    resources.push(resource);
    byCollection.set(collection, resources);
  }
  const collections = [...byCollection].map(([name, resources]) => ({ name, lastNumber: 0, resources }));
  return collections.length === 0 ? undefined : { collections };
}

/** As often as each is gone: another mock may have set the same aside. */
function without(many: readonly Placed[], gone: readonly Placed[]): readonly Placed[] {
  const left = new Map<string, number>();
  for (const one of gone) {
    left.set(nameOf(one), (left.get(nameOf(one)) ?? 0) + 1);
  }
  return many.filter((one) => {
    const count = left.get(nameOf(one)) ?? 0;
    left.set(nameOf(one), count - 1);
    return count <= 0;
  });
}

/**
 * Changes which resources are set aside. Other mocks on the same store may do so at the same moment: what each adds is
 * there then, and only what it says is gone is gone.
 *
 * @returns what was set aside before
 */
export async function changeSetAside(input: {
  readonly store: Store;
  readonly added: readonly Placed[];
  readonly gone: readonly Placed[];
}): Promise<StoreContent | undefined> {
  const { store, added, gone } = input;
  for (;;) {
    const was = await store.readSnapshot(setAsideName);
    const isSame = added.length === 0 && gone.length === 0;
    const is = isSame ? was : toContent([...without(toPlaced(was), gone), ...added]);
    if (isSame || (await store.swapSnapshot({ name: setAsideName, was, is }))) {
      return was;
    }
  }
}
