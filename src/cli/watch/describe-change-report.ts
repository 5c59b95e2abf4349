import type { ChangeReport } from '../../mock/live/change-report.ts';
import { countResources } from '../control/count-resources.ts';

/** More resources than these nobody reads one by one. */
const mostListed = 10;

/** Says what became of the state, a line each; nothing where all of it stays. */
export function describeChangeReport({ kept, setAside, broughtBack }: ChangeReport): readonly string[] {
  const back =
    broughtBack === 0
      ? []
      : [`${countResources(broughtBack)} that did not fit before ${broughtBack === 1 ? 'is' : 'are'} back`];
  if (setAside.length === 0) {
    return back;
  }
  const listed = setAside
    .slice(0, mostListed)
    .map(({ collection, key, reason }) => `  ${collection} ${key}: ${reason}`);
  const rest = setAside.length - listed.length;
  const stay = kept === 0 ? 'none stays' : `${kept} stay${kept === 1 ? 's' : ''}`;
  const [are, they] = setAside.length === 1 ? ['is', 'it does'] : ['are', 'they do'];
  return [
    ...back,
    `${countResources(setAside.length)} no longer ${setAside.length === 1 ? 'fits' : 'fit'} and ${are} set aside until ${they}; ${stay}:`,
    ...listed,
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
  ];
}
