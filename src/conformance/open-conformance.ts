import { allSuites } from '../../suites/all-suites.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { loadContract } from '../contract/load.ts';
import { readKnownValues } from '../contract/read-known-values.ts';
import { listExcluded } from '../contract/selection.ts';
import { readFileBytes } from '../document/read-file.ts';
import { createTextStyle, toConsoleLine } from '../errors/console-text.ts';
import { ClocheError, describeReadFailure } from '../errors/cloche-error.ts';
import type { Baseline, RunFinding, RunResult } from '../events/events.ts';
import { createRunCredentialHider } from '../events/hide-credentials.ts';
import { readBaseline } from '../events/read-baseline.ts';
import { serveInMemory } from '../http/memory-connection.ts';
import { quoteWord } from '../http/shell-quoting.ts';
import { addDocumentAnswers } from '../policy/document-answers.ts';
import { checkPolicy } from '../policy/policy-file.ts';
import { type EnforcedPolicy, holdPolicy, mergeAnswers } from '../policy/policy.ts';
import { readPolicyFile, readRunAnswers } from '../policy/read-policy.ts';
import { plural } from '../report/format.ts';
import { failsRun } from '../report/report.ts';
import { renderView } from '../report/text/finding.ts';
import { viewFindings } from '../report/view/finding-view.ts';
import { openExtensions, registerExtensions } from '../runner/extension.ts';
import { runSuites } from '../runner/run.ts';
import { pickSuites, type Suite } from '../runner/suite.ts';
import type { Against, RunOptions, Target } from '../session/target.ts';
import { type CredentialsProvider, watchProvider } from '../session/credentials.ts';
import { createSecretList, listSecretsOfBoth } from '../session/secrets.ts';
import { openUrlTarget } from '../session/url-target.ts';
import { checkConformanceOptions, type ConformanceOptions, toHeaders } from './options.ts';

/** The error of a test of a service that does not conform to its document. Its message lists the findings. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError';
}

/** A service and a document, ready to be tested. */
export interface Conformance extends EnforcedPolicy {
  readonly contract: Contract;
  /** Operations that are not tested. */
  readonly excluded: readonly Operation[];
  /** The chosen suites. */
  readonly suites: readonly Suite[];
  /**
   * Runs suites on the service.
   *
   * @throws ConformanceError if it does not conform
   * @throws ClocheError CANNOT_JUDGE if it cannot be tested
   */
  readonly run: (
    suites: readonly Suite[],
    how: Pick<RunOptions, 'keys' | 'rateWaitMs'> & { readonly partly?: string },
  ) => Promise<RunResult>;
}

/** The base URL of an app that has none. */
const inProcessUrl = 'http://localhost';

/**
 * Reads the document, the policy and the baseline of conformance tests.
 *
 * @throws ClocheError if they or an option cannot be used
 */
