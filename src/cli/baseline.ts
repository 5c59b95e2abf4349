import { schemaPathFor } from '../document/settings-file.ts';
import { editYamlList } from '../document/yaml.ts';
import { type ReadBaseline, readBaseline } from '../events/read-baseline.ts';
import type { JsonObject } from '../json/value.ts';
import { failsRun } from '../report/report.ts';
import { titleOf } from '../report/view/finding-view.ts';
import { plural } from '../report/format.ts';
import type { Baseline, BaselineEntry, RunFinding, RunResult } from '../events/events.ts';
import { createFileSink, type ReportSink, writeTo } from './file-sink.ts';
import type { Picked } from '../config/command-options.ts';
import { invalidOption } from './process.ts';

/** A baseline that was read, and where to write it. */
export interface BaselineFile extends ReadBaseline {
  /** Writes the updated file. @defaultValue a sink that is created at the end */
  readonly sink?: ReportSink;
}

/**
 * Reads the baseline of `cloche test`, if one is given. It throws the errors of {@link readBaseline}.
 *
 * @throws ClocheError REPORT_UNWRITABLE for `--update-baseline` of a file that cannot be written
 * @throws ClocheError OPTION_INVALID for `--update-baseline` without a file
 */
export async function openBaseline(
  input: Picked<'baseline' | 'update-baseline'>,
): Promise<BaselineFile | undefined> {
  const { baseline, 'update-baseline': mayBeMissing } = input;
  if (baseline !== undefined) {
    const read = await readBaseline(baseline, { mayBeMissing });
    return mayBeMissing ? { ...read, sink: openSink(baseline) } : read;
  }
  if (!mayBeMissing) return undefined;
  const reason = 'no file is named that it could write';
  throw invalidOption('--update-baseline', reason, 'Name one with --baseline FILE');
}

function openSink(file: string): ReportSink {
  return createFileSink(file, 'the baseline', { isUpdate: true });
}

interface UpdatedEntries {
  /** The ids of the entries to remove, because their findings are gone. */
  readonly removed: ReadonlySet<string>;
  readonly added: readonly BaselineEntry[];
}

function toEntry({ id, finding }: RunFinding): BaselineEntry {
  const { operation, trigger, cause } = finding;
  // A check of a user has no cause.
  const detail = trigger ?? cause;
  const where = detail === '' ? operation : `${operation}, ${detail}`;
  return { id, title: `${titleOf(finding)} (${where})`, operation };
}

const schemaOf = (file: string): string => schemaPathFor('baseline', file);

function emptyYaml(file: string): string {
  return `# Findings that are known and may pass. "reason" says why, "expires" until when.
# yaml-language-server: $schema=${schemaOf(file)}
findings: []
`;
}

function renderJson(file: BaselineFile, { removed, added }: UpdatedEntries): string {
  // `as`: the text was read as a baseline before.
  const old =
    file.text === undefined
      ? { $schema: schemaOf(file.file) }
      : (JSON.parse(file.text) as Readonly<Record<string, unknown>>);
  const kept = file.entries.filter(({ id }) => !removed.has(id));
  return `${JSON.stringify({ ...old, findings: [...kept, ...added] }, undefined, 2)}\n`;
}

/** Renders the updated file. Other content is kept, including comments in YAML. */
function renderBaselineFile(file: BaselineFile, updated: UpdatedEntries): string {
  if (file.file.endsWith('.json') || /^\s*\{/u.test(file.text ?? '')) return renderJson(file, updated);
  return editYamlList({
    text: file.text ?? emptyYaml(file.file),
    key: 'findings',
    isRemoved: ({ id }) => typeof id === 'string' && updated.removed.has(id),
    added: updated.added.map((entry): JsonObject => ({ ...entry })),
  });
}

/**
 * Updates a baseline after a run, unless the run was interrupted. In the returned result the added findings are known.
 *
 * @throws ClocheError REPORT_UNWRITABLE if the file cannot be written
 */
export async function saveBaseline(
  file: BaselineFile,
  result: RunResult,
  options: { readonly strict: boolean },
): Promise<RunResult> {
  if (result.interrupted) {
    return { ...result, baselineUpdate: `${file.file}: not updated, because the run was interrupted` };
  }
  const old = new Set(file.entries.map(({ id }) => id));
  const failing = result.findings.filter((found) => !old.has(found.id) && failsRun(found, options));
  const added = new Map(failing.map((found) => [found.id, toEntry(found)]));
  const removed = new Set(result.gone.map(({ id }) => id));
  if (file.text === undefined || added.size > 0 || removed.size > 0) {
    const text = renderBaselineFile(file, { added: [...added.values()], removed });
    writeTo(file.sink ?? openSink(file.file), text);
  }
  const kept = file.entries.length - removed.size;
  return {
    ...result,
    findings: result.findings.map((found) => {
      const known = added.get(found.id);
      return known === undefined ? found : { ...found, known };
    }),
    gone: [],
    baselineUpdate: `${file.file}: ${plural(added.size, 'finding')} added, ${removed.size} removed, ${kept} kept`,
  };
}

/** Returns the baseline for a run: the entries and today's date. `isPart` tells that not all suites run. */
export function toBaseline({ entries }: BaselineFile, isPart: boolean): Baseline {
  return {
    entries,
    today: new Date().toISOString().slice(0, 'YYYY-MM-DD'.length),
    partly: isPart ? 'only some suites were run' : undefined,
  };
}
