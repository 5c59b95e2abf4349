import type { VNode } from 'preact';

/** Which part of a long list is shown, and the way to the next. Nothing where all of it is. */
export function Pager({
  total,
  offset,
  size,
  onTurn,
}: {
  readonly total: number;
  readonly offset: number;
  readonly size: number;
  readonly onTurn: (offset: number) => void;
}): VNode | null {
  if (total <= size && offset === 0) {
    return null;
  }
  const last = Math.min(total, offset + size);
  return (
    <nav aria-label="Pages" class="pager">
      <button type="button" disabled={offset === 0} onClick={() => onTurn(Math.max(0, offset - size))}>
        Previous
      </button>
      <span role="status" class="soft">
        {(offset + 1).toLocaleString('en')} to {last.toLocaleString('en')} of {total.toLocaleString('en')}
      </span>
      <button type="button" disabled={last >= total} onClick={() => onTurn(offset + size)}>
        Next
      </button>
    </nav>
  );
}
