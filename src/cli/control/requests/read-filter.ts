import type { ActionArguments } from '../action.ts';

const texts = ['operation', 'method', 'path', 'verdict', 'condition', 'search'];
const numbers = ['status', 'after'];

/** Which requests the options of a command mean, as the control interface takes it. */
export function readFilter({ text, whole }: ActionArguments): Readonly<Record<string, string | number>> {
  const given = [
    ...texts.map((name) => [name, text(name)] as const),
    ...numbers.map((name) => [name, whole(name)] as const),
  ];
  return Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
