/** How seldom chance alone may have all of the tries refused. */
const chance = 1e-5;

/**
 * How often something that is refused has to be refused, with fresh keys, before the key is not to blame. A live
 * store may hold many of the keys that a run draws: the share of plain bodies that it refused says how many.
 *
 * @param plain.sent - plain bodies under keys that the run had not sent
 * @param plain.accepted - those of them that were taken
 * @param limits - what to keep to, however many are refused
 */
export function triesAgainstChance(
  plain: { readonly sent: number; readonly accepted: number },
  { least, most }: { readonly least: number; readonly most: number },
): number {
  const refused = plain.sent - plain.accepted;
  if (refused <= 0) {
    return least;
  }
  // Nothing taken yet says nothing of what is refused for its key.
  const share = Math.min(0.9, refused / plain.sent);
  return Math.min(most, Math.max(least, Math.ceil(Math.log(chance) / Math.log(share))));
}
