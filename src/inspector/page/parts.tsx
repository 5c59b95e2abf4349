import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { BrokenClause } from '../../mock/message.ts';
import type { Service } from '../../mock/control/calls.ts';
import type { Asked } from './control.ts';

/** A dialog in front of the page, from when it is drawn until it is no longer; the focus goes back to where it was. */
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

/** What a part of the page is given by all of it. */
export interface ViewProps {
  /** Moves on whenever something may have changed. */
  readonly beat: number;
  readonly service: Service | undefined;
}

/** A choice of one of several values, each with the words for it. */
export function Options({
  options,
  onChoose,
  ...attributes
}: {
  readonly options: readonly (readonly [value: string, words: ComponentChildren])[];
  readonly onChoose: (value: string) => void;
  readonly value: string;
  readonly required?: boolean;
  /** Where no label stands beside it. */
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

/** A form whose content goes nowhere but to `onSubmit`. */
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

/** Has a click anywhere in a row go where its link does; the link is for the keyboard. */
export function followRow(place: string): (event: MouseEvent) => void {
  return ({ target }) => {
    const isOwn = target instanceof Element && target.closest('a, button') !== null;
    // A mouse may also select text.
    if (!isOwn && String(getSelection()) === '') {
      location.hash = place;
    }
  };
}

/** A field to search by, which takes up what room there is. */
export function SearchField(props: {
  /** In the plural: `requests`. */
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

/** A part of a text as it was written, in the type of code. */
export function Code(props: Parameters<typeof Shown>[0]): VNode {
  return (
    <code>
      <Shown {...props} />
    </code>
  );
}

/** Says at once, also to a screen reader, that something did not work. */
export function Problem({ children }: { readonly children: ComponentChildren }): VNode {
  return (
    <div class="problem" role="alert">
      {children}
    </div>
  );
}

/** Asks before something is done that cannot be undone, and does it. */
export function Confirm(props: {
  readonly title: ComponentChildren;
  /** On the button that does it. */
  readonly verb: string;
  readonly run: () => Promise<Asked<unknown>>;
  /** After it was done, and where somebody thought better of it. */
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}): VNode {
  const { title, verb, run, onClose, children } = props;
  const [problem, setProblem] = useState<string>();
  const cancel = useRef<HTMLButtonElement>(null);
  // A second press of Enter is to harm nothing (WAI-ARIA APG, alert dialogs).
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

/** Asks before something is deleted. */
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

/** A button of a row, with what it is for to a screen reader: `Delete`, `slow`. */
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

/** Copies a text, and says so for a moment. */
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
      // Browsers keep the clipboard from pages that came over plain HTTP from another machine.
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

/** Controls, formats (marks of direction among them), surrogates, unassigned characters; not line ends and tabs. */
const unseen = /([^\P{C}\n\t]|[\p{Zl}\p{Zp}])/u;

function nameCharacter(character: string): string {
  return character === '\r' ? String.raw`\r` : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/**
 * A text as it is, with a name for each character that cannot be seen or that changes how others are seen: no text
 * can look like another. Of one longer than `most`, in characters, the rest is left out.
 */
export function Shown({ text, most = Infinity }: { readonly text: string; readonly most?: number }): VNode {
  const isLong = text.length > most;
  const pieces = (isLong ? text.slice(0, most) : text).split(unseen);
  return (
    <bdi>
      {pieces.map((piece, index) =>
        // What is captured stands at the odd places.
        index % 2 === 1 ? <span class="named">{nameCharacter(piece)}</span> : piece,
      )}
      {isLong && '…'}
    </bdi>
  );
}

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
      <Code text={pointer} most={300} />
    </>
  );
}
