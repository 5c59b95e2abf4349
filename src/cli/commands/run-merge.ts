import { readFileSync } from 'node:fs';
import type { ArgumentsOf, Given } from '../../config/command-options.ts';
import type { Contract } from '../../contract/contract.ts';
import { packageFile } from '../../document/package-manifest.ts';
import { ClocheError, describeReadFailure } from '../../errors/cloche-error.ts';
import type { RunResult } from '../../events/events.ts';
import { redacted } from '../../http/redact.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { fingerprintDocument } from '../../report/json.ts';
import { readShardResult, type ShardReport } from '../../report/shard-report.ts';
import { mergeRuns } from '../../runner/merge-runs.ts';
import { compileSchema } from '../../schema/compile.ts';
import { readArguments } from '../arguments.ts';
import { openBaseline, saveBaseline, toBaseline } from '../baseline.ts';
import { openDocument } from '../contract.ts';
import { invalidOption } from '../process.ts';
import { exitCodeOf, parseReports, placeReports, startReports } from '../reports.ts';
import { cannotJudge } from '../../session/throttle.ts';
import { createSecretList, type SecretList } from '../../session/secrets.ts';
import { mockBaseUrl } from '../service.ts';
import type { mergeCommand } from './merge.ts';

/** A report of a shard, and the name of its file. */
interface ShardFile {
  readonly file: string;
  readonly report: ShardReport;
}

function refuse(file: string, reason: string, remedy: string): ClocheError {
  return new ClocheError('OPTION_INVALID', { attempt: 'merge', subject: file, reason, remedy });
}

const howToWrite = 'Write one with cloche test --shard 1/3 --report json=FILE';

/** Creates a reader of reports. @throws ClocheError OPTION_INVALID for a file that is no report of a shard */
function createShardReader(): (file: string) => ShardFile {
  // `as`: the published schema is a JSON object.
  const schema = JSON.parse(readFileSync(packageFile('spec', 'report.schema.json'), 'utf8')) as JsonObject;
  const validate = compileSchema({ schema, pointer: '' }).validator({
    formats: 'assert',
    integers: 'by-value',
  });
  return (file) => {
    const value = parse(file);
    const isReport = value !== null && typeof value === 'object' && '$schema' in value;
    if (!isReport || value['$schema'] !== schema['$id'])
      throw refuse(file, 'it is no JSON report of Cloche', howToWrite);
    const [problem] = validate(value, false);
    if (problem !== undefined) {
      throw refuse(
        file,
        `it is damaged at ${problem.pointer || 'its root'}`,
        'Write it again, with this version of Cloche',
      );
    }
    if (!('shard' in value))
      throw refuse(file, 'it is the report of a whole run, not of a shard', howToWrite);
    // `as`: the value fits the schema, and the version of Cloche that wrote it is compared below.
    return { file, report: value as unknown as ShardReport };
  };
}

function parse(file: string): JsonValue {
  try {
    // `as`: JSON.parse returns JSON.
    return JSON.parse(readFileSync(file, 'utf8')) as JsonValue;
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? 'it is no JSON' : describeReadFailure(cause);
    throw refuse(file, reason, howToWrite);
  }
}

/** What all shards of a run have in common, and what to do if they do not. */
const common: readonly {
  readonly of: (report: ShardReport) => string | number;
  readonly differs: (own: string | number, first: string | number) => string;
  readonly remedy: string;
}[] = [
  {
    of: ({ tool }) => tool.version,
    differs: (own, first) => `Cloche ${own} wrote it, and ${first} the first report`,
    remedy: 'Run all shards with one version of Cloche',
  },
  {
    of: ({ shard }) => shard.total,
    differs: (own, first) => `it is one of ${own} shards, and the first report is one of ${first}`,
    remedy: 'Merge the shards of one run',
  },
  {
    of: ({ seed }) => seed,
    differs: (own, first) => `its seed is ${own}, and that of the first report is ${first}`,
    remedy: 'Run all shards with the same --seed',
  },
  {
    of: ({ shard }) => shard.document,
    differs: () => 'it tested another document than the first report, or another version of it',
    remedy: 'Run all shards with the same document',
  },
  {
    of: ({ shard }) => shard.plan,
    differs: () => 'it ran with other suites or options than the first report',
    remedy: 'Run all shards with the same options',
  },
];

