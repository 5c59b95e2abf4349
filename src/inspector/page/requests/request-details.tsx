import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { LoggedRequest } from '../../../mock/log/logged-request.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Problem } from '../parts/problem.tsx';
import { Shown } from '../parts/shown.tsx';
import { useAnswer } from '../control/use-answer.ts';
import { MessagePane } from './message-pane.tsx';
import { ProblemList } from './problem-list.tsx';
import { renderTime } from './render-time.ts';
import { VerdictBadge } from './verdict-badge.tsx';

function Facts({ request }: { readonly request: LoggedRequest }): VNode {
  const facts = [
    ['Time', renderTime(request.time)],
    ['Took', `${request.durationMs.toLocaleString('en', { maximumFractionDigits: 1 })} ms`],
    ['Operation', request.operation ?? 'none'],
    ['Refused for', request.condition],
    ['Not declared, decided by', request.undeclared],
    ['Fault', request.fault],
  ] as const;
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div>
              <dt>{name}</dt>
              <dd>
                <Shown text={value} most={200} />
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** One request and its answer, with what was wrong with it. The focus moves to it where somebody opens it. */
export function RequestDetails({
  id,
  known,
  takesFocus,
}: {
  readonly id: string;
  readonly takesFocus: boolean;
  /** Where the list has it. */
  readonly known: LoggedRequest | undefined;
}): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  // Asked anew where the mock comes to have it.
  const asked = useAnswer<LoggedRequest>(`requests/${encodeURIComponent(id)}`, known === undefined ? 0 : 1);
  // The list has it at once, without the lines of the clauses.
  const request = asked.value ?? known;
  const isThere = request !== undefined;
  useEffect(() => {
    if (takesFocus) {
      heading.current?.focus();
    }
  }, [id, isThere, takesFocus]);
  if (request === undefined) {
    return <div class="details">{asked.problem !== undefined && <Problem>{asked.problem}</Problem>}</div>;
  }
  const { problems, curl } = request;
  // A sentence names the first few.
  const isTold = problems[0] !== undefined && request.message?.includes(problems[0].reason) === true;
  // The problems say it again, with the clauses that are broken.
  const message = isTold ? undefined : request.message;
  return (
    <article
      class="details"
      aria-label={`Request ${id}`}
      onKeyDown={({ key }) => {
        if (key === 'Escape') {
          location.hash = '#requests';
        }
      }}
    >
      <div class="bar">
        <h2 ref={heading} tabIndex={-1}>
          <span class="method">{request.method}</span> <Shown text={request.target} most={300} />
        </h2>
        <a class="close" href="#requests">
          Close
        </a>
      </div>
      <p class="outcome">
        <strong class="status">{request.status === 0 ? 'no answer' : request.status}</strong>{' '}
        <VerdictBadge request={request} />
      </p>
      {(message !== undefined || problems.length > 0) && (
        <section class={`why ${request.verdict}`} aria-label="Why">
          {message !== undefined && (
            <p>
              <Shown text={message} most={2_000} />
            </p>
          )}
          {problems.length > 0 && <ProblemList problems={problems} />}
        </section>
      )}
      <Facts request={request} />
      <MessagePane key={`request ${id}`} title="Request" message={request.request} problems={problems} />
      <MessagePane key={`response ${id}`} title="Response" message={request.response} problems={[]} />
      <section aria-label="The request again">
        <div class="bar">
          <h3>As a command</h3>
          <CopyButton key={id} text={curl} what="curl" />
        </div>
        <pre tabIndex={0} role="region" aria-label="curl command">
          <Shown text={curl} most={4_000} />
        </pre>
      </section>
    </article>
  );
}
