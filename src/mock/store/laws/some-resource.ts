import type { StoredResource } from '../store.ts';

/** A resource for the laws of stores: of `/orders`, under the key "1", without a claim. */
export function someResource(changes: Partial<StoredResource> = {}): StoredResource {
  return { collection: '/orders', key: '1', text: '{"id":1,"note":"first"}', claims: [], ...changes };
}
