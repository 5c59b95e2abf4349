import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { parseJson } from '../../../json/parse.ts';
import type { Imported, StateCollection } from '../../../mock/state/rows.ts';
import type { Service } from '../../../mock/control/calls.ts';
import { askControl, type Asked, toFailure, useAnswer } from '../control.ts';
import { Confirm, Form, Options, Problem, QuietButton, Shown } from '../parts.tsx';
import { findKind, findParent } from '../place.ts';
import { CollectionView, type Look } from './collection.tsx';
import { CollectionList } from './crumbs.tsx';
import { RowProblems } from './edit.tsx';
import { ResourceView } from './resource.tsx';

/** Lists snapshots: saved states with a name. */
function SnapshotList({ beat, onChange }: { readonly beat: number; readonly onChange: () => void }): VNode {
  const { value, reload } = useAnswer('listSnapshots', {}, beat);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<string>();
  const [action, setAction] = useState<{ readonly verb: 'Restore' | 'Delete'; readonly name: string }>();
  async function save(): Promise<void> {
    const asked = await askControl('putSnapshot', { name });
    setProblem(asked.ok ? undefined : asked.message);
    if (asked.ok) {
      setName('');
    }
    reload();
  }
  return (
    <section aria-labelledby="snapshots">
      <h3 id="snapshots">Snapshots</h3>
      <ul class="snapshots">
        {value?.snapshots.map((snapshot) => (
          <li key={snapshot.name}>
            <span>
              <Shown text={snapshot.name} /> <span class="count">{snapshot.count.toLocaleString('en')}</span>
            </span>
            {(['Restore', 'Delete'] as const).map((verb) => (
              <QuietButton
                verb={verb}
                what={snapshot.name}
                onClick={() => setAction({ verb, name: snapshot.name })}
              />
            ))}
          </li>
        ))}
      </ul>
      <Form class="tools" onSubmit={save}>
        <label class="grow">
          <span class="unseen">Name of the snapshot</span>
          <input
            type="text"
            placeholder="Name"
            required
            maxLength={64}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button type="submit">Save state</button>
      </Form>
      {problem !== undefined && <Problem>{problem}</Problem>}
      {action !== undefined && (
        <Confirm
          title={
            <>
              {action.verb} <Shown text={action.name} />?
            </>
          }
          verb={action.verb}
          run={() =>
            askControl(action.verb === 'Delete' ? 'deleteSnapshot' : 'restoreSnapshot', { name: action.name })
          }
          onClose={() => {
            setAction(undefined);
            reload();
            onChange();
          }}
        >
          {action.verb === 'Restore' && <p>What is there now gives way to it.</p>}
        </Confirm>
      )}
    </section>
  );
}

