import type { Contract } from '../contract/contract.ts';
import type { DocumentProblem } from '../document/document.ts';
import type { FileOptions } from '../document/read-file.ts';
import { readLocatedFile } from '../document/settings-file.ts';
import { appendPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import type { FaultRule } from '../mock/faults/fault.ts';
import { parseDelay } from '../mock/faults/parse-fault.ts';
import { parseFaultRule } from '../mock/faults/parse-rule.ts';
import type { MockOptions, TlsFiles } from '../mock/mock.ts';
import type { CorsOptions } from '../mock/request/cors.ts';
import type { DataReport } from '../mock/state/rows.ts';
import type { Picked } from '../config/command-options.ts';
import { readNamed } from './arguments.ts';
import { invalidOption } from './process.ts';

/** Maximum number of rows that are listed one by one. */
const mostNamed = 10;

function countRows(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`;
}

/** Describes the result of loading the initial data, one line each. */
export function describeData(report: DataReport | undefined): readonly string[] {
  if (report === undefined) return [];
  const { source, collections, added, present, replaced, removed, left, short } = report;
  const put = listCounts(collections);
  // The counts of the collections include all rows that are there now.
  const isNew = added > 0 && added === collections.reduce((sum, { count }) => sum + count, 0);
  const said = [
    added > 0 ? `${countRows(added)} added${isNew && replaced === 0 ? ` (${put})` : ''}` : '',
    replaced > 0 ? `${countRows(replaced)} replaced` : '',
    removed > 0 ? `${countRows(removed)} taken away` : '',
    present > 0 ? `${countRows(present)} there already` : '',
    left.length > 0 ? `${countRows(left.length)} left out` : '',
  ].filter((text) => text !== '');
  const named = left
    .slice(0, mostNamed)
    .map(
      ({ collection, index, place, reason }) => `  ${place ?? `${collection}, row ${index + 1}`}: ${reason}`,
    );
  return [
    source === 'examples'
      ? `Put in from the document's examples: ${put}.`
      : `The data to start from: ${said.length === 0 ? 'no rows' : said.join(', ')}.`,
    ...named,
    ...(left.length > mostNamed ? [`  and ${left.length - mostNamed} more`] : []),
    ...short.map(
      ({ collection, made, wanted, reason }) =>
        `  ${collection}: only ${made} of ${wanted} were generated, as ${whyShort[reason]}`,
    ),
  ];
}

/** Lists the number of rows in each collection; those of one name below different items are grouped. */
function listCounts(collections: DataReport['collections']): string {
  const groups = new Map<string, { name: string; count: number }>();
  for (const { name, count } of collections) {
    const last = name.slice(name.lastIndexOf('/'));
    const group = groups.get(last);
    groups.set(last, { name: group === undefined ? name : `…${last}`, count: (group?.count ?? 0) + count });
  }
  const put = [...groups.values()].slice(0, mostNamed).map(({ name, count }) => `${count} in ${name}`);
  return put.length === 0 ? 'nothing' : put.join(', ') + (groups.size > mostNamed ? ', …' : '');
}

const whyShort = {
  alike: 'no more were found that differ and that it takes',
  'many-nested':
    'no more than 10,000 are generated below other items; a smaller --data-count gives each as many',
} as const;

/** Reads the initial data of a mock. @throws ClocheError DATA_INVALID for an unreadable file */
export async function openData(
  input: Picked<'data' | 'data-count' | 'seed'>,
): Promise<Pick<MockOptions, 'data' | 'dataCount' | 'seed'>> {
  const { data: file, 'data-count': dataCount, seed } = input;
  const options = {
    ...(dataCount === undefined ? {} : { dataCount }),
    ...(seed === undefined ? {} : { seed }),
  };
  if (file === undefined) return options;
  if (file === 'none') return { ...options, data: 'none' };
  const { readData } = await import('../mock/state/data-file.ts');
  return { ...options, data: await readData(file) };
}

/** Finds the list of rules: the root, or the member that the control interface uses. */
function findList(
  root: JsonValue,
): { readonly pointer: string; readonly list: readonly JsonValue[] } | undefined {
  if (Array.isArray(root)) return { pointer: '', list: root };
  const { faults } = isJsonObject(root) ? root : {};
  return Array.isArray(faults) ? { pointer: '/faults', list: faults } : undefined;
}

