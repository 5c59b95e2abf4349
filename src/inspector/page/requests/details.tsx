import type { VNode } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { locateValues, type TextRange } from '../../../json/locate.ts';
import { parseJson } from '../../../json/parse.ts';
import { indentJson } from '../../../json/print.ts';
import { cutAtMarks, keepAround, orderRanges } from '../../../json/text-range.ts';
import { explainMissing } from '../../../mock/log/log-line.ts';
import type { LoggedMessage, LoggedRequest, RequestProblem } from '../../../mock/message.ts';
import { useAnswer } from '../control.ts';
import { Code, CopyButton, Entries, Problem, Shown, TextPlace } from '../parts.tsx';
import { placeOfResource } from '../place.ts';

/** What is shown of a text at first, in UTF-16 code units. */
const lengths = { whole: 4_000, beginning: 2_000, around: 1_000 };

/** Returns the ranges of a long text that are shown at first: its start, and the context of the first mark. */
export function cutAround(text: string, [first]: readonly TextRange[]): readonly TextRange[] {
  const isLater = first !== undefined && first.end >= lengths.beginning;
  return keepAround(text, isLater ? [first.start] : [], lengths);
}

/** Returns the first and the last character of an object or an array, or all of another value. */
function toMarks(text: string, { start, end }: TextRange): readonly TextRange[] {
  // A member is missing or excess. A mark on all of the value would not help.
  return /[[{]/.test(text.charAt(start))
    ? [
        { start, end: start + 1 },
        { start: end - 1, end },
      ]
    : [{ start, end }];
}

/** Finds the invalid parts of a body, in order. An empty range is a position between two characters. */
export function markProblems(text: string, problems: readonly RequestProblem[]): readonly TextRange[] {
  const pointers = problems.flatMap(({ pointer }) => pointer ?? []);
  // A missing value has no location, so the value that should contain it is marked.
  const held = pointers.map((pointer) => pointer.slice(0, Math.max(0, pointer.lastIndexOf('/'))));
  const places = locateValues(text, [...pointers, ...held]);
  const values = pointers.flatMap((_, index) => {
    const place = places[index] ?? places[index + pointers.length];
    return place === undefined ? [] : toMarks(text, place.value);
  });
  const breaks = problems.flatMap(({ position }) => {
    const start = Math.min(position ?? 0, text.length);
    return position === undefined ? [] : [{ start, end: Math.min(start + 1, text.length) }];
  });
  return orderRanges(text, [...values, ...breaks]);
}

function renderStretch(text: string, stretch: TextRange, marks: readonly TextRange[]): readonly VNode[] {
  return cutAtMarks(text, stretch, marks).map(({ text: piece, mark }) => {
    const shown = <Shown text={piece} />;
    return mark === undefined ? shown : <mark>{mark === 'gap' ? '‸' : shown}</mark>;
  });
}

/** Renders a text with marks. A long one is cut until the user shows all of it. */
export function MarkedText(props: {
  readonly text: string;
  readonly marks: readonly TextRange[];
  readonly label: string;
}): VNode {
  const { text, marks, label } = props;
  const [isWhole, setWhole] = useState(false);
  const stretches = isWhole ? [{ start: 0, end: text.length }] : cutAround(text, marks);
  const shown = stretches.reduce((sum, { start, end }) => sum + end - start, 0);
  return (
    <>
      {/* It may scroll, and then the keyboard must reach it. */}
      <pre tabIndex={0} role="region" aria-label={label}>
        {stretches.map((stretch, index) => [
          index > 0 && <span class="cut"> … </span>,
          renderStretch(text, stretch, marks),
        ])}
        {(stretches.at(-1)?.end ?? 0) < text.length && <span class="cut"> …</span>}
      </pre>
      {shown < text.length && (
        <button type="button" class="small" onClick={() => setWhole(true)}>
          Show all {text.length.toLocaleString('en')} characters
        </button>
      )}
    </>
  );
}

/** Renders a request or a response: its content with the errors marked, and its header fields. */
function MessagePane(props: {
  readonly title: 'Request' | 'Response';
  readonly message: LoggedMessage;
  readonly problems: readonly RequestProblem[];
}): VNode {
  const { title, message, problems } = props;
  const heading = useId();
  const [isIndented, setIndented] = useState(false);
  const { headers, body, bytes } = message;
  const parsed = body === undefined ? undefined : parseJson(body);
  const indented = parsed?.kind === 'json' ? indentJson(parsed.value) : body;
  const text = isIndented ? indented : body;
  return (
    <section aria-labelledby={heading} class="message">
      <div class="bar">
        <h3 id={heading}>{title}</h3>
        <span class="soft">{bytes === 0 ? 'no content' : `${bytes.toLocaleString('en')} bytes`}</span>
        {indented !== body && (
          <button
            type="button"
            class="small end"
            aria-pressed={isIndented}
            onClick={() => setIndented(!isIndented)}
          >
            Indent
          </button>
        )}
      </div>
      {text !== undefined && text !== '' && (
        <MarkedText text={text} marks={markProblems(text, problems)} label={`${title} body`} />
      )}
      {body === undefined && bytes > 0 && <p class="soft">{explainMissing(message)}</p>}
      {headers.length > 0 && (
        <details>
          <summary>{headers.length === 1 ? '1 header' : `${headers.length} headers`}</summary>
          <Entries
            class="fields mono"
            entries={headers.map(([name, value]) => [
              <Shown text={name} most={200} />,
              <Shown text={value} most={2_000} />,
            ])}
          />
        </details>
      )}
    </section>
  );
}

/** Returns the location of a problem; undefined if its reason already contains it. */
function placeOf({ pointer, position, parameter, reason }: RequestProblem): string | undefined {
  if (position !== undefined) return `character ${(position + 1).toLocaleString('en')}`;
  if (parameter !== undefined) {
    return reason.includes(parameter.name) ? undefined : `${parameter.in} parameter ${parameter.name}`;
  }
  return pointer === '' || (pointer !== undefined && reason.includes(pointer)) ? undefined : pointer;
}

/** Lists the problems of a request, each with the clause of the document that it breaks. */
function ProblemList({ problems }: { readonly problems: readonly RequestProblem[] }): VNode {
  return (
    <ul class="problems">
      {problems.map((problem) => {
        const place = placeOf(problem);
        return (
          <li>
            {place !== undefined && (
              <>
                <Code text={place} most={300} />{' '}
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

const format = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

/** Formats a time in the browser's time zone. */
export function renderTime(milliseconds: number): string {
  return format.format(milliseconds);
}

/** Shows the verdict on a request as a word and a colour. */
export function VerdictBadge({ request }: { readonly request: LoggedRequest }): VNode {
  const { verdict, sample } = request;
  return (
    <>
      <span class={`badge ${verdict}`}>{verdict}</span>
      {sample !== undefined && <span class="badge soft">sample</span>}
    </>
  );
}

/** Shows the facts about a request besides its messages. */
function Facts({ request }: { readonly request: LoggedRequest }): VNode {
  const { item } = request;
  const facts = [
    ['Time', renderTime(request.time)],
    ['Took', `${request.durationMs.toLocaleString('en', { maximumFractionDigits: 1 })} ms`],
    ['Operation', request.operation ?? 'none'],
    ['Refused for', request.condition],
    ['Decided by policy', request.handler === undefined ? request.undeclared : undefined],
    ['Handler', request.handler],
    ['Sample', request.sample],
    ['Fault', request.fault],
  ] as const;
  const path = [item?.collection, item?.key].filter((part) => part !== undefined).join('/');
  const link = item && (
    <a href={placeOfResource(item)}>
      <Shown text={path} />
    </a>
  );
  const shown = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, <Shown text={value} most={200} />] as const],
  );
  return (
    <Entries class="facts" entries={[...shown, ...(link === undefined ? [] : [['Item', link] as const])]} />
  );
}

/** Shows one request and its response, with the problems. It gets the focus when the user opens it. */
export function RequestDetails(props: {
  readonly id: string;
  readonly takesFocus: boolean;
  /** The request, if the list contains it. */
  readonly known: LoggedRequest | undefined;
}): VNode {
  const { id, known, takesFocus } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  // The page calls again when the request appears in the list.
  const asked = useAnswer('getRequest', { id }, known === undefined ? 0 : 1);
  // The list has it immediately, but without the lines of the clauses.
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
  // The message names the first few problems.
  const isEnforced =
    request.handler === undefined &&
    problems[0] !== undefined &&
    request.message?.includes(problems[0].reason) === true;
  // The list of problems repeats the message, with the broken clauses.
  const message = isEnforced ? undefined : request.message;
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
          {request.stack !== undefined && <pre tabIndex={0}>{request.stack}</pre>}
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
