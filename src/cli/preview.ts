import type { Operation } from '../contract/contract.ts';
import { planSuites } from '../runner/run.ts';
import type { Suite } from '../runner/suite.ts';
import type { RunOptions, RunTarget } from '../session/target.ts';
import { plural } from '../report/format.ts';

/** What a run would do. */
export interface Preview {
  readonly suites: readonly Suite[];
  readonly target: RunTarget;
  readonly options: RunOptions;
  /** Whether to list the properties too. */
  readonly properties: boolean;
}

function listOperations(operations: readonly Operation[]): readonly string[] {
  const rows = operations.map(({ id, method, path }) => {
    const name = `${method} ${path.template}`;
    return { name, id: id === name ? '' : id };
  });
  const width = Math.max(0, ...rows.map(({ name }) => name.length));
  return rows.map(({ name, id }) => `  ${name.padEnd(width)}  ${id}`.trimEnd());
}

/**
 * Describes what a run would test, without sending a request: the operations, those that are left out with the reason,
 * and the number of cases.
 *
 * @throws ClocheError OPTION_INVALID if there is nothing to test
 */
export function renderPreview({ suites, target, options, properties }: Preview): readonly string[] {
  const { targets, plan } = planSuites(suites, target, options);
  const { title, version, operations } = target.contract;
  const left = plan.notChecked.filter(({ notApplicable }) => notApplicable !== true);
  const lines = plan.properties.map(({ suite, property }) => `  ${suite}/${property.id}: ${property.title}`);
  const { cases } = plan;
  const { shard, maxCreates = Infinity, readOnly = false } = options;
  const creates = Math.min(plan.creates, maxCreates);
  const made = readOnly ? '' : `; may create up to ${plural(creates, 'item')}`;
  const part = shard === undefined ? '' : `Shard ${shard.index}/${shard.total}: `;
  // The id of a property starts with that of its operation.
  const ofShard = new Set(plan.properties.map(({ property }) => property.id.replace(/\.[^.]*$/u, '')));
  const shown = shard === undefined ? targets : targets.filter(({ id }) => ofShard.has(id));
  return [
    `${part}${title} ${version}: ${shown.length} of ${plural(operations.length, 'operation')}`,
    ...listOperations(shown),
    ...(left.length === 0
      ? []
      : ['', 'Not tested:', ...left.map(({ what, reason }) => `  ${what}: ${reason}`)]),
    ...(properties ? ['', 'Properties:', ...lines] : []),
    '',
    `Up to ${plural(plan.properties.length, 'property', 'properties')}, ${plural(cases, 'case')}${made}. Nothing was sent.`,
  ];
}
