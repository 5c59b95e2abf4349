import type { StoreContent } from './store-content.ts';

/** How many resources a content holds. */
export function countContent({ collections }: StoreContent): number {
  return collections.reduce((sum, { resources }) => sum + resources.length, 0);
}
