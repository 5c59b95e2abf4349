import type { KeptCollection } from '../store-content.ts';
import type { StoredResource, StoreKey, StoreOutcome } from '../store.ts';

/** The resources of one collection, in memory. */
export interface MemoryCollection {
  /** The texts of the resources, in the order in which they came. */
  readonly resources: Map<StoreKey, string>;
  /** The claims of each resource that has any. */
  readonly claims: Map<StoreKey, readonly string[]>;
  /** The key of the resource that holds a claim. */
  readonly holders: Map<string, StoreKey>;
  lastNumber: number;
}

const stored: StoreOutcome = { kind: 'stored' };

/** Makes a collection that holds nothing. */
export function createMemoryCollection(): MemoryCollection {
  return { resources: new Map(), claims: new Map(), holders: new Map(), lastNumber: 0 };
}

function findTakenClaim(
  { holders }: MemoryCollection,
  { key, claims }: Omit<StoredResource, 'collection'>,
): string | undefined {
  return claims.find((claim) => {
    const holder = holders.get(claim);
    return holder !== undefined && holder !== key;
  });
}

function releaseClaims({ claims, holders }: MemoryCollection, key: StoreKey): void {
  for (const claim of claims.get(key) ?? []) {
    holders.delete(claim);
  }
  claims.delete(key);
}

/** Keeps a resource in place of the one with its key, unless another holds one of its claims. */
export function keep(
  collection: MemoryCollection,
  resource: Omit<StoredResource, 'collection'>,
): StoreOutcome {
  const { key, text, claims } = resource;
  if (claims.length > 0 || collection.claims.size > 0) {
    const claim = findTakenClaim(collection, resource);
    if (claim !== undefined) {
      return { kind: 'claim-taken', claim };
    }
    releaseClaims(collection, key);
    if (claims.length > 0) {
      collection.claims.set(key, claims);
    }
    for (const each of claims) {
      collection.holders.set(each, key);
    }
  }
  collection.resources.set(key, text);
  return stored;
}

/** Forgets a resource and its claims; false where there was none. */
export function forget(collection: MemoryCollection, key: StoreKey): boolean {
  if (collection.claims.size > 0) {
    releaseClaims(collection, key);
  }
  return collection.resources.delete(key);
}

/** Lists what a collection keeps, under a name. */
export function toKept(name: string, { resources, claims, lastNumber }: MemoryCollection): KeptCollection {
  return {
    name,
    lastNumber,
    resources: [...resources].map(([key, text]) => ({ key, text, claims: claims.get(key) ?? [] })),
  };
}
