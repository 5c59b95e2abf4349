import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { FaultRule } from '../../../mock/faults/fault-rule.ts';
import type { Service } from '../control/service.ts';
import { type FaultDraft, type FaultKind, toRule } from './fault-draft.ts';
import { NumberField } from './number-field.tsx';

const kinds: readonly { readonly kind: FaultKind; readonly label: string }[] = [
  { kind: 'answer', label: 'gets a status' },
  { kind: 'rate-limit', label: 'gets 429, too many requests' },
  { kind: 'delay', label: 'waits' },
  { kind: 'drop', label: 'loses its connection' },
  { kind: 'truncate', label: 'gets half a body' },
];

const empty: FaultDraft = {
  kind: 'answer',
  operation: '',
  status: '500',
  retryAfter: '1',
  from: '500',
  to: '',
  times: '',
  share: '',
};

/** Fills in a rule. */
export function FaultForm({
  service,
  onAdd,
}: {
  readonly service: Service | undefined;
  readonly onAdd: (rule: FaultRule) => Promise<void>;
}): VNode {
  const [draft, setDraft] = useState(empty);
  const { kind } = draft;
  const change = (part: Partial<FaultDraft>): void => setDraft((before) => ({ ...before, ...part }));
  return (
    <form
      class="rule-form"
      onSubmit={async (event) => {
        event.preventDefault();
        await onAdd(toRule(draft));
      }}
    >
      <h3>Add a rule</h3>
      <label>
        Which requests
        <select
          value={draft.operation}
          onChange={({ currentTarget }) => change({ operation: currentTarget.value })}
        >
          <option value="">Every request</option>
          {service?.operations.map(({ id, method, path }) => (
            <option value={id}>
              {method.toUpperCase()} {path}
            </option>
          ))}
        </select>
      </label>
      <label>
        What happens
        <select
          value={kind}
          onChange={({ currentTarget }) => {
            const chosen = kinds.find((each) => each.kind === currentTarget.value);
            change({ kind: chosen?.kind ?? 'answer' });
          }}
        >
          {kinds.map((each) => (
            <option value={each.kind}>{each.label}</option>
          ))}
        </select>
      </label>
      {kind === 'answer' && (
        <NumberField
          label="Status"
          value={draft.status}
          from={200}
          to={599}
          required
          onInput={(status) => change({ status })}
        />
      )}
      {kind === 'rate-limit' && (
        <NumberField
          label="Retry-After (s)"
          value={draft.retryAfter}
          from={0}
          to={86_400}
          required
          onInput={(retryAfter) => change({ retryAfter })}
        />
      )}
      {kind === 'delay' && (
        <>
          <NumberField
            label="From (ms)"
            value={draft.from}
            from={0}
            to={600_000}
            required
            onInput={(from) => change({ from })}
          />
          <NumberField
            label="To (ms)"
            value={draft.to}
            from={Number(draft.from)}
            to={600_000}
            onInput={(to) => change({ to })}
          />
        </>
      )}
      <NumberField
        label="Only the next"
        value={draft.times}
        from={1}
        to={1_000_000}
        hint="all"
        onInput={(times) => change({ times })}
      />
      <NumberField
        label="Share (%)"
        value={draft.share}
        from={0}
        to={100}
        hint="100"
        step="any"
        onInput={(share) => change({ share })}
      />
      <button type="submit" class="primary">
        Add
      </button>
    </form>
  );
}
