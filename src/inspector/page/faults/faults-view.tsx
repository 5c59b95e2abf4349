import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { JsonValue } from '../../../json/json-value.ts';
import type { ActiveFaultRule, FaultRule } from '../../../mock/faults/fault-rule.ts';
import { askControl } from '../control/ask-control.ts';
import type { Asked } from '../control/asked.ts';
import type { Service } from '../control/service.ts';
import { useAnswer } from '../control/use-answer.ts';
import { Problem } from '../parts/problem.tsx';
import { FaultForm } from './fault-form.tsx';
import { FaultList } from './fault-list.tsx';
import { faultPresets } from './fault-presets.ts';

/** A rule as it was given, without what the mock counted. */
function toBody(active: ActiveFaultRule): { readonly value: JsonValue } {
  const { seen: _seen, applied: _applied, ...rule } = active;
  // `as`: a rule came as JSON, and is made of nothing else.
  return { value: rule as unknown as JsonValue };
}

/** What goes wrong on purpose. */
export function FaultsView({
  beat,
  service,
}: {
  readonly beat: number;
  readonly service: Service | undefined;
}): VNode {
  const { value, problem, reload } = useAnswer<{ readonly faults: readonly ActiveFaultRule[] }>(
    'faults',
    beat,
  );
  const [failure, setFailure] = useState<string>();
  const rules = value?.faults ?? [];
  function follow(asked: Asked<unknown>): void {
    setFailure(asked.ok ? undefined : asked.message);
    reload();
  }
  async function add(rule: FaultRule): Promise<void> {
    // `as`: as above.
    const body = { value: rule as unknown as JsonValue };
    follow(await askControl('faults', { method: 'POST', body }));
  }
  async function change(rule: ActiveFaultRule): Promise<void> {
    const path = `faults/${encodeURIComponent(rule.id)}`;
    follow(await askControl(path, { method: 'PUT', body: toBody({ ...rule, enabled: !rule.enabled }) }));
  }
  async function remove({ id }: ActiveFaultRule): Promise<void> {
    follow(await askControl(`faults/${encodeURIComponent(id)}`, { method: 'DELETE' }));
  }
  async function clear(): Promise<void> {
    follow(await askControl('faults', { method: 'DELETE' }));
  }
  const told = failure ?? problem;
  return (
    <div class="faults">
      <div class="bar">
        <h2>What goes wrong on purpose</h2>
        {rules.length > 0 && (
          <button type="button" class="end" onClick={clear}>
            Delete all
          </button>
        )}
      </div>
      {told !== undefined && <Problem>{told}</Problem>}
      {rules.length === 0 ? (
        <p class="empty">Nothing: every request gets the answer that is right for it.</p>
      ) : (
        <FaultList rules={rules} onSwitch={change} onDelete={remove} />
      )}
      <div class="adding">
        <section aria-labelledby="presets">
          <h3 id="presets">Ready-made</h3>
          <div class="presets">
            {faultPresets.map(({ label, rule }) => (
              <button type="button" onClick={() => add(rule)}>
                {label}
              </button>
            ))}
          </div>
        </section>
        <FaultForm service={service} onAdd={add} />
      </div>
    </div>
  );
}
