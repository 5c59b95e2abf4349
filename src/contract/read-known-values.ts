import { resolve } from 'node:path';
import { readLocatedFile } from '../document/settings-file.ts';
import { parseJson } from '../json/parse.ts';
import { toText } from '../json/print.ts';
import type { JsonValue } from '../json/value.ts';
import type { KnownValue } from '../schema/known-place.ts';
import type { Contract } from './contract.ts';
import { addKnownValues, invalidKnownValue } from './known-values.ts';

/** Known values as a user writes them. */
export interface KnownValuesInput {
  /** `NAME=VALUE` or `NAME=@FILE`, as given on the command line. They replace configured values of the same name. */
  readonly flags?: readonly string[];
  /** By name: a value, a list of values, or `@FILE`. */
  readonly configured?: Readonly<Record<string, JsonValue>>;
  /** The folder of the files of configured values. @defaultValue the working directory */
  readonly folder?: string;
  /** What generators use them for: valid requests, or the data of a mock. @defaultValue 'requests' */
  readonly use?: 'requests' | 'data';
}

/**
 * Returns a contract with known values, as {@link addKnownValues} does. A text is used as JSON if it is JSON and the
 * schema accepts that, else as a text; a configured text is a text first.
 *
 * @throws ClocheError OPTION_INVALID for a value without a name, an unreadable file, or values that cannot be used
 */
export async function readKnownValues(contract: Contract, input: KnownValuesInput): Promise<Contract> {
  const { flags = [], configured = {}, folder = '.', use = 'requests' } = input;
  const given = new Map<string, KnownValue[]>();
  for (const flag of flags) {
    const equals = flag.indexOf('=');
    if (equals < 1) {
      throw invalidKnownValue(flag, 'it is no name with a value', 'Write it as in --value customerId=17');
    }
    const name = flag.slice(0, equals);
    const text = flag.slice(equals + 1);
    const values = text.startsWith('@') ? await readValues(text.slice(1), '.') : [readText(text)];
    given.set(name, [...(given.get(name) ?? []), ...values]);
  }
  const all = new Map<string, readonly KnownValue[]>(given);
  for (const [name, written] of Object.entries(configured)) {
    if (given.has(name)) continue;
    const isFile = typeof written === 'string' && written.startsWith('@');
    all.set(name, isFile ? await readValues(written.slice(1), folder) : [written].flat().map(readingsOf));
  }
  const named = [...all].map(([name, values]) => ({ name, values }));
  return addKnownValues(contract, named, use);
}

/** Returns the readings of a text of the command line. */
function readText(text: string): KnownValue {
  const parsed = parseJson(text, { findDuplicateKeys: false });
  return parsed.kind === 'json' ? [parsed.value, text] : [text];
}

/** Returns the readings of a value of a file: a number is also a text, and a text also JSON. */
function readingsOf(value: JsonValue): KnownValue {
  return typeof value === 'string' ? [value, ...readText(value)] : [value, toText(value)];
}

async function readValues(file: string, folder: string): Promise<readonly KnownValue[]> {
  const path = resolve(folder, file);
  const { root } = await readLocatedFile({
    file: path,
    what: 'the known values',
    code: 'OPTION_INVALID',
    remedyOfNone: 'Name a file that there is, or quote a value that starts with @',
    mayBeMissing: false,
  });
  if (Array.isArray(root) && root.length > 0) return root.map(readingsOf);
  throw invalidKnownValue(`@${file}`, 'the file contains no list of values', 'Write a list, as in [17, 18]');
}
