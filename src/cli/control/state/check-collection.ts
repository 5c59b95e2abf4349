import { ClocheError } from '../../../errors/cloche-error.ts';

/**
 * Checks the name of a collection.
 *
 * @throws ClocheError OPTION_INVALID where it is no path
 */
export function checkCollection(collection: string): string {
  if (collection.startsWith('/')) {
    return collection;
  }
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'read the collection',
    subject: collection,
    reason: 'a collection is named by its path, which begins with a slash',
    remedy:
      'cloche state names the collections that there are, and cloche state --help what can be done with them',
  });
}