export async function openConformance(options: ConformanceOptions): Promise<Conformance> {
  checkConformanceOptions(options);
  const { extensions = [], policy = {} } = options;
  registerExtensions(extensions);
  const file = typeof policy === 'string' ? await readPolicyFile(policy) : undefined;
  const document = options.document ?? file?.contract;
  const read = await loadContract(document === undefined ? undefined : String(document), {
    followReferences: options.allowReferences ?? false,
    isStrict: options.strictDocument ?? false,
    overlays: options.overlaysIn,
  });
  const contract = await readKnownValues(read, { configured: options.values ?? {} });
  const excluded = listExcluded(contract, options);
  file?.checkOperations(contract);
  const values = typeof policy === 'string' ? file?.policy : checkPolicy(policy, contract);
  const over = checkPolicy(options.answers ?? {}, contract);
  const given = addDocumentAnswers(mergeAnswers(values ?? {}, over), contract);
  const answers = await readRunAnswers(contract.source);
  const baseline = await openBaseline(options.baseline);
  const suites = pickSuites(openExtensions(allSuites, extensions).suites, options.suites ?? []);
  const hide = createRunCredentialHider(contract);
  const { ca } = options;
  const authority = ca === undefined ? undefined : await readAuthority(ca);
  const headers = toHeaders(options.headers);
  /** The credentials that requests carried, which no message may show. */
  const sent = new Set<string>();
  const watch = (provider: CredentialsProvider | undefined): CredentialsProvider | undefined =>
    provider && watchProvider(provider, (credential) => sent.add(credential));

  async function openTarget(): Promise<Target> {
    const { app, fetch } = options;
    return openUrlTarget({
      ...options,
      credentials: watch(options.credentials),
      users: { other: watch(options.users?.other) },
      contract,
      baseUrl: await findUrl(options),
      headers,
      ca: authority,
      connect: app === undefined ? undefined : await serveInMemory(app),
      fetch,
      answers,
      given,
    });
  }

  /** Opens the second service. The document applies to it too; the given policy values do not. */
  async function openReference(): Promise<(Target & Against) | undefined> {
    const { against } = options;
    if (against === undefined) return undefined;
    const reference = await openUrlTarget({
      ...options,
      contract,
      baseUrl: against,
      headers,
      ca: authority,
      fetch: undefined,
    });
    return { ...reference, names: { tested: 'the service', other: 'the other service' } };
  }

  return {
    contract,
    excluded,
    suites,
    ...holdPolicy({ beside: answers, given }),
    async run(chosen, { keys, rateWaitMs, partly }) {
      const { rateWait, maxTime, maxResponseTime } = options;
      const target = await openTarget();
      const against = await openReference();
      try {
        const result = await runSuites(chosen, target, {
          ...options,
          excluded,
          against,
          maxResponseMs: maxResponseTime,
          seed: options.seed ?? 1,
          keys: options.ids ?? keys,
          rateWaitMs: rateWait === undefined ? rateWaitMs : rateWait * 1_000,
          maxTimeMs: maxTime === undefined ? undefined : maxTime * 1_000,
          baseline: baseline && { ...baseline, partly },
          extensions: extensions.map((extension) => ({ ...extension, suites: [] })),
        });
        const shown = hide.result(result);
        const failing = shown.findings.filter((found) => failsRun(found, options));
        if (failing.length > 0) throw toError(failing, { contract, target, against, sent, options });
        return shown;
      } finally {
        await target.close();
        await against?.close();
      }
    },
  };
}

async function findUrl({ url, baseUrl = url }: ConformanceOptions): Promise<string> {
  if (baseUrl === undefined) return inProcessUrl;
  return typeof baseUrl === 'string' ? baseUrl : baseUrl();
}

async function openBaseline(file: string | undefined): Promise<Omit<Baseline, 'partly'> | undefined> {
  if (file === undefined) return undefined;
  const { entries } = await readBaseline(file, { mayBeMissing: false });
  return { entries, today: new Date().toISOString().slice(0, 'YYYY-MM-DD'.length) };
}

async function readAuthority(ca: string): Promise<string> {
  if (ca.includes('-----BEGIN CERTIFICATE-----')) return ca;
  try {
    return new TextDecoder().decode(await readFileBytes(ca));
  } catch (cause) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the certificate authority',
      subject: ca,
      reason: describeReadFailure(cause),
      remedy: 'Name a PEM file with ca, or give its text',
      cause,
    });
  }
}

function toError(
  failing: readonly RunFinding[],
  of: {
    readonly contract: Contract;
    readonly target: Target;
    readonly against: (Target & Against) | undefined;
    readonly sent: ReadonlySet<string>;
    readonly options: ConformanceOptions;
  },
): ConformanceError {
  const { contract, target, against, options } = of;
  const secrets = createSecretList(listSecretsOfBoth(target, against));
  for (const credential of of.sent) secrets.addCredential(credential, 'a credential');
  const { app, fetch, document, policy, insecure = false } = options;
  const words = [
    'npx cloche test',
    quoteWord(target.baseUrl),
    ...(document === undefined ? [] : ['--document', quoteWord(String(document))]),
    ...(typeof policy === 'string' ? ['--policy', quoteWord(policy)] : []),
  ];
  const views = viewFindings(failing, {
    baseUrl: target.baseUrl,
    command: words.join(' '),
    source: contract.source,
    secrets: secrets.values,
    elsewhere: against,
    insecure,
    headers: target.headers,
    contract,
    strict: options.strict ?? false,
  });
  const isInProcess = app !== undefined || fetch !== undefined;
  const texts = views.map((view) => {
    const { found } = view;
    const replay =
      isInProcess && view.replay !== undefined && 'replay' in found
        ? `the options seed: ${found.replay.seed}, path: ${JSON.stringify(found.replay.path)}`
        : view.replay;
    const lines = renderView({ ...view, replay }, { paint: createTextStyle(false) });
    return lines.map((line) => toConsoleLine(line, false)).join('\n');
  });
  const title = `${plural(failing.length, 'finding')}, by ${toConsoleLine(contract.source, false)}`;
  return new ConformanceError([title, ...texts].join('\n\n'));
}
