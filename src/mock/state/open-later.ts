import type { MockState } from './mock-state.ts';

/** The state of a mock, of which the parts are loaded when it is first looked into. */
export function openLater(load: () => Promise<MockState>): MockState {
  return {
    collections: async () => (await load()).collections(),
    list: async (collection, query) => (await load()).list(collection, query),
    get: async (collection, key) => (await load()).get(collection, key),
    put: async (collection, value) => (await load()).put(collection, value),
    delete: async (collection, key) => (await load()).delete(collection, key),
    export: async () => (await load()).export(),
    import: async (rows, mode) => (await load()).import(rows, mode),
    save: async (name) => (await load()).save(name),
    restore: async (name) => (await load()).restore(name),
    forget: async (name) => (await load()).forget(name),
    snapshots: async () => (await load()).snapshots(),
  };
}
