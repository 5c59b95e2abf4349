import { ClocheError } from '../errors/cloche-error.ts';
import type { NotChecked, PropertyResult, RunOptions } from './events.ts';
import type { Property, SuiteInput } from './suite.ts';

/**
 * How many cases of a property a run tries.
 *
 * @param runs - how many it tries of a property whose cases count for one each
 */
export function countCases({ examples, arbitrary, countsAs = 1 }: Property, runs: number): number {
  if (arbitrary === undefined) return examples.length;
  return countsAs === 1 ? runs : Math.max(examples.length, Math.ceil(runs / countsAs));
}

/** A property and the suite that it belongs to. */
export interface PlannedProperty {
  readonly suite: string;
  readonly property: Property;
  /** Where a replay starts. */
  readonly path: string | undefined;
  readonly turn: 'beside-others' | 'last';
}

/** What a run will do. */
export interface RunPlan {
  readonly properties: readonly PlannedProperty[];
  readonly notChecked: readonly NotChecked[];
}

const noConnection =
  'in process no answer travels over a connection; name the base URL of a service to have it checked';

const pathForm = /^([^/]+)\/(.+?):(\d+(?::\d+)*)$/u;

function pickReplayed(properties: readonly PlannedProperty[], path: string): readonly PlannedProperty[] {
  const [, suite, id, inside] = pathForm.exec(path) ?? [];
  const planned = properties.find((entry) => entry.suite === suite && entry.property.id === id);
  if (planned === undefined) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'replay',
      subject: path,
      reason: 'no suite of this contract has such a property',
      remedy: 'Give --path as a finding printed it, with the same document and suites',
    });
  }
  return [{ ...planned, path: inside }];
}

/** What suites are to try for the sake of a policy; where two services are compared, what else would not be tried. */
function whatIsTold({ policy, told, against }: RunOptions): Pick<SuiteInput, 'policy' | 'told'> {
  return { policy, told: against === undefined ? told : new Set([...told, 'auth-order' as const]) };
}

/**
 * Asks each suite what it has to try on the contract.
 *
 * @throws ClocheError OPTION_INVALID where `path` names no property
 */
export function planRun(options: RunOptions): RunPlan {
  const { suites, contract, unsafeMethods, path, socketSend } = options;
  const properties: PlannedProperty[] = [];
  const notChecked: NotChecked[] = [];
  for (const suite of suites) {
    const plan = suite.plan({ contract, unsafeMethods, ...whatIsTold(options) });
    if (plan.kind === 'not-applicable') {
      notChecked.push({ what: suite.title, reason: plan.reason, notApplicable: true });
      continue;
    }
    const possible = plan.properties.filter(({ via }) => via !== 'socket' || socketSend !== undefined);
    if (possible.length < plan.properties.length) {
      notChecked.push({ what: suite.title, reason: noConnection });
    }
    for (const property of possible) {
      const { turn = 'beside-others' } = property;
      properties.push({ suite: suite.id, property, path: undefined, turn });
    }
  }
  return { properties: path === undefined ? properties : pickReplayed(properties, path), notChecked };
}

/** Why a run did not look at everything that it can look at; undefined where it did. */
export function whyPartial(
  { path, baseline, signal }: Pick<RunOptions, 'path' | 'baseline' | 'signal'>,
  run: { readonly isStopped: boolean; readonly properties: readonly PropertyResult[] },
): string | undefined {
  if (path !== undefined) return 'one case alone was run';
  if (signal?.aborted === true) return 'the run was interrupted';
  if (run.isStopped) return 'the run stopped before its end';
  const givenUp = run.properties.find(({ verdict }) => verdict === 'given-up');
  return givenUp === undefined ? baseline?.partly : `${givenUp.suite}/${givenUp.property} was given up`;
}
