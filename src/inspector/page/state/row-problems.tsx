import type { VNode } from 'preact';
import type { Asked } from '../control/asked.ts';
import { Problem } from '../parts/problem.tsx';
import { Shown } from '../parts/shown.tsx';

/** More rows than these nobody mends by hand. */
const most = 20;

/** Why data was not taken: row by row where the mock says so. */
export function RowProblems({
  asked: { message, rows },
  namesRows,
}: {
  readonly asked: Extract<Asked<unknown>, { readonly ok: false }>;
  /** Whether it was more than one row that was sent. */
  readonly namesRows: boolean;
}): VNode {
  if (rows.length === 0) {
    return (
      <Problem>
        <Shown text={message} most={2_000} />
      </Problem>
    );
  }
  return (
    <Problem>
      <p>
        {namesRows ? 'Nothing was taken, as the document does not allow:' : 'The document does not allow it:'}
      </p>
      <ul>
        {rows.slice(0, most).map(({ collection, index, reason }) => (
          <li>
            {namesRows && (
              <>
                <code>
                  <Shown text={collection} most={200} />
                </code>
                {`, row ${index + 1}: `}
              </>
            )}
            <Shown text={reason} most={1_000} />
          </li>
        ))}
        {rows.length > most && <li>and {rows.length - most} more rows</li>}
      </ul>
    </Problem>
  );
}