/**
 * Sorts the reports of all shards of one run by their index.
 *
 * @throws ClocheError OPTION_INVALID if they are not of one run, or a shard is missing or repeated
 */
function sortShards(files: readonly ShardFile[]): readonly [ShardFile, ...ShardFile[]] {
  const [first] = files;
  if (first === undefined) throw refuse('no report', 'there is nothing to merge', howToWrite);
  for (const { of, differs, remedy } of common) {
    const other = files.find(({ report }) => of(report) !== of(first.report));
    if (other !== undefined) throw refuse(other.file, differs(of(other.report), of(first.report)), remedy);
  }
  const { total } = first.report.shard;
  const byIndex = new Map<number, ShardFile>();
  for (const each of files) {
    const { index } = each.report.shard;
    const other = byIndex.get(index);
    if (other !== undefined) {
      throw refuse(each.file, `it is shard ${index}, as ${other.file} is`, 'Name each shard once');
    }
    byIndex.set(index, each);
  }
  const missing = Array.from({ length: total }, (_, at) => at + 1).find((index) => !byIndex.has(index));
  if (missing !== undefined) {
    const names = files.map(({ file }) => file).join(', ');
    throw refuse(
      names,
      `shard ${missing} of ${total} is missing`,
      `Add its report, or run it with --shard ${missing}/${total}`,
    );
  }
  const [start = first, ...others] = files.toSorted(
    (one, other) => one.report.shard.index - other.report.shard.index,
  );
  return [start, ...others];
}

/** Reads the document that the shards tested. @throws ClocheError if it cannot be read, or is another one */
async function openTested(
  { report }: ShardFile,
  input: Pick<ArgumentsOf<typeof mergeCommand>, 'document' | 'allow-references' | 'overlay-in'>,
): Promise<Contract> {
  const source = input.document ?? report.contract.source;
  const remedy = 'Run cloche merge in the folder where the shards ran, or name the document with --document';
  const contract = await openDocument(source, { ...input, 'strict-document': false }).catch(
    (error: unknown) => {
      if (!(error instanceof ClocheError) || error.code !== 'DOCUMENT_UNREADABLE') throw error;
      const { reason, attempt, subject } = error;
      throw new ClocheError(error.code, { attempt, subject, reason, remedy, cause: error });
    },
  );
  if (fingerprintDocument(contract) === report.shard.document) return contract;
  throw refuse(source, 'the shards tested another document, or another version of it', remedy);
}

/**
 * Runs `cloche merge`: prints what all shards found together, writes reports, and sets the exit code.
 *
 * @throws ClocheError for options and reports that cannot be used; CANNOT_JUDGE if a shard could not judge the service
 */
export async function runMerge(words: Given<ArgumentsOf<typeof mergeCommand>>): Promise<void> {
  await mergeReports(readArguments(words));
}

/** The options of a merge that a run of several workers has too. */
type MergeInput = Omit<ArgumentsOf<typeof mergeCommand>, 'files'> & { readonly files: readonly string[] };

/**
 * Merges reports: those of shards, or of the threads of one run, whose number is `workers`.
 *
 * @throws ClocheError as {@link runMerge}
 */
