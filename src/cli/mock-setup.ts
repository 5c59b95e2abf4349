import type { Contract } from '../contract/contract.ts';
import type { DocumentProblem } from '../document/document.ts';
import { readLocatedFile } from '../document/settings-file.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { appendPointer } from '../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../json/value.ts';
import type { FaultRule } from '../mock/faults/fault.ts';
import { parseDelay, parseFaultRule } from '../mock/faults/parse-fault.ts';
import type { MockOptions } from '../mock/mock.ts';
import type { CorsOptions } from '../mock/request/cors.ts';
import type { DataReport } from '../mock/state/rows.ts';
import { checkNumber, checkText, numberRanges } from './arguments.ts';
import type { CorsArguments, DataArguments, FaultArguments } from './options.ts';

/** More rows than these are not named one by one. */
const mostNamed = 10;

function countRows(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`;
}

/** Says what became of data to start from, a line each. */
export function describeData(report: DataReport | undefined): readonly string[] {
  if (report === undefined) return [];
  const { added, present, replaced, removed, left, short } = report;
  const said = [
    added > 0 ? `${countRows(added)} added` : '',
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
    `The data to start from: ${said.length === 0 ? 'no rows' : said.join(', ')}.`,
    ...named,
    ...(left.length > mostNamed ? [`  and ${left.length - mostNamed} more`] : []),
    ...short.map(
      ({ collection, made, wanted }) =>
        `  ${collection}: only ${made} of ${wanted} were made up, as no more were found that differ and that it takes`,
    ),
  ];
}

/** More rows than these would take longer to make up than anybody waits for. */
const mostRows = 100_000;

/**
 * Reads the data that a mock is to start from.
 *
 * @throws ClocheError OPTION_INVALID for an option, DATA_INVALID for a file that cannot be read
 */
export async function openData(
  input: DataArguments,
): Promise<Pick<MockOptions, 'data' | 'dataCount' | 'seed'>> {
  const count = input['data-count'];
  const file = input.data === undefined ? undefined : checkText('data', input.data);
  const options = {
    ...(count === undefined
      ? {}
      : { dataCount: checkNumber('data-count', count, { from: 0, to: mostRows, whole: true }) }),
    ...(input.seed === undefined ? {} : { seed: checkNumber('seed', input.seed, numberRanges.seed) }),
  };
  if (file === undefined) return options;
  const { readData } = await import('../mock/state/data-file.ts');
  return { ...options, data: await readData(file) };
}

/** The list of rules that a file holds, alone or as the control interface lists them. */
function findList(
  root: JsonValue,
): { readonly pointer: string; readonly list: readonly JsonValue[] } | undefined {
  if (Array.isArray(root)) return { pointer: '', list: root };
  const { faults } = isJsonObject(root) ? root : {};
  return Array.isArray(faults) ? { pointer: '/faults', list: faults } : undefined;
}

/**
 * Reads a file of rules, a list of them, JSON by its name, else YAML or JSON.
 *
 * @throws ClocheError OPTION_INVALID where it cannot be read
 * @throws DocumentError DOCUMENT_SYNTAX or OPTION_INVALID, with every rule that cannot be used at its line
 */
async function readFaults(
  file: string,
  { operations }: Pick<Contract, 'operations'>,
): Promise<readonly FaultRule[]> {
  const read = await readLocatedFile({
    file,
    what: 'the fault rules',
    code: 'OPTION_INVALID',
    remedyOfNone: 'Name a file that there is',
    mayBeMissing: false,
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

function toDelayRule(value: unknown): FaultRule {
  const text = checkText('delay', value);
  const delay = parseDelay(text);
  if (delay === undefined) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      subject: `--delay ${text}`,
      reason: 'it takes milliseconds from 0 to 3600000, or two of them, the smaller one first',
      remedy: 'Give a number, as in --delay 200, or a range, as in --delay 200..400',
    });
  }
  return { id: 'delay', delay };
}

/**
 * Reads the rules that a mock starts with: those of a file, and the delay of whatever they leave alone.
 *
 * @throws ClocheError OPTION_INVALID for a delay that is none, or a file that cannot be read
 * @throws DocumentError DOCUMENT_SYNTAX or OPTION_INVALID, with every rule that cannot be used at its line
 */
export async function openFaults(
  input: FaultArguments,
  contract: Pick<Contract, 'operations'>,
): Promise<readonly FaultRule[]> {
  const late = input.delay === undefined ? [] : [toDelayRule(input.delay)];
  if (input.faults === undefined) return late;
  return [...(await readFaults(checkText('faults', input.faults), contract)), ...late];
}

/**
 * Which pages of other origins a mock lets in, as a command was told.
 *
 * @throws ClocheError OPTION_INVALID where it was told both to let some in and to let none in
 */
export function readCors(input: CorsArguments): CorsOptions | false {
  const origins = input['cors-origin'];
  if (!input.cors && origins.length > 0) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the option',
      subject: `--cors-origin ${origins[0]}`,
      reason: '--no-cors lets no page of another origin in',
      remedy: 'Leave one of them out',
    });
  }
  if (!input.cors) return false;
  return origins.length === 0 ? {} : { origins };
}
