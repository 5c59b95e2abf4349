import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { parseJson } from '../../../json/parse-json.ts';
import type { Imported } from '../../../mock/state/mock-state.ts';
import { askControl } from '../control/ask-control.ts';
import type { Asked } from '../control/asked.ts';
import { RowProblems } from './row-problems.tsx';

/** Hands a text to the browser as a file to keep. */
function offer(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Chromium reads it after the click is over.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function toFailure(message: string): Asked<never> {
  return { ok: false, status: undefined, message, rows: [] };
}

/** Writes the state to a file, and reads it from one. */
export function Transfer({ onChange }: { readonly onChange: () => void }): VNode {
  const [mode, setMode] = useState<'merge' | 'replace'>('merge');
  const [outcome, setOutcome] = useState<Asked<Imported>>();
  async function save(): Promise<void> {
    const asked = await askControl<unknown>('state/export');
    if (asked.ok) {
      offer(asked.text, 'state.json');
    } else {
      setOutcome(asked);
    }
  }
  async function take(file: File): Promise<void> {
    const text = await file.text();
    const parsed = parseJson(text);
    setOutcome(
      parsed.kind === 'json'
        ? await askControl<Imported>(`state/import?mode=${mode}`, { method: 'POST', body: { text } })
        : toFailure(`${file.name}, line ${parsed.line}, column ${parsed.column}: ${parsed.reason}.`),
    );
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
              // The same file can be chosen again after it was mended.
              currentTarget.value = '';
            }}
          />
        </label>
        <label>
          <span class="unseen">What is imported</span>
          <select
            value={mode}
            onChange={({ currentTarget }) => setMode(currentTarget.value === 'replace' ? 'replace' : 'merge')}
          >
            <option value="merge">adds to what is there</option>
            <option value="replace">replaces everything</option>
          </select>
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
