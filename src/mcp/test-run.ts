import { resolve } from 'node:path';
import type { Contract, Operation } from '../contract/contract.ts';
import { readVersion } from '../document/package-manifest.ts';
import { nameInRepository } from '../document/source.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { createRunCredentialHider } from '../events/hide-credentials.ts';
import type { HeaderList } from '../http/message.ts';
import { quoteWord } from '../http/shell-quoting.ts';
import { addDocumentAnswers } from '../policy/document-answers.ts';
import type { Policy } from '../policy/policy.ts';
import { readRunAnswers } from '../policy/read-policy.ts';
import { listForAgent, renderFindingForAgent, renderVerdictForAgent } from '../report/agent.ts';
import { type CollectedRun, createEndReport } from '../report/collect.ts';
import { createJsonReport } from '../report/json.ts';
import { viewFaults } from '../report/view/finding-view.ts';
import type { RepositoryOptions } from '../report/view/place.ts';
import { runSuites } from '../runner/run.ts';
import type { Suite } from '../runner/suite.ts';
import { makeToken } from '../session/credentials.ts';
import { createSecretList, listSecretsOfBoth } from '../session/secrets.ts';
import { openUrlTarget } from '../session/url-target.ts';

/** A run that has ended, with the options of its reports. */
export interface FinishedRun {
  readonly run: CollectedRun;
  readonly options: RepositoryOptions;
  /** The JSON report. */
  readonly json: string;
}

/** A run to start. */
interface WantedRun {
  readonly contract: Contract;
  readonly document: string;
  readonly policy: string | undefined;
  readonly given: Partial<Policy>;
  readonly baseUrl: string;
  /** Whether the base URL is that of the mock, which accepts any credentials. */
  readonly isMock: boolean;
  readonly token: string | undefined;
  readonly headers: HeaderList;
  readonly folder: string;
  readonly excluded: readonly Operation[];
  readonly suites: readonly Suite[];
  readonly seed: number | undefined;
  readonly maxTimeMs: number;
  readonly readOnly: boolean;
  /** Whether operations that are left out are never sent. */
  readonly isolated: boolean;
  readonly signal: AbortSignal;
}

async function openTarget({ contract, baseUrl, given, isMock, token, headers }: WantedRun) {
  const answers = await readRunAnswers(contract.source);
  return openUrlTarget({
    contract,
    baseUrl,
    token: isMock ? makeToken(contract) : token,
    headers,
    answers: isMock ? { ...answers, 'accepted-tokens': 'any' } : answers,
    given: addDocumentAnswers(given, contract),
  });
}

function toReportOptions(
  { contract, document, policy, folder }: WantedRun,
  target: Awaited<ReturnType<typeof openTarget>>,
): Omit<RepositoryOptions, 'write'> {
  const secrets = createSecretList(listSecretsOfBoth(target, undefined));
  const words = ['npx cloche test', quoteWord(target.baseUrl), '--document', quoteWord(document)];
  return {
    contract,
    source: document,
    baseUrl: target.baseUrl,
    command: [...words, ...(policy === undefined ? [] : ['--policy', quoteWord(policy)])].join(' '),
    headers: target.headers,
    insecure: false,
    secrets: secrets.values,
    secretMeanings: secrets.meanings,
    toolVersion: readVersion(),
    replayed: undefined,
    strict: false,
    now: Date.now,
    nameInRepository: (file) => nameInRepository(resolve(folder, file), folder),
  };
}

/**
 * Runs suites on a service at a URL, for the reports of {@link FinishedRun}.
 *
 * @throws ClocheError OPTION_INVALID for a base URL that cannot be used, CANNOT_JUDGE if the service cannot be tested
 */
export async function runTests(wanted: WantedRun): Promise<FinishedRun> {
  const { contract, suites, isMock, seed = 1, excluded, maxTimeMs, readOnly, isolated, signal } = wanted;
  const target = await openTarget(wanted);
  let json = '';
  let run: CollectedRun | undefined;
  const options = { ...toReportOptions(wanted, target), write: (text: string) => void (json += text) };
  const reports = [createEndReport(options, (ended) => void (run = ended)), createJsonReport(options)];
  const hide = createRunCredentialHider(contract);
  try {
    await runSuites(suites, target, {
      excluded,
      seed,
      maxTimeMs,
      readOnly,
      isolated,
      signal,
      unsafeMethods: isMock,
      emit(event) {
        const shown = hide.event(event);
        reports.forEach((report) => report.read(shown));
      },
    });
  } finally {
    await target.close();
  }
  reports.forEach((report) => report.end({ isWhole: true }));
  if (run === undefined) {
    throw new ClocheError('INTERNAL', {
      attempt: 'run',
      subject: 'the tests',
      reason: 'the run sent no events',
      remedy: 'Report this, with the document',
    });
  }
  return { run, options, json };
}

/** Returns the verdict of a run, and its faults, a line for each. */
export function summarizeRun({ run, options }: FinishedRun): string {
  const faults = viewFaults(run.result.findings, options);
  const next = 'read_finding shows one of them with its request.';
  return [
    renderVerdictForAgent(run, options),
    ...(faults.length === 0 ? [] : [listForAgent(faults), next]),
  ].join('\n\n');
}

/** Returns a finding as Markdown; undefined if the run has none with the id. */
export function findReported({ run, options }: FinishedRun, id: string): string | undefined {
  const all = viewFaults(run.result.findings, options).flatMap(({ first, others }) => [first, ...others]);
  const view = all.find((one) => one.id === id);
  return view && renderFindingForAgent(view, options);
}
