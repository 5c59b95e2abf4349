import type { VNode } from 'preact';
import type { ActiveFaultRule } from '../../../mock/faults/fault-rule.ts';
import { Shown } from '../parts/shown.tsx';
import { describeFault } from './describe-fault.ts';

/** The rules that make requests go wrong, each with a switch. */
export function FaultList({
  rules,
  onSwitch,
  onDelete,
}: {
  readonly rules: readonly ActiveFaultRule[];
  readonly onSwitch: (rule: ActiveFaultRule) => void;
  readonly onDelete: (rule: ActiveFaultRule) => void;
}): VNode {
  return (
    <ul class="rules">
      {rules.map((rule) => (
        <li key={rule.id}>
          <label>
            <input type="checkbox" role="switch" checked={rule.enabled} onChange={() => onSwitch(rule)} />
            <span>
              <Shown text={describeFault(rule)} most={400} />
              <span class="soft">
                <code>
                  <Shown text={rule.id} most={80} />
                </code>
                {`, ${rule.applied} of ${rule.seen} requests`}
              </span>
            </span>
          </label>
          <button type="button" class="small quiet" onClick={() => onDelete(rule)}>
            Delete
            <span class="unseen">
              {' '}
              <Shown text={rule.id} most={80} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
