import type { VNode } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { parseJson } from '../../../json/parse.ts';
import { indentJson } from '../../../json/print.ts';
import type { StateResource } from '../../../mock/state/rows.ts';
import { askControl, toFailure } from '../control.ts';
import { Code, Dialog, Form, Problem, Shown } from '../parts.tsx';
import { labelOfKey } from '../place.ts';

/** The maximum number of listed rows; more are not fixed by hand. */
const mostProblems = 20;

/** The reason why an action failed. */
type Failure = ReturnType<typeof toFailure>;

/** Shows why data was not accepted, by row if the mock reports rows. */
export function RowProblems({
  asked: { message, rows },
  namesRows,
}: {
  readonly asked: Failure;
  /** Whether more than one row was sent. */
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
        {namesRows
          ? 'Nothing was imported, as the document does not allow:'
          : 'The document does not allow it:'}
      </p>
      <ul>
        {rows.slice(0, mostProblems).map(({ collection, index, reason }) => (
          <li>
            {namesRows && (
              <>
                <Code text={collection} most={200} />
                {`, row ${index + 1}: `}
              </>
            )}
            <Shown text={reason} most={1_000} />
          </li>
        ))}
        {rows.length > mostProblems && <li>and {rows.length - mostProblems} more rows</li>}
      </ul>
    </Problem>
  );
}

const blank = '{\n  \n}';

/** Edits a resource as JSON, or adds one. Errors against the document are shown beside the text. */
export function ResourceDialog(props: {
  readonly collection: string;
  /** Undefined for a new resource. */
  readonly resource: StateResource | undefined;
  readonly onClose: () => void;
}): VNode {
  const { collection, resource, onClose } = props;
  const field = useId();
  const problem = useId();
  const [text, setText] = useState(resource === undefined ? blank : indentJson(resource.value));
  const [failure, setFailure] = useState<Failure>();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // The caret starts at the first member of a new resource, and on the first line of an existing one.
    const caret = resource === undefined ? blank.length - 2 : 0;
    area.current?.setSelectionRange(caret, caret);
    area.current?.scrollTo(0, 0);
  }, []);
  async function save(): Promise<void> {
    const parsed = parseJson(text);
    if (parsed.kind !== 'json') {
      setFailure(toFailure(`Line ${parsed.line}, column ${parsed.column}: ${parsed.reason}.`));
      return;
    }
    const asked = await askControl('putResource', { collection }, { text });
    if (asked.ok) {
      onClose();
    } else {
      setFailure(asked);
    }
  }
  return (
    <Dialog
      title={
        <>
          {resource === undefined ? 'Add to ' : 'Edit '}
          <Shown text={resource === undefined ? collection : `${collection}, ${labelOfKey(resource.key)}`} />
        </>
      }
      onClose={onClose}
    >
      <Form onSubmit={save}>
        <label for={field}>The resource as JSON, as a create sends it</label>
        <textarea
          id={field}
          class="mono"
          rows={12}
          spellcheck={false}
          autocomplete="off"
          ref={area}
          dir="ltr"
          value={text}
          aria-invalid={failure !== undefined}
          aria-describedby={problem}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={async (event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              await save();
            }
          }}
        />
        <div id={problem}>{failure !== undefined && <RowProblems asked={failure} namesRows={false} />}</div>
        <div class="actions">
          <button type="submit" class="primary">
            Save
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <span class="keys soft end">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd> saves
          </span>
        </div>
      </Form>
    </Dialog>
  );
}
