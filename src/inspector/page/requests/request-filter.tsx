import type { ComponentChildren, VNode } from 'preact';
import type { Service } from '../control/service.ts';
import type { RequestChoice } from './request-choice.ts';

/** Chooses which requests are shown. */
export function RequestFilter({
  choice,
  service,
  onChange,
  children,
}: {
  readonly choice: RequestChoice;
  readonly service: Service | undefined;
  readonly onChange: (choice: RequestChoice) => void;
  /** What stands beside it. */
  readonly children: ComponentChildren;
}): VNode {
  return (
    <search class="tools">
      <label class="grow">
        <span class="unseen">Search requests</span>
        <input
          type="search"
          placeholder="Search"
          value={choice.search}
          onInput={({ currentTarget }) => onChange({ ...choice, search: currentTarget.value })}
        />
      </label>
      <label>
        <span class="unseen">Verdict</span>
        <select
          value={choice.verdict}
          onChange={({ currentTarget }) => onChange({ ...choice, verdict: currentTarget.value })}
        >
          <option value="">Every verdict</option>
          <option value="accepted">Accepted</option>
          <option value="refused">Refused</option>
          <option value="forced">Forced</option>
        </select>
      </label>
      <label>
        <span class="unseen">Operation</span>
        <select
          value={choice.operation}
          onChange={({ currentTarget }) => onChange({ ...choice, operation: currentTarget.value })}
        >
          <option value="">Every operation</option>
          {service?.operations.map(({ id }) => (
            <option value={id}>{id}</option>
          ))}
        </select>
      </label>
      {children}
    </search>
  );
}
