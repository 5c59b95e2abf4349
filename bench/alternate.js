/**
 * Measures things side by side: each once a round, in turn, so that a slow spell of the machine hits them alike. Every
 * other round goes backwards.
 * @template T
 * @param {object} options
 * @param {number} options.rounds
 * @param {readonly string[]} options.kinds
 * @param {(kind: string) => Promise<T>} options.measure
 * @returns {Promise<Record<string, T>[]>} what each kind came to, a record for each round
 */
export async function alternate({ rounds, kinds, measure }) {
  const results = [];
  for (let round = 0; round < rounds; round += 1) {
    const result = {};
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
      process.stderr.write(`  round ${round + 1} of ${rounds}: ${kind}\n`);
      result[kind] = await measure(kind);
    }
    results.push(result);
  }
  return results;
}
