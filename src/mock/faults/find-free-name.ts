/** The first name of fault-1, fault-2 … that no rule has. */
export function findFreeName(used: ReadonlySet<string>): string {
  let number = 1;
  while (used.has(`fault-${number}`)) {
    number += 1;
  }
  return `fault-${number}`;
}
