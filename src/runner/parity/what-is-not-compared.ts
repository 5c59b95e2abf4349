import type { RunPlan } from '../plan-run.ts';
import type { NotChecked } from '../run-event.ts';
import { isComparable } from './is-comparable.ts';

/** The properties of a run that say nothing of whether two services answer alike. */
export function whatIsNotCompared({ properties }: RunPlan): readonly NotChecked[] {
  return properties
    .filter(({ property }) => !isComparable(property))
    .map(({ suite, property }) => ({
      what: `${suite}/${property.id}`,
      reason:
        property.sendsTogether === true
          ? 'requests side by side arrive in an order that is chance'
          : 'how an answer is framed is no part of what it says',
    }));
}
