import type { VNode } from 'preact';

/** A number to fill in, whole unless a step says otherwise. */
export function NumberField({
  label,
  value,
  from,
  to,
  step = '1',
  hint,
  required = false,
  onInput,
}: {
  readonly label: string;
  readonly value: string;
  readonly from: number;
  readonly to: number;
  readonly step?: string;
  /** What an empty field stands for. */
  readonly hint?: string;
  readonly required?: boolean;
  readonly onInput: (value: string) => void;
}): VNode {
  return (
    <label>
      {label}
      <input
        type="number"
        min={from}
        max={to}
        step={step}
        required={required}
        placeholder={hint ?? ''}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </label>
  );
}
