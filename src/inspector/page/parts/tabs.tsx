import type { VNode } from 'preact';

const tabs = [
  ['requests', 'Requests'],
  ['state', 'State'],
  ['policy', 'Policy'],
  ['faults', 'Faults'],
  ['clock', 'Clock'],
] as const;

/** The parts of the page, as links, so that each has an address. */
export function Tabs({ open }: { readonly open: string }): VNode {
  return (
    <nav aria-label="Inspector" class="tabs">
      {tabs.map(([name, label]) => (
        <a href={`#${name}`} aria-current={name === open ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}