async function readFaults(
  file: string,
  { operations }: Pick<Contract, 'operations'>,
  options?: FileOptions,
): Promise<readonly FaultRule[]> {
  const read = await readLocatedFile({
    file,
    what: 'the fault rules',
    code: 'OPTION_INVALID',
    remedyOfNone: 'Name a file that there is',
    mayBeMissing: false,
    ...options,
  });
  const found = findList(read.root);
  if (found === undefined) {
    const remedy = 'Begin with - operation: …, or with [{"operation": "…"}]';
    throw read.toError('OPTION_INVALID', [{ pointer: '', reason: 'must be a list of rules', remedy }]);
  }
  const problems: DocumentProblem[] = [];
  const rules: FaultRule[] = [];
  for (const [index, value] of found.list.entries()) {
    const pointer = appendPointer(found.pointer, index);
    const reading = parseFaultRule(value, { operations, pointer });
    if (reading.kind === 'problems') {
      problems.push(...reading.problems);
    } else if (rules.some(({ id }) => id !== undefined && id === reading.rule.id)) {
      const reason = `"${reading.rule.id}" names a rule already`;
      problems.push({ pointer: appendPointer(pointer, 'id'), reason, remedy: 'Choose another id' });
    } else {
      rules.push(reading.rule);
    }
  }
  if (problems.length > 0) throw read.toError('OPTION_INVALID', problems);
  return rules;
}

function toDelayRule(text: string): FaultRule {
  const delay = parseDelay(text);
  if (delay === undefined) {
    throw invalidOption(
      `--delay ${text}`,
      'it takes milliseconds from 0 to 3600000, or two of them, the smaller one first',
      'Give a number, as in --delay 200, or a range, as in --delay 200..400',
    );
  }
  return { id: 'delay', delay };
}

/**
 * Reads the initial rules of a mock: those of a file, and the delay for all requests that they do not match.
 *
 * @throws ClocheError OPTION_INVALID for an invalid delay, or a file that cannot be read
 * @throws DocumentError DOCUMENT_SYNTAX or OPTION_INVALID, with every unusable rule at its line
 */
export async function openFaults(
  input: Picked<'delay' | 'faults'>,
  contract: Pick<Contract, 'operations'>,
  options?: FileOptions,
): Promise<readonly FaultRule[]> {
  const late = input.delay === undefined ? [] : [toDelayRule(input.delay)];
  if (input.faults === undefined) return late;
  return [...(await readFaults(input.faults, contract, options)), ...late];
}

/** Returns the other origins that a mock allows. @throws ClocheError OPTION_INVALID for both some and none */
export function readCors(input: Picked<'cors' | 'cors-origin'>): CorsOptions | false {
  const origins = input['cors-origin'];
  if (!input.cors && origins.length > 0) {
    throw invalidOption(
      `--cors-origin ${origins[0]}`,
      '--no-cors lets no page of another origin in',
      'Leave one of them out',
    );
  }
  if (!input.cors) return false;
  return origins.length === 0 ? {} : { origins };
}

/**
 * Returns how a mock serves HTTPS: not at all, with the certificate of `--tls-cert`, or with one that is made.
 *
 * @throws ClocheError OPTION_INVALID for a certificate without its key, or a file that cannot be read
 */
export async function readHttps(
  input: Picked<'https' | 'tls-cert' | 'tls-key'>,
): Promise<boolean | TlsFiles> {
  const { https, 'tls-cert': cert, 'tls-key': key } = input;
  if (cert === undefined && key === undefined) return https;
  if (cert === undefined || key === undefined) {
    const [given, missing] = cert === undefined ? ['tls-key', 'tls-cert'] : ['tls-cert', 'tls-key'];
    throw invalidOption(`--${given}`, 'the file that belongs to it is missing', `Give --${missing} too`);
  }
  return {
    cert: await readNamed(cert, 'read the certificate', 'Name a PEM file with --tls-cert'),
    key: await readNamed(key, 'read the private key', 'Name a PEM file with --tls-key'),
  };
}
