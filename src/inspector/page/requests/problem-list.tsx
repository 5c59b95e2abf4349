import type { VNode } from 'preact';
import type { RequestProblem } from '../../../mock/log/logged-request.ts';
import { Shown } from '../parts/shown.tsx';
import { TextPlace } from '../parts/text-place.tsx';

/** Where a problem lies; nothing where its reason says so already. */
function placeOf({ pointer, position, parameter, reason }: RequestProblem): string | undefined {
  if (position !== undefined) {
    return `character ${(position + 1).toLocaleString('en')}`;
  }
  if (parameter !== undefined) {
    return reason.includes(parameter.name) ? undefined : `${parameter.in} parameter ${parameter.name}`;
  }
  return pointer === '' || (pointer !== undefined && reason.includes(pointer)) ? undefined : pointer;
}

/** What speaks against a request, each with the clause of the document that it breaks. */
export function ProblemList({ problems }: { readonly problems: readonly RequestProblem[] }): VNode {
  return (
    <ul class="problems">
      {problems.map((problem) => {
        const place = placeOf(problem);
        return (
          <li>
            {place !== undefined && (
              <>
                <code>
                  <Shown text={place} most={300} />
                </code>{' '}
              </>
            )}
            <Shown text={problem.reason} most={1_000} />
            {problem.clause !== undefined && (
              <figure>
                <blockquote class="mono">
                  <Shown text={problem.clause.text} most={1_000} />
                </blockquote>
                <figcaption class="soft">
                  {problem.clause.location === undefined && `The ${problem.clause.in} says so at `}
                  <TextPlace pointer={problem.clause.pointer} location={problem.clause.location} />
                </figcaption>
              </figure>
            )}
          </li>
        );
      })}
    </ul>
  );
}
