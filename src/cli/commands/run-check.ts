import type { CheckId } from '../../check/finding.ts';
import type { Contract } from '../../contract/contract.ts';
import { redacted } from '../../http/redact.ts';
import { holdPolicy } from '../../policy/policy.ts';
import { readRunAnswers } from '../../policy/read-policy.ts';
import type { HarExchange } from '../../proxy/har/read-har.ts';
import { findService, toTraffic } from '../../proxy/har/traffic.ts';
import { TrafficJudge } from '../../proxy/judge-traffic.ts';
import type { NotChecked, TrafficResult } from '../../events/events.ts';
import { connectionChecks } from '../../events/ledger.ts';
import { cannotJudge } from '../../session/throttle.ts';
import { parseServiceUrl, readArguments } from '../arguments.ts';
import { openContract } from '../contract.ts';
import { readRecordings } from '../replay.ts';
import { readKnownCredentials } from '../credentials.ts';
import type { ArgumentsOf, Given } from '../../config/command-options.ts';
import { type OpenExtensions, openExtensionFiles } from '../extensions.ts';
import { exitCodeOf, placeReports, startReports } from '../reports.ts';
import { readExcluded } from '../selection.ts';
import { createSecretList, tokenSecrets } from '../../session/secrets.ts';
import { printLines } from '../terminal.ts';
import type { checkCommand } from './check.ts';

/** Checks that a recording does not allow: its bodies are decoded, and its header fields are rewritten. */
const unseen: ReadonlySet<CheckId> = new Set<CheckId>([
  ...connectionChecks,
  'not-http',
  'connection-dropped',
  'timed-out',
]);

const hidden: NotChecked = {
  what: 'whether requests without credentials are accepted',
  reason: 'the recording shows none at all, and browsers leave them out; export it with sensitive data',
};

function listNotChecked(contract: Contract, mayHideCredentials: boolean): readonly NotChecked[] {
  const isGuarded = contract.operations.some(({ security }) => security.flat().length > 0);
  return [
    { what: 'framing', reason: 'a recording holds decoded bodies, not the bytes of a connection' },
    ...(isGuarded && mayHideCredentials ? [hidden] : []),
  ];
}

/**
 * Picks the base URL of the service, and describes how it was found.
 *
 * @throws ClocheError CANNOT_JUDGE if no request is to a path of the document
 */
function pickService(
  contract: Contract,
  entries: readonly HarExchange[],
  { files, 'base-url': baseUrl }: ArgumentsOf<typeof checkCommand>,
): { readonly baseUrl: string; readonly how: string } {
  const subject = files.join(', ');
  if (entries.length === 0) throw cannotJudge(subject, 'it holds no exchange', 'Record some traffic first');
  if (baseUrl !== undefined) return { baseUrl: parseServiceUrl(baseUrl), how: '' };
  const found = findService(contract, entries);
  if (found === undefined) {
    throw cannotJudge(
      subject,
      `none of its ${entries.length} requests is to a path of ${contract.title}`,
      'Name the document with -d, and the service with --base-url',
    );
  }
  const { matches, by } = found;
  const how =
    by === 'servers'
      ? ', with a server of the document'
      : `, in which ${matches.toLocaleString('en-US')} of ${entries.length.toLocaleString('en-US')} requests are to its paths`;
  return { baseUrl: found.baseUrl, how };
}

/**
 * Runs `cloche check`: judges recordings, prints what was found, and sets the exit code.
 *
 * @throws ClocheError for options, documents and files that cannot be used, CANNOT_JUDGE if nothing can be judged
 */
export async function runCheck(words: Given<ArgumentsOf<typeof checkCommand>>): Promise<void> {
  const input = readArguments(words);
  const opened = await openExtensionFiles(input.extension);
  await opened.during(() => checkFiles(words, input, opened));
}

async function checkFiles(
  words: Given<ArgumentsOf<typeof checkCommand>>,
  input: ArgumentsOf<typeof checkCommand>,
  { judges, during }: OpenExtensions,
): Promise<void> {
  const { contract, given, notices } = await openContract(input);
  const entries = await readRecordings(input.files);
  const { baseUrl, how } = pickService(contract, entries, input);
  const traffic = toTraffic({ entries, baseUrl, contract });
  const tokens = await readKnownCredentials(input, contract, words.settings?.get('credentials'));
  const held = holdPolicy({ beside: await readRunAnswers(contract.source), given });
  // The judge hides credentials; a given token may also occur in other places.
  const secrets = createSecretList(
    [redacted, ...tokens, ...tokens.flatMap(tokenSecrets)].map((value) => ({ value, meaning: 'the token' })),
  );
  const placed = placeReports(input.report);
  printLines(process.stderr, notices);
  const reports = await startReports(placed, {
    contract,
    secrets,
    baseUrl,
    command: 'npx cloche check',
    shell: input.shell,
    insecure: false,
    headers: [],
    replayed: undefined,
    strict: input.strict,
    coverage: input.coverage,
  });
  const judgeAll = (): Promise<TrafficResult> => {
    const judge = new TrafficJudge({
      contract,
      target: baseUrl,
      from: `${input.files.join(', ')}${how}`,
      ...held,
      tokens,
      maxResponseMs: input['max-response-time'],
      judges,
      unseen,
      excluded: readExcluded(contract, input),
      notChecked: listNotChecked(
        contract,
        traffic.every(({ mayHideCredentials }) => mayHideCredentials),
      ),
      all: traffic.map(({ exchange }) => exchange),
      emit: reports.read,
    });
    traffic.forEach((one) => judge.read(one));
    const ended = judge.end();
    if (ended.judged === 0) {
      const reason = `none of its ${traffic.length} exchanges can be judged`;
      const remedy = 'The reasons are listed above; another recording, or --base-url, may help';
      throw cannotJudge(input.files.join(', '), reason, remedy);
    }
    return Promise.resolve(ended);
  };
  const result = await reports.during(() => during(async () => judgeAll(), tokens));
  process.exitCode = exitCodeOf(result, { strict: input.strict }) || process.exitCode;
}
