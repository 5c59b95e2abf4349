import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { nameCharacter } from '../../errors/console-text.ts';
import type { BrokenClause } from '../../mock/message.ts';
import type { Service } from '../../mock/control/calls.ts';
import type { Asked } from './control.ts';

/** Shows a dialog in front of the page while it is rendered; then the focus returns to the previous element. */
export function Dialog(props: {
  readonly title: ComponentChildren;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}): VNode {
  const { title, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) {
        before.focus();
      }
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}

/** Properties that the page passes to each part. */
export interface ViewProps {
  /** Increases when something may have changed. */
  readonly beat: number;
  readonly service: Service | undefined;
}

/** Renders a choice of one of several values, each with a label. */
export function Options({
  options,
  onChoose,
  ...attributes
}: {
  readonly options: readonly (readonly [value: string, words: ComponentChildren])[];
  readonly onChoose: (value: string) => void;
  readonly value: string;
  readonly required?: boolean;
  /** Needed if there is no label beside it. */
  readonly 'aria-label'?: string;
}): VNode {
  return (
    <select {...attributes} onChange={({ currentTarget }) => onChoose(currentTarget.value)}>
      {options.map(([value, words]) => (
        <option value={value}>{words}</option>
      ))}
    </select>
  );
}

/** Renders a form that only calls `onSubmit`. */
export function Form({
  onSubmit,
  ...attributes
}: {
  readonly class?: string;
  readonly onSubmit: () => unknown;
  readonly children: ComponentChildren;
}): VNode {
  return (
    <form
      {...attributes}
      onSubmit={async (event) => {
        event.preventDefault();
        await onSubmit();
      }}
    />
  );
}

/** Renders names with their values. */
export function Entries(props: {
  readonly class: string;
  readonly valueClass?: string;
  readonly entries: readonly (readonly [name: ComponentChildren, value: ComponentChildren])[];
}): VNode {
  return (
    <dl class={props.class}>
      {props.entries.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd class={props.valueClass}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Renders the table of a log, without visible headings. */
export function LogTable(props: {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly children: ComponentChildren;
}): VNode {
  const { caption, columns, children } = props;
  return (
    <table class="log">
      <caption class="unseen">{caption}</caption>
      <thead class="unseen">
        <tr>
          {columns.map((title) => (
            <th scope="col">{title}</th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** Makes a click anywhere in a row follow its link. The link is for the keyboard. */
export function followRow(place: string): (event: MouseEvent) => void {
  return ({ target }) => {
    const isOwn = target instanceof Element && target.closest('a, button') !== null;
    // The user may also select text with the mouse.
    if (!isOwn && String(getSelection()) === '') {
      location.hash = place;
    }
  };
}

/** Renders a search field that fills the available width. */
export function SearchField(props: {
  /** The searched things in the plural: `requests`. */
  readonly what: string;
  readonly value: string;
  readonly onSearch: (text: string) => void;
}): VNode {
  const { what, value, onSearch } = props;
  return (
    <label class="grow">
      <span class="unseen">Search {what}</span>
      <input
        type="search"
        placeholder="Search"
        value={value}
        onInput={({ currentTarget }) => onSearch(currentTarget.value)}
      />
    </label>
  );
}

/** Renders a part of a text as code. */
export function Code(props: Parameters<typeof Shown>[0]): VNode {
  return (
    <code>
      <Shown {...props} />
    </code>
  );
}

/** Reports a failure immediately, also to a screen reader. */
export function Problem({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <div class="problem" role="alert">
      {children}
    </div>
  );
}

/** Asks for confirmation of an action that cannot be undone, and runs it. */
export function Confirm(props: {
  readonly title: ComponentChildren;
  /** The label of the button that runs it. */
  readonly verb: string;
  readonly run: () => Promise<Asked<unknown>>;
  /** Called after the action, and if the user cancels. */
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}): VNode {
  const { title, verb, run, onClose, children } = props;
  const [problem, setProblem] = useState<string>();
  const cancel = useRef<HTMLButtonElement>(null);
  // A second press of Enter must cause no harm (WAI-ARIA APG, alert dialogs).
  useEffect(() => cancel.current?.focus(), []);
  async function confirm(): Promise<void> {
    const asked = await run();
    if (asked.ok) {
      onClose();
    } else {
      setProblem(asked.message);
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {problem !== undefined && <Problem>{problem}</Problem>}
      <div class="actions">
        <button type="button" class="danger" onClick={confirm}>
          {verb}
        </button>
        <button type="button" ref={cancel} onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}

/** Asks for confirmation of a deletion. */
export function ConfirmDelete(props: {
  readonly name: string;
  readonly run: () => Promise<Asked<unknown>>;
  readonly onClose: () => void;
}): VNode {
  const { name, run, onClose } = props;
  const title = (
    <>
      Delete <Shown text={name} />?
    </>
  );
  return <Confirm title={title} verb="Delete" run={run} onClose={onClose} />;
}

/** Renders a button of a row. A screen reader also reads its object: `Delete`, `slow`. */
export function QuietButton(props: {
  readonly verb: string;
  readonly what: string;
  readonly onClick: () => void;
}): VNode {
  const { verb, what, onClick } = props;
  return (
    <button type="button" class="small quiet" onClick={onClick}>
      {verb}
      <span class="unseen">
        {' '}
        <Shown text={what} />
      </span>
    </button>
  );
}

/** Copies a text, and confirms it for a moment. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }): VNode {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>();
  useEffect(() => {
    const timer = setTimeout(() => setOutcome(undefined), 3_000);
    return () => clearTimeout(timer);
  }, [outcome]);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
    } catch {
      // Browsers deny the clipboard to pages that another machine serves over plain HTTP.
      setOutcome('refused');
    }
  }
  return (
    <span class="copy">
      <button type="button" class="small" onClick={copy}>
        Copy {what}
      </button>
      <span role="status" class="soft">
        {outcome === 'copied' && 'Copied'}
        {outcome === 'refused' && 'The browser does not allow it: select the text and copy it'}
      </span>
    </span>
  );
}

/** Control, format (including direction marks), surrogate and unassigned characters, without line ends and tabs. */
const unseen = /([^\P{C}\n\t]|[\p{Zl}\p{Zp}])/u;

/**
 * Renders a text with names for characters that are invisible or change how others are shown: different texts never
 * look the same. A text longer than `most` characters is cut.
 */
export function Shown({ text, most = Infinity }: { readonly text: string; readonly most?: number }): VNode {
  const isLong = text.length > most;
  const pieces = (isLong ? text.slice(0, most) : text).split(unseen);
  return (
    <bdi>
      {pieces.map((piece, index) =>
        // `split` returns the captured characters at every second index.
        index % 2 === 1 ? (
          <span class="named">{piece === '\r' ? String.raw`\r` : nameCharacter(piece)}</span>
        ) : (
          piece
        ),
      )}
      {isLong && '…'}
    </bdi>
  );
}

/** Renders a location in the document: the line in an editor, if known, and the JSON Pointer. */
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
      <Code text={pointer} most={300} />
    </>
  );
}
