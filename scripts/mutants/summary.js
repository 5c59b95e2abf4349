/**
 * @typedef {object} Outcome
 * @property {string} id
 * @property {string} group
 * @property {string} condition
 * @property {'grid' | 'source' | 'choice'} kind
 * @property {string} form
 * @property {'equivalent' | 'allowed' | 'echo' | 'fault' | 'unproven'} class
 * @property {string} [proof] - The client check that fails.
 * @property {boolean} [found] - Whether the run failed.
 * @property {string} [check] - The first violation.
 * @property {number} [seen] - The requests until a case shows the first violation.
 * @property {number} [requests] - Those of the run, which ends when that violation is reported.
 * @property {number} [seconds]
 */

/**
 * Prints the kill rate by form, condition and group, and what it took.
 * @param {readonly Outcome[]} outcomes
 */
export function printSummary(outcomes) {
  const faults = outcomes.filter((outcome) => outcome.class === 'fault');
  const honest = outcomes.filter((outcome) => outcome.class === 'allowed');
  const counted = (/** @type {Outcome['class']} */ name) =>
    outcomes.filter((outcome) => outcome.class === name).length;
  const killed = faults.filter(({ found }) => found);
  const lines = [
    '',
    ...toTable('form', faults, ({ form }) => form),
    ...toTable('condition', faults, ({ condition }) => condition),
    ...toTable('kind', faults, ({ kind }) => kind),
    ...toTable('group', faults, ({ group }) => group),
    ...toTable('check that found it', killed, ({ check }) => check ?? ''),
    `Faults found: ${killed.length} of ${faults.length} (${percent(killed.length, faults.length)}).`,
    `Honest services accused: ${honest.filter(({ found }) => found).length} of ${honest.length}.`,
    `Left out: ${counted('equivalent')} equivalent, ${counted('echo')} of policy echo, ${counted('unproven')} that no client check proves.`,
    `Requests until a fault shows: median ${quantile(killed, 0.5, 'seen')}, p95 ${quantile(killed, 0.95, 'seen')}.`,
    `Requests to the first finding: median ${quantile(killed, 0.5, 'requests')}, p95 ${quantile(killed, 0.95, 'requests')}.`,
    `Seconds to the first finding: median ${quantile(killed, 0.5, 'seconds')}, p95 ${quantile(killed, 0.95, 'seconds')}.`,
    '',
  ];
  process.stdout.write(lines.join('\n'));
}

/**
 * @param {string} title
 * @param {readonly Outcome[]} outcomes
 * @param {(outcome: Outcome) => string} nameOf
 */
function toTable(title, outcomes, nameOf) {
  const groups = [...groupBy(outcomes, nameOf)];
  const rows = groups.map(([name, all]) => {
    const found = all.filter((outcome) => outcome.found).length;
    return `  ${name.padEnd(52)} ${String(found).padStart(4)} of ${String(all.length).padStart(4)}  ${percent(found, all.length)}`;
  });
  return [`By ${title}:`, ...rows.toSorted(), ''];
}

/**
 * @param {readonly Outcome[]} outcomes
 * @param {(outcome: Outcome) => string} nameOf
 */
function groupBy(outcomes, nameOf) {
  /** @type {Map<string, Outcome[]>} */
  const groups = new Map();
  for (const outcome of outcomes) {
    const name = nameOf(outcome);
    groups.set(name, [...(groups.get(name) ?? []), outcome]);
  }
  return groups;
}

/**
 * @param {number} part
 * @param {number} whole
 */
function percent(part, whole) {
  return whole === 0 ? 'none' : `${((100 * part) / whole).toFixed(0)} %`;
}

/**
 * @param {readonly Outcome[]} outcomes
 * @param {number} share
 * @param {'seen' | 'requests' | 'seconds'} figure
 */
function quantile(outcomes, share, figure) {
  const sorted = outcomes.map((outcome) => outcome[figure] ?? 0).toSorted((left, right) => left - right);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return figure === 'requests' ? String(value) : value.toFixed(1);
}
