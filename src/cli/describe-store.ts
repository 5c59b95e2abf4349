import type { StorePlace } from '../mock/store/store-place.ts';
import { countResources } from './control/count-resources.ts';

/** A sentence on where the state of a mock is kept, where that is not the memory of the process. */
export function describeStore({ kind, place, found }: StorePlace): readonly string[] {
  if (kind === 'memory') {
    return [];
  }
  const held = found === 0 ? 'nothing yet' : countResources(found);
  return [`The state is kept in ${place}, which held ${held}.`];
}
