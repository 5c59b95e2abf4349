import type { DocumentProblem } from '../document/document.ts';
import { readLocatedFile } from '../document/settings-file.ts';
import { closestWord } from '../errors/suggest.ts';
import { appendPointer, type JsonPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { BaselineEntry } from './events.ts';

/** A baseline that was read. */
export interface ReadBaseline {
  /** The file name that the user gave. */
  readonly file: string;
  /** Undefined if the file does not exist yet. */
  readonly text: string | undefined;
  readonly entries: readonly BaselineEntry[];
}

const keysOfFile = ['$schema', 'findings'];
const keysOfEntry = ['id', 'title', 'operation', 'reason', 'expires'] as const;
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
): Promise<ReadBaseline> {
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