/** Offers a text to the user as a file download. */
function offer(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Chromium reads it after the click has ended.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const modes = [
  ['merge', 'Import mode: add'],
  ['replace', 'Import mode: replace'],
] as const;

/** Exports the state to a file, and imports it from one. */
function Transfer({ onChange }: { readonly onChange: () => void }): VNode {
  const [mode, setMode] = useState<'merge' | 'replace'>('merge');
  const [outcome, setOutcome] = useState<Asked<Imported>>();
  async function save(): Promise<void> {
    const asked = await askControl('exportState', {});
    if (asked.ok) {
      offer(asked.text, 'state.json');
    } else {
      setOutcome(asked);
    }
  }
  async function take(file: File): Promise<void> {
    const text = await file.text();
    const parsed = parseJson(text);
    if (parsed.kind === 'json') {
      setOutcome(await askControl('importState', { mode }, { text }));
    } else {
      setOutcome(toFailure(`${file.name}, line ${parsed.line}, column ${parsed.column}: ${parsed.reason}.`));
    }
    onChange();
  }
  return (
    <section aria-labelledby="transfer">
      <h3 id="transfer">Export and import</h3>
      <div class="tools">
        <button type="button" onClick={save}>
          Export
        </button>
        <label class="file">
          <span class="button">Import…</span>
          <input
            type="file"
            class="unseen"
            accept=".json,application/json"
            onChange={async ({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file !== undefined) {
                await take(file);
              }
              // The user can choose the same file again after fixing it.
              currentTarget.value = '';
            }}
          />
        </label>
        <label>
          <span class="unseen">What is imported</span>
          <Options
            value={mode}
            options={modes}
            onChoose={(chosen) => setMode(chosen === 'replace' ? chosen : 'merge')}
          />
        </label>
      </div>
      <p role="status" class="soft">
        {outcome?.ok === true &&
          `${outcome.value.added.toLocaleString('en')} added, ${outcome.value.replaced.toLocaleString('en')} replaced.`}
      </p>
      {outcome?.ok === false && <RowProblems asked={outcome} namesRows />}
    </section>
  );
}

/** The maximum number of listed names; an item links to the collections within it. */
const mostNames = 100;

/** Lists all collections and singletons, also empty ones: those at the top, and those within items. */
function CollectionNav(props: {
  readonly collections: readonly StateCollection[];
  readonly service: Service;
  readonly chosen: string | undefined;
}): VNode {
  const { collections, service, chosen } = props;
  const isWithin = ({ name }: StateCollection): boolean => findParent(service.resources, name) !== undefined;
  const within = collections.filter(isWithin);
  const alone = collections.filter((each) => !isWithin(each)).slice(0, mostNames);
  const left = within.length - mostNames;
  return (
    <nav aria-label="Collections" class="collections">
      <CollectionList collections={alone} chosen={chosen} />
      {within.length > 0 && (
        <>
          <h3>Within items</h3>
          <CollectionList collections={within.slice(0, mostNames)} chosen={chosen} />
        </>
      )}
      {left > 0 && <p class="soft">{left.toLocaleString('en')} more: open the item that they are within.</p>}
    </nav>
  );
}

const whole: Look = { search: '', offset: 0 };

/** Shows the state of the mock: its collections, the open one, snapshots, export, import and reset. */
export function StateView(props: {
  readonly beat: number;
  readonly service: Service | undefined;
  /** The open collection or singleton, the first one if the user chose none, and the id of a resource in it. */
  readonly open: { readonly item: string | undefined; readonly key: string | undefined };
  /** Whether opening and closing a resource moves the focus. */
  readonly takesFocus: boolean;
}): VNode {
  const {
    beat: pulse,
    service,
    open: { item, key },
    takesFocus,
  } = props;
  const [changes, setChanges] = useState(0);
  const [isResetting, setResetting] = useState(false);
  const [look, setLook] = useState<Look & { readonly of: string }>();
  // Both only increase, so their sum increases with either.
  const beat = pulse + changes;
  const { value, problem } = useAnswer('getState', {}, beat);
  const collections = value?.collections ?? [];
  const chosen = item ?? (collections.find(({ isKept }) => isKept) ?? collections[0])?.name;
  const before = useRef<string>(undefined);
  const cameFrom = takesFocus ? before.current : undefined;
  useEffect(() => {
    before.current = key;
  }, [key]);
  const change = (): void => setChanges((count) => count + 1);
  function renderChosen(): VNode | undefined {
    if (service === undefined || value === undefined) return undefined;
    if (chosen === undefined) {
      return (
        <p class="empty">
          No operation of this document keeps anything: each is answered with a sample.{' '}
          <code>cloche explain</code> says why.
        </p>
      );
    }
    if (key !== undefined || findKind(service.resources, chosen)?.kind === 'singleton') {
      return (
        <ResourceView
          key={`${chosen} ${key ?? ''}`}
          collection={chosen}
          resourceKey={key}
          service={service}
          counts={collections}
          beat={beat}
          takesFocus={takesFocus && key !== undefined}
          onChange={change}
        />
      );
    }
    return (
      <CollectionView
        key={chosen}
        collection={chosen}
        service={service}
        beat={beat}
        look={look?.of === chosen ? look : whole}
        onLook={(next) => setLook({ ...next, of: chosen })}
        onChange={change}
        cameFrom={cameFrom}
      />
    );
  }
  return (
    <div class="state">
      <h2 class="unseen">State</h2>
      <div class="side">
        {problem !== undefined && <Problem>{problem}</Problem>}
        {service !== undefined && (
          <CollectionNav collections={collections} service={service} chosen={chosen} />
        )}
        <SnapshotList beat={beat} onChange={change} />
        <Transfer onChange={change} />
        <button type="button" onClick={() => setResetting(true)}>
          Reset state…
        </button>
      </div>
      {renderChosen()}
      {isResetting && (
        <Confirm
          title="Reset the state?"
          verb="Reset"
          run={() => askControl('reset', {}, { body: { parts: ['state'] } })}
          onClose={() => {
            setResetting(false);
            change();
          }}
        >
          <p>What was created goes, and what the mock started with is there again.</p>
        </Confirm>
      )}
    </div>
  );
}
