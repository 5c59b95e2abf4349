import type { DocumentProblem } from '../document/document.ts';
import { readLocatedFile, schemaPathFor } from '../document/settings-file.ts';
import { editYamlList } from '../document/yaml.ts';
import { closestWord } from '../errors/suggest.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { failsRun } from '../report/report.ts';
import { titleOf } from '../report/view/finding-view.ts';
import { plural } from '../report/format.ts';
import type { Baseline, BaselineEntry, RunFinding, RunResult } from '../events/events.ts';
import { createFileSink, type ReportSink, writeTo } from './file-sink.ts';
import type { Picked } from '../config/command-options.ts';
import { invalidOption } from './process.ts';

/** A baseline that was read, and the file to write it to. */
export interface BaselineFile {
  /** The file name that the user gave. */
  readonly file: string;
  /** Undefined if the file does not exist yet. */
  readonly text: string | undefined;
  readonly entries: readonly BaselineEntry[];
  /** Writes the updated file. @defaultValue a sink that is created at the end */
  readonly sink?: ReportSink;
}

const keysOfFile = ['$schema', 'findings'];
const keysOfEntry = ['id', 'title', 'reason', 'expires'] as const;
const idForm = /^[a-z][a-z0-9-]*-[0-9a-f]{12}$/u;

function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/u.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Parses a baseline (see `spec/baseline.schema.json`). If there are problems, the entries must not be used. */
function parseBaseline(value: JsonValue): {
  readonly entries: readonly BaselineEntry[];
  readonly problems: readonly DocumentProblem[];
} {
  const problems: DocumentProblem[] = [];
  const entries: BaselineEntry[] = [];
  const placeOfId = new Map<string, JsonPointer>();

  function complain(pointer: JsonPointer, reason: string, remedy: string): void {
    problems.push({ pointer, reason, remedy });
  }

  function refuseUnknown(object: JsonObject, pointer: JsonPointer, known: readonly string[]): void {
    for (const key of Object.keys(object).filter((name) => !known.includes(name))) {
      const near = closestWord(key, known);
      const remedy = near === undefined ? `It takes ${known.join(', ')}` : `Perhaps "${near}" was meant`;
      complain(appendPointer(pointer, key), `there is no "${key}"`, remedy);
    }
  }

  function readEntry(entry: JsonObject, pointer: JsonPointer): void {
    refuseUnknown(entry, pointer, keysOfEntry);
    const texts: Partial<Record<(typeof keysOfEntry)[number], string>> = {};
    for (const key of keysOfEntry) {
      const text = Object.hasOwn(entry, key) ? entry[key] : undefined;
      if (typeof text === 'string') {
        texts[key] = text;
      } else if (text !== undefined) {
        complain(appendPointer(pointer, key), 'must be a text', `Put it in quotes, or leave "${key}" out`);
      }
    }
    const { id, expires } = texts;
    if (expires !== undefined && !isDay(expires)) {
      complain(
        appendPointer(pointer, 'expires'),
        `"${expires}" is no day`,
        'Write year, month and day, as in 2026-12-31',
      );
    }
    if (id === undefined) {
      if (!Object.hasOwn(entry, 'id')) {
        complain(pointer, 'must have "id"', 'Copy the id of the finding from a report');
      }
      return;
    }
    readId(id, appendPointer(pointer, 'id'));
    entries.push({ ...texts, id });
  }

  function readId(id: string, pointer: JsonPointer): void {
    if (!idForm.test(id)) {
      complain(
        pointer,
        `"${id}" is no id of a finding`,
        'Copy it from a report, as in server-error-6f1d0c3a9be2',
      );
    }
    if (placeOfId.has(id)) {
      complain(pointer, `"${id}" stands twice`, 'Keep one of the entries');
    }
    placeOfId.set(id, pointer);
  }

  if (!isJsonObject(value)) {
    complain('', 'must be an object', 'Begin with {"findings": []}, or have it written by --update-baseline');
    return { entries, problems };
  }
  refuseUnknown(value, '', keysOfFile);
  const { findings } = value;
  if (!Array.isArray(findings)) {
    const isThere = findings !== undefined;
    const reason = isThere ? 'must be a list' : 'must have "findings"';
    complain(isThere ? '/findings' : '', reason, 'Give a list of entries, which may be empty');
    return { entries, problems };
  }
  findings.forEach((entry, index) => {
    const pointer = appendPointer('/findings', index);
    if (isJsonObject(entry)) {
      readEntry(entry, pointer);
    } else {
      complain(pointer, 'must be an object', 'Write an entry as {"id": "…", "reason": "…"}');
    }
  });
  return { entries, problems };
}

/**
 * Reads a baseline: JSON by its name, else YAML or JSON. Returns no entries if the file is missing and may be.
 *
 * @throws ClocheError BASELINE_INVALID if it cannot be read
 * @throws DocumentError DOCUMENT_SYNTAX or BASELINE_INVALID, with every problem at its line and column
 */
export async function readBaseline(
  file: string,
  options: { readonly mayBeMissing: boolean },
): Promise<BaselineFile> {
  const read = await readLocatedFile({
    file,
    what: 'the baseline',
    code: 'BASELINE_INVALID',
    remedyOfNone: 'Add --update-baseline to have it written, or name a file that there is',
    mayBeMissing: options.mayBeMissing,
  });
  if (read === undefined) return { file, text: undefined, entries: [] };
  const { entries, problems } = parseBaseline(read.root);
  if (problems.length > 0) throw read.toError('BASELINE_INVALID', problems);
  return { file, text: read.text, entries };
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
  const { operation, trigger } = finding;
  const where = trigger === undefined ? operation : `${operation}, ${trigger}`;
  return { id, title: `${titleOf(finding)} (${where})` };
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

/** Returns the baseline for a run: the entries and today's date. `suites` are those that ran; empty means all. */
export function toBaseline({ entries }: BaselineFile, suites: readonly string[]): Baseline {
  return {
    entries,
    today: new Date().toISOString().slice(0, 'YYYY-MM-DD'.length),
    partly: suites.length > 0 ? 'only some suites were run' : undefined,
  };
}
