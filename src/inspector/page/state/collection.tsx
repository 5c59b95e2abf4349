import type { VNode } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { parseJson } from '../../../json/parse.ts';
import { indentJson, stringifyJson } from '../../../json/print.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { StatePage, StateResource } from '../../../mock/state/rows.ts';
import { askControl, type Asked, useAnswer } from '../control.ts';
import { Code, Confirm, Dialog, Problem, QuietButton, SearchField, Shown } from '../parts.tsx';

/** What a cell shows of a value: a text without its quotes, anything else as JSON, nothing for what is not there. */
function cellText(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : stringifyJson(value);
}

/** More rows than these nobody mends by hand. */
const mostProblems = 20;

/** Why something was not done. */
type Failure = Extract<Asked<unknown>, { readonly ok: false }>;

/** Why data was not accepted: row by row where the mock says so. */
export function RowProblems({
  asked: { message, rows },
  namesRows,
}: {
  readonly asked: Failure;
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

/** Why a text is no JSON; undefined where it is. */
function findSyntaxFailure(text: string): Failure | undefined {
  const parsed = parseJson(text);
  if (parsed.kind === 'json') return undefined;
  const message = `Line ${parsed.line}, column ${parsed.column}: ${parsed.reason}.`;
  return { ok: false, status: undefined, message, rows: [] };
}

/** Edits a resource as JSON, or adds one. What the document does not allow is said beside the text. */
function ResourceDialog({
  collection,
  resource,
  onClose,
}: {
  readonly collection: string;
  /** Undefined for a new one. */
  readonly resource: StateResource | undefined;
  readonly onClose: () => void;
}): VNode {
  const field = useId();
  const problem = useId();
  const [text, setText] = useState(resource === undefined ? blank : indentJson(resource.value));
  const [failure, setFailure] = useState<Failure>();
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // Where the first member of a new one is typed, and the first line of one that is there.
    const caret = resource === undefined ? blank.length - 2 : 0;
    area.current?.setSelectionRange(caret, caret);
    area.current?.scrollTo(0, 0);
  }, []);
  async function save(): Promise<void> {
    const syntax = findSyntaxFailure(text);
    if (syntax !== undefined) {
      setFailure(syntax);
      return;
    }
    const path = `state/resources?collection=${encodeURIComponent(collection)}`;
    const asked = await askControl(path, { method: 'PUT', body: { text } });
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
          <Shown text={resource === undefined ? collection : `${collection}, ${resource.key}`} most={120} />
        </>
      }
      onClose={onClose}
    >
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          await save();
        }}
      >
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
      </form>
    </Dialog>
  );
}

/** More columns than these nobody can compare; the rest shows when a resource is opened. */
const mostColumns = 6;

