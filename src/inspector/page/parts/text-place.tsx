import type { VNode } from 'preact';
import type { BrokenClause } from '../../../mock/log/logged-request.ts';
import { Shown } from './shown.tsx';

/** Where something stands in the document: the line that an editor opens, where it is known, and the JSON Pointer. */
export function TextPlace({
  pointer,
  location,
}: {
  readonly pointer: string;
  readonly location: BrokenClause['location'];
}): VNode {
  return (
    <>
      {location !== undefined && (
        <>
          <strong>
            <Shown text={location.file.replace(/^.*[/\\]/u, '')} most={80} />, line {location.line}
          </strong>
          {', '}
        </>
      )}
      <code>
        <Shown text={pointer} most={300} />
      </code>
    </>
  );
}
