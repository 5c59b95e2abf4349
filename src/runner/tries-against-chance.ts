/** How seldom chance alone may have all of the tries refused. */
const chance = 1e-5;

/** So few plain bodies say little: of a store that holds one key in three, the first ones may all be taken. */
const few = 20;

/**
 * How often something that is refused has to be refused, with fresh keys, before the key is not to blame. A live
 * store may hold many of the keys that a run draws: the share of plain bodies that it refused says how many, and
 * while few were sent it is taken to hold some of them (Laplace's rule of succession).
 *
 * @param plain.sent - plain bodies under keys that the run had not sent
 * @param plain.accepted - those of them that were taken
 * @param limits - what to keep to, however many are refused
 */
export function triesAgainstChance(
  { sent, accepted }: { readonly sent: number; readonly accepted: number },
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const refused = sent - accepted;
  // Where none is ever sent, nothing has a key.
  if (sent === 0 || (refused <= 0 && sent >= few)) {
    return least;
  }
  const found = sent < few ? (refused + 1) / (sent + 2) : refused / sent;
  // Nothing taken yet says nothing of what is refused for its key.
  const share = Math.min(0.9, found);
  return Math.min(most, Math.max(least, Math.ceil(Math.log(chance) / Math.log(share))));
}
