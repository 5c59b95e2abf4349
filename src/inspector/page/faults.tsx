import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { ActiveFaultRule, Fault, FaultRule } from '../../mock/faults/fault.ts';
import { useChanges } from './control.ts';
import { Code, Form, Options, Problem, QuietButton, Shown, type ViewProps } from './parts.tsx';

function describeFor({ method, path, operation }: FaultRule): string {
  const place = [method?.toUpperCase(), path].filter((part) => part !== undefined).join(' ');
  const parts = [operation, place === '' ? undefined : place].filter((part) => part !== undefined);
  return parts.length === 0 ? 'Every request' : parts.join(', ');
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toLocaleString('en')} s`;
}

function describeWhat({ delay, answer, connection }: FaultRule): readonly string[] {
  const [from, to] = typeof delay === 'number' ? [delay, delay] : (delay ?? []);
  return [
    from === undefined || to === undefined
      ? undefined
      : `waits ${seconds(from)}${from === to ? '' : ` to ${seconds(to)}`}`,
    answer === undefined
      ? undefined
      : `gets ${answer.status}${answer.retryAfter === undefined ? '' : `, Retry-After ${answer.retryAfter}`}`,
    connection === 'drop' ? 'loses its connection' : undefined,
    connection === 'truncate' ? 'gets half a body' : undefined,
  ].filter((part) => part !== undefined);
}

/** Describes a rule in a few words: `Every request gets 503, 20 % of the time, the next 3`. */
export function describeFault(rule: FaultRule): string {
  const { share = 1, times } = rule;
  return [
    `${describeFor(rule)} ${describeWhat(rule).join(', ')}`,
    share === 1 ? undefined : `${(share * 100).toLocaleString('en', { maximumFractionDigits: 1 })} % of them`,
    times === undefined ? undefined : `the next ${times}`,
  ]
    .filter((part) => part !== undefined)
    .join('; ');
}

type FaultKind = 'answer' | 'rate-limit' | 'delay' | 'drop' | 'truncate';

/** The input of a form for a rule. Numbers are strings; an empty string is no value. */
export interface FaultDraft {
  readonly kind: FaultKind;
  readonly operation: string;
  readonly status: string;
  readonly retryAfter: string;
  readonly from: string;
  readonly to: string;
  readonly times: string;
  /** In percent. */
  readonly share: string;
}

function toFault({ kind, status, retryAfter, from, to }: FaultDraft): Fault {
  if (kind === 'answer') return { answer: { status: Number(status) } };
  if (kind === 'rate-limit') return { answer: { status: 429, retryAfter: Number(retryAfter) } };
  if (kind === 'delay')
    return { delay: to === '' || to === from ? Number(from) : [Number(from), Number(to)] };
  return { connection: kind };
}

/** Returns the rule of a form. */
export function toRule(draft: FaultDraft): FaultRule {
  return {
    ...toFault(draft),
    ...(draft.operation === '' ? {} : { operation: draft.operation }),
    ...(draft.times === '' ? {} : { times: Number(draft.times) }),
    ...(draft.share === '' || draft.share === '100' ? {} : { share: Number(draft.share) / 100 }),
  };
}

/** A field for a number. */
interface NumberField {
  readonly name: Exclude<keyof FaultDraft, 'kind' | 'operation'>;
  readonly label: string;
  readonly from: number;
  readonly to: number;
  /** The only kind of fault that has the field; all kinds if undefined. */
  readonly kind?: FaultKind;
  readonly isOptional?: boolean;
  /** The meaning of an empty field. */
  readonly hint?: string;
  /** The step of the number; 1 if undefined. */
  readonly step?: string;
}

const fields: readonly NumberField[] = [
  { name: 'status', label: 'Status', from: 200, to: 599, kind: 'answer' },
  { name: 'retryAfter', label: 'Retry-After (s)', from: 0, to: 86_400, kind: 'rate-limit' },
  { name: 'from', label: 'From (ms)', from: 0, to: 600_000, kind: 'delay' },
  { name: 'to', label: 'To (ms)', from: 0, to: 600_000, kind: 'delay', isOptional: true },
  { name: 'times', label: 'Only the next', from: 1, to: 1_000_000, isOptional: true, hint: 'all' },
  { name: 'share', label: 'Share (%)', from: 0, to: 100, isOptional: true, hint: '100', step: 'any' },
];

const kinds: readonly (readonly [kind: FaultKind, words: string])[] = [
  ['answer', 'gets a status'],
  ['rate-limit', 'gets 429, too many requests'],
  ['delay', 'waits'],
  ['drop', 'loses its connection'],
  ['truncate', 'gets half a body'],
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

function FaultForm({
  service,
  onAdd,
}: Pick<ViewProps, 'service'> & { readonly onAdd: (rule: FaultRule) => Promise<void> }): VNode {
  const [draft, setDraft] = useState(empty);
  const { kind } = draft;
  const change = (part: Partial<FaultDraft>): void => setDraft((before) => ({ ...before, ...part }));
  const mocked = service?.operations ?? [];
  const operations = [
    ['', 'Every request'] as const,
    ...mocked.map(({ id, method, path }) => [id, `${method.toUpperCase()} ${path}`] as const),
  ];
  return (
    <Form class="rule-form" onSubmit={() => onAdd(toRule(draft))}>
      <h3>Add a rule</h3>
      <label>
        Which requests
        <Options
          value={draft.operation}
          options={operations}
          onChoose={(operation) => change({ operation })}
        />
      </label>
      <label>
        What happens
        <Options
          value={kind}
          options={kinds}
          onChoose={(chosen) => change({ kind: kinds.find(([each]) => each === chosen)?.[0] ?? 'answer' })}
        />
      </label>
      {fields
        .filter((field) => field.kind === undefined || field.kind === kind)
        .map(({ name, label, from, to, isOptional = false, hint = '', step = '1' }) => (
          <label key={name}>
            {label}
            <input
              type="number"
              min={name === 'to' ? Number(draft.from) : from}
              max={to}
              step={step}
              required={!isOptional}
              placeholder={hint}
              value={draft[name]}
              onInput={({ currentTarget }) => change({ [name]: currentTarget.value })}
            />
          </label>
        ))}
      <button type="submit" class="primary">
        Add
      </button>
    </Form>
  );
}

/** Frequent faults of services, as presets. */
const faultPresets: readonly { readonly label: string; readonly rule: FaultRule }[] = [
  { label: 'Every response is 503', rule: { id: 'all-503', answer: { status: 503 } } },
  { label: 'Slow, 1 to 2 s', rule: { id: 'slow', delay: [1_000, 2_000] } },
  { label: 'One in five dropped', rule: { id: 'some-dropped', connection: 'drop', share: 0.2 } },
  {
    label: '429 for the next 3',
    rule: { id: 'rate-limited', answer: { status: 429, retryAfter: 2 }, times: 3 },
  },
  { label: 'Bodies cut short', rule: { id: 'truncated', connection: 'truncate' } },
];

/** Shows the faults that the mock injects. */
export function FaultsView({ beat, service }: ViewProps): VNode {
  const { value, enforced, change } = useChanges('listFaults', beat);
  const rules = value?.faults ?? [];
  const add = (rule: FaultRule): Promise<void> => change('createFault', {}, rule);
  // The counts of the mock are no part of a rule.
  const toggle = ({ seen: _seen, applied: _applied, ...rule }: ActiveFaultRule): Promise<void> =>
    change('putFault', { id: rule.id }, { ...rule, enabled: !rule.enabled });
  return (
    <div class="faults">
      <div class="bar">
        <h2>Faults</h2>
        {rules.length > 0 && (
          <button type="button" class="end" onClick={() => change('clearFaults')}>
            Delete all
          </button>
        )}
      </div>
      {enforced !== undefined && <Problem>{enforced}</Problem>}
      {rules.length === 0 ? (
        <p class="empty">None: every request gets its regular response.</p>
      ) : (
        <ul class="rules">
          {rules.map((rule) => (
            <li key={rule.id}>
              <label>
                <input type="checkbox" role="switch" checked={rule.enabled} onChange={() => toggle(rule)} />
                <span>
                  <Shown text={describeFault(rule)} most={400} />
                  <span class="soft">
                    <Code text={rule.id} />
                    {`, ${rule.applied} of ${rule.seen} requests`}
                    {rule.times !== undefined && `, ${Math.max(0, rule.times - rule.applied)} left`}
                  </span>
                </span>
              </label>
              <QuietButton
                verb="Delete"
                what={rule.id}
                onClick={() => change('deleteFault', { id: rule.id })}
              />
            </li>
          ))}
        </ul>
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