/** The names of properties that a table of resources has columns for: those that most of them have, in their order. */
export function listColumns(resources: readonly StateResource[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { value } of resources) {
    for (const name of Object.keys(value)) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const chosen = new Set(
    [...counts]
      .toSorted(([, left], [, right]) => right - left)
      .slice(0, mostColumns)
      .map(([name]) => name),
  );
  return [...counts.keys()].filter((name) => chosen.has(name));
}

/** Whether the key of a resource is what this property holds. */
function isKey({ key, value }: StateResource, name: string): boolean {
  const held = Object.hasOwn(value, name) ? value[name] : undefined;
  return held !== undefined && stringifyJson(held) === key;
}

/** Resources of one collection, a column for each of their properties. */
function ResourceTable({
  collection,
  resources,
  onOpen,
  onDelete,
}: {
  readonly collection: string;
  readonly resources: readonly StateResource[];
  readonly onOpen: (resource: StateResource) => void;
  readonly onDelete: (resource: StateResource) => void;
}): VNode {
  const names = listColumns(resources);
  const ofKey = names.find((name) => resources.every((each) => isKey(each, name)));
  const columns = names.filter((name) => name !== ofKey);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={`Table of ${collection}`}>
      <table class="resources">
        <caption class="unseen">
          Resources of <Shown text={collection} />
        </caption>
        <thead>
          <tr>
            <th scope="col">{ofKey === undefined ? 'Key' : <Shown text={ofKey} most={40} />}</th>
            {columns.map((name) => (
              <th scope="col">
                <Shown text={name} most={40} />
              </th>
            ))}
            <th scope="col">
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {resources.map((resource) => (
            <tr key={resource.key}>
              <th scope="row" class="mono">
                <button type="button" class="plain" onClick={() => onOpen(resource)}>
                  <span class="unseen">Edit </span>
                  <Shown text={resource.key} most={32} />
                </button>
              </th>
              {columns.map((name) => (
                <td>
                  <Shown
                    text={cellText(Object.hasOwn(resource.value, name) ? resource.value[name] : undefined)}
                    most={60}
                  />
                </td>
              ))}
              <td class="end">
                <QuietButton verb="Delete" what={resource.key} onClick={() => onDelete(resource)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const pageSize = 50;

type Action =
  | { readonly kind: 'add'; readonly resource?: undefined }
  | { readonly kind: 'edit' | 'delete'; readonly resource: StateResource };

/** The resources of one collection: to search, to add to, to change. */
export function CollectionView({
  collection,
  beat,
  onChange,
}: {
  readonly collection: string;
  readonly beat: number;
  readonly onChange: () => void;
}): VNode {
  const [search, setSearch] = useState('');
  const [offset, setOffset] = useState(0);
  const [action, setAction] = useState<Action>();
  const named = `collection=${encodeURIComponent(collection)}`;
  const path = `state/resources?${named}&offset=${offset}&limit=${pageSize}`;
  const { value, problem, reload } = useAnswer<StatePage>(
    search === '' ? path : `${path}&search=${encodeURIComponent(search)}`,
    beat,
  );
  const last = Math.min(value?.total ?? 0, offset + pageSize);
  function close(): void {
    setAction(undefined);
    reload();
    onChange();
  }
  return (
    <section aria-label={`Collection ${collection}`}>
      <div class="tools">
        <SearchField
          what="resources"
          value={search}
          onSearch={(text) => {
            setSearch(text);
            setOffset(0);
          }}
        />
        <button type="button" class="primary" onClick={() => setAction({ kind: 'add' })}>
          Add…
        </button>
      </div>
      {problem !== undefined && <Problem>{problem}</Problem>}
      {value !== undefined && value.resources.length === 0 && (
        <p class="empty">{search === '' ? 'Nothing is in it yet.' : 'Nothing in it is like that.'}</p>
      )}
      {value !== undefined && value.resources.length > 0 && (
        <>
          <ResourceTable
            collection={collection}
            resources={value.resources}
            onOpen={(resource) => setAction({ kind: 'edit', resource })}
            onDelete={(resource) => setAction({ kind: 'delete', resource })}
          />
          {(value.total > pageSize || offset > 0) && (
            <nav aria-label="Pages" class="pager">
              <button
                type="button"
                disabled={offset === 0}
                onClick={() => setOffset(Math.max(0, offset - pageSize))}
              >
                Previous
              </button>
              <span role="status" class="soft">
                {(offset + 1).toLocaleString('en')} to {last.toLocaleString('en')} of{' '}
                {value.total.toLocaleString('en')}
              </span>
              <button
                type="button"
                disabled={last >= value.total}
                onClick={() => setOffset(offset + pageSize)}
              >
                Next
              </button>
            </nav>
          )}
        </>
      )}
      {(action?.kind === 'add' || action?.kind === 'edit') && (
        <ResourceDialog collection={collection} resource={action.resource} onClose={close} />
      )}
      {action?.kind === 'delete' && (
        <Confirm
          title={
            <>
              Delete <Shown text={action.resource.key} most={80} />?
            </>
          }
          verb="Delete"
          run={() =>
            askControl(`state/resource?${named}&key=${encodeURIComponent(action.resource.key)}`, {
              method: 'DELETE',
            })
          }
          onClose={close}
        />
      )}
    </section>
  );
}
