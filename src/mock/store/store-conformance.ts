import { claimLaws } from './laws/claim-laws.ts';
import { contentLaws } from './laws/content-laws.ts';
import { keepingLaws } from './laws/keeping-laws.ts';
import { listingLaws } from './laws/listing-laws.ts';
import type { StoreLaw } from './store-law.ts';

/** What every kind of store must do. The tests of a kind prove each on an empty store. */
export const storeLaws: readonly StoreLaw[] = [...keepingLaws, ...claimLaws, ...listingLaws, ...contentLaws];
