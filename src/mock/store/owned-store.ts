import { whenThere } from '../message.ts';
import { cutPage } from './insertion-order.ts';
import { type Store, type StoredResource, type StoreKey, toKeyText } from './store.ts';

/** The user of a request: a fingerprint of the credential for each security scheme; empty if there are none. */
export type Owner = readonly (readonly [scheme: string, fingerprint: string])[];

/** The beginning of the claim with the owner of a resource. Unlike others, it contains no NUL: see StoredForm. */
const ofOwner = 'owner ';

const isOwnerClaim = (claim: string): boolean => claim.startsWith(ofOwner) && !claim.includes('\0');

/** Returns the claim with the owner of a resource. The key makes it unique. */
function toOwnerClaims(owner: Owner, key: StoreKey): readonly string[] {
  return owner.length === 0 ? [] : [ofOwner + JSON.stringify([toKeyText(key), owner])];
}

function readOwner(claims: readonly string[]): Owner {
  const claim = claims.find(isOwnerClaim);
  // `as`: toOwnerClaims wrote it.
  return claim === undefined ? [] : (JSON.parse(claim.slice(ofOwner.length)) as [string, Owner])[1];
}

/** Returns the claim with the owner of a resource for its new key; none if the resource belongs to everybody. */
export function moveOwner(claims: readonly string[], key: StoreKey): readonly string[] {
  return toOwnerClaims(readOwner(claims), key);
}

/** Returns whether a resource belongs to another user: one whose credential for the same scheme differs. */
export function isOfAnother(claims: readonly string[], user: Owner): boolean {
  const owner = new Map(readOwner(claims));
  return user.some(([scheme, own]) => (owner.get(scheme) ?? own) !== own);
}

/**
 * Returns the view that a user has of a store: without the resources of other users. Stored resources keep their owner.
 *
 * A list reads its whole collection.
 *
 * @param owns - whether created resources belong to the user; otherwise they belong to everybody
 */
export function createOwnedStore(store: Store, user: Owner, owns: boolean): Store {
  const own = (resource: StoredResource): StoredResource =>
    owns ? { ...resource, claims: [...resource.claims, ...toOwnerClaims(user, resource.key)] } : resource;
  const listOwn: Store['list'] = (collection, page) => {
    const { order = 'ascending' } = page;
    return whenThere(store.list(collection, { limit: Number.MAX_SAFE_INTEGER, offset: 0, order }), (all) =>
      cutPage(
        all.filter(({ claims }) => !isOfAnother(claims, user)),
        page,
      ),
    );
  };
  return {
    ...store,
    insertIfAbsent: (resource) => store.insertIfAbsent(own(resource)),
    replace: (resource) => store.replace(own(resource)),
    swap: (resource, was) =>
      whenThere(store.claims(resource.collection, resource.key), (claims) =>
        store.swap({ ...resource, claims: [...resource.claims, ...moveOwner(claims, resource.key)] }, was),
      ),
    get: (collection, key) =>
      whenThere(store.claims(collection, key), (claims) =>
        isOfAnother(claims, user) ? undefined : store.get(collection, key),
      ),
    list: listOwn,
    count: (collection) =>
      whenThere(listOwn(collection, { limit: Infinity, offset: 0 }), (all) => all.length),
  };
}