export async function mergeReports(
  input: MergeInput,
  { workers }: { readonly workers?: number } = {},
): Promise<void> {
  if (parseReports(input.report).some(({ kind }) => kind === 'har')) {
    throw invalidOption(
      '--report har',
      `reports of ${workers === undefined ? 'shards' : 'workers'} do not have all exchanges`,
      workers === undefined ? 'Write har files in the shards' : 'Leave --workers out',
    );
  }
  const baseline = await openBaseline(input);
  const files = sortShards(input.files.map(createShardReader()));
  const [{ report: first }] = files;
  const contract = await openTested(files[0], input);
  const brokenOff = files.find(({ report }) => report.end.kind === 'broken-off');
  const hasConnection = /^https?:/u.test(first.target);
  const [demanded] = files.flatMap(({ report }) => report.shard.minCoverage ?? []);
  const rules = {
    strict: input.strict || files.some(({ report }) => report.strict),
    minCoverage: input['min-coverage'] ?? demanded,
  };
  const detail = input.verbose ? 'whole' : 'usual';
  const placed = placeReports(input.report);
  const reports = await startReports(placed, {
    ...rules,
    contract,
    secrets: listHiddenSecrets(files),
    baseUrl: hasConnection ? first.target : mockBaseUrl,
    command: first.command,
    shell: input.shell,
    insecure: false,
    headers: [],
    replayed: undefined,
    coverage: input.coverage,
    detail: input.quiet ? 'verdict' : detail,
    now: () => Math.min(...files.map(({ report }) => Date.parse(report.startedAt))),
  });
  const [, ...others] = files;
  const result = await reports.during(async () => {
    const results = others.map(({ report }) => readShardResult(report, contract));
    const merged = mergeRuns([readShardResult(first, contract), ...results], {
      baseline: baseline && toBaseline(baseline, first.shard.suites !== undefined),
      hasConnection,
      isWhole: brokenOff === undefined,
      untested: first.shard.untested,
    });
    const isTried = merged.findings.length > 0 || merged.properties.some(({ cases }) => cases > 0);
    const final =
      baseline !== undefined && input['update-baseline'] && brokenOff === undefined
        ? await saveBaseline(baseline, merged, rules)
        : merged;
    emitAll(final, files, { contract, workers, read: reports.read });
    if (brokenOff !== undefined) throw describeBreak(brokenOff, workers === undefined);
    // Time is all that keeps each part of one run from trying a case, and a part alone does not know of the others.
    if (workers !== undefined && !isTried && !merged.interrupted) {
      const reason = 'its time was over before a case of any suite was tried';
      throw cannotJudge(first.target, reason, 'Give more with --max-time');
    }
    return final;
  });
  process.exitCode = exitCodeOf(result, rules) || process.exitCode;
}

/** Lists the secrets of the shards by their descriptions. Reports contain one mark for all, and curl lines variables. */
function listHiddenSecrets(files: readonly ShardFile[]): SecretList {
  const lists = files.map(({ report }) => report.shard.secrets ?? []);
  const [most = []] = lists.toSorted((one, other) => other.length - one.length);
  const [token = 'the token', ...others] = most;
  return createSecretList([
    { value: redacted, meaning: token },
    ...others.map((meaning) => ({ value: '', meaning })),
  ]);
}

/** The parts of the message of a {@link ClocheError}. */
const errorSentence = /^Failed to (?<attempt>[^"]+) "(?<subject>.*?)": (?<reason>.*?)\. (?<remedy>.*)\.$/su;
const errorCodes = { 2: 'OPTION_INVALID', 3: 'CANNOT_JUDGE', 4: 'INTERNAL' } as const;

/** Returns the error with which a shard broke off, or a thread of a run, whose error is that of the run. */
function describeBreak({ file, report: { end, target } }: ShardFile, isShard: boolean): ClocheError {
  const { why = 'the service could no longer be judged', exitCode = 3 } = end;
  const {
    attempt = 'judge',
    subject = target,
    reason = why.replace(/\.$/u, ''),
    remedy = exitCode === 4 ? 'Please report this' : 'Correct that',
  } = errorSentence.exec(why)?.groups ?? {};
  return new ClocheError(
    errorCodes[exitCode],
    isShard
      ? {
          attempt: 'judge',
          subject: file,
          reason: `its run broke off: ${reason}`,
          remedy: `${remedy}. Then run this shard again`,
        }
      : { attempt, subject, reason, remedy },
  );
}

/** Passes the events of a merged run to reports. */
function emitAll(
  result: RunResult,
  files: readonly ShardFile[],
  {
    contract,
    workers,
    read,
  }: {
    readonly contract: Contract;
    readonly workers: number | undefined;
    readonly read: Awaited<ReturnType<typeof startReports>>['read'];
  },
): void {
  const { title, version, source } = contract;
  read({
    kind: 'run-started',
    target: [...new Set(files.map(({ report }) => report.target))].join(', '),
    contract: { title, version, source },
    seed: result.seed,
    keys: result.keys,
    properties: files.reduce((sum, { report }) => sum + report.figures.properties, 0),
    cases: result.planned,
    creates: 0,
    merged: files.length,
    ...(workers === undefined ? {} : { workers }),
  });
  for (const finding of result.findings) read({ kind: 'finding', finding });
  for (const property of result.properties) read({ kind: 'property-finished', result: property });
  read({ kind: 'run-finished', result });
}
