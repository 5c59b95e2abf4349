import { createTextStyle, escapeControls, type TextStyle } from '../../errors/console-text.ts';
import type { Exchange } from '../../http/message.ts';
import { proxySecrets } from '../../http/outgoing-proxy.ts';
import { redacted, redactText } from '../../http/redact.ts';
import { holdPolicy } from '../../policy/policy.ts';
import { readRunAnswers } from '../../policy/read-policy.ts';
import { TrafficJudge } from '../../proxy/judge-traffic.ts';
import { openProxy } from '../../proxy/server/proxy.ts';
import { createJudgingQueue } from '../../proxy/server/record.ts';
import { titleOf } from '../../report/view/finding-view.ts';
import type { NotChecked, TrafficEvent, TrafficResult } from '../../events/events.ts';
import { cannotJudge } from '../../session/throttle.ts';
import { demandUrl, parseServiceUrl, readArguments } from '../arguments.ts';
import { awaitService, readConnection, toCurlConnection } from '../connection.ts';
import { openContract } from '../contract.ts';
import { readKnownCredentials } from '../credentials.ts';
import { readExcluded } from '../selection.ts';
import type { ArgumentsOf, Given } from '../../config/command-options.ts';
import { waitForSignal } from '../process.ts';
import { type OpenExtensions, openExtensionFiles } from '../extensions.ts';
import { exitCodeOf, placeReports, startReports } from '../reports.ts';
import { createSecretList, tokenSecrets } from '../../session/secrets.ts';
import { createLineWriter, hasColour, printLines, terminalWidth } from '../terminal.ts';
import type { proxyCommand } from './proxy.ts';
import { describeReach } from '../listening.ts';

/** The maximum content of a recorded exchange, in bytes. */
const mostRecorded = 64 * 1_024 * 1_024;

/** The width of the column of method and path. Longer ones shift the columns after it. */
const widestTarget = 32;

function renderHead({ request, answer, durationMs }: Exchange, startedAt: number, number: number): string {
  const time = new Date(startedAt).toTimeString().slice(0, 8);
  const status = answer.kind === 'response' ? answer.response.status : '---';
  const target = escapeControls(`${request.method.padEnd(7)} ${request.target}`).padEnd(widestTarget);
  return `${String(number).padStart(5)} ${time} ${target} ${status} ${durationMs.toFixed(1).padStart(6)} ms`;
}

/**
 * Creates a log that writes judged traffic as lines while it passes: one for each exchange, and one for the first
 * occurrence of each finding. Undefined `columns` cut no line.
 */
export function createTrafficLog(options: {
  readonly paint: TextStyle;
  /** Texts that must not appear. */
  readonly secrets: readonly string[];
  readonly columns: () => number | undefined;
  readonly writeLine: (line: string) => void;
}): (event: TrafficEvent, number: number) => void {
  const { paint, secrets, columns, writeLine } = options;

  function write(text: string): void {
    const line = escapeControls(redactText(text, secrets));
    const width = columns();
    writeLine(width !== undefined && line.length > width ? `${line.slice(0, width - 1)}…` : line);
  }

  return (event, number) => {
    if (event.kind === 'traffic-exchange') {
      const { judged, startedAt } = event;
      write(`${renderHead(judged.exchange, startedAt, number)}  ${judged.operation?.id ?? ''}`);
    }
    if (event.kind === 'traffic-unjudged') {
      write(`${renderHead(event.exchange, event.startedAt, number)}  not judged: ${event.reason}`);
    }
    if (event.kind !== 'traffic-finding') return;
    const { finding, id } = event.finding;
    const words = redactText(`${titleOf(finding)}: ${finding.received}`, secrets);
    const room = (columns() ?? Infinity) - id.length - 11;
    const short = escapeControls(words.length > room ? `${words.slice(0, Math.max(0, room - 1))}…` : words);
    const mark = finding.level === 'violation' ? paint('violation', '✗') : paint('warning', '!');
    writeLine(`      ${mark} ${short} ${paint('faint', `[${id}]`)}`);
  };
}

const notChecked: readonly NotChecked[] = [
  { what: 'framing', reason: 'the proxy sees few of the bytes around content; cloche test sees them all' },
];

/**
 * Runs `cloche proxy` until it is stopped, then prints what was found and sets the exit code.
 *
 * @throws ClocheError for options, documents and ports that cannot be used, CANNOT_JUDGE if no exchange can be judged
 */
export async function runProxy(words: Given<ArgumentsOf<typeof proxyCommand>>): Promise<void> {
  const input = readArguments(words);
  const opened = await openExtensionFiles(input.extension);
  await opened.during(() => proxyTraffic(words, input, opened));
}

async function proxyTraffic(
  words: Given<ArgumentsOf<typeof proxyCommand>>,
  input: ArgumentsOf<typeof proxyCommand>,
  { judges, during }: OpenExtensions,
): Promise<void> {
  const baseUrl = parseServiceUrl(demandUrl('proxy', input['base-url']));
  const connection = await readConnection(input, baseUrl);
  const { contract, given, notices } = await openContract(input);
  const tokens = await readKnownCredentials(input, contract, words.settings?.get('credentials'));
  const excluded = readExcluded(contract, input);
  const held = holdPolicy({ beside: await readRunAnswers(contract.source), given });
  // The judge hides credentials; a given token may also occur in other places.
  const secrets = createSecretList(
    [redacted, ...tokens, ...tokens.flatMap(tokenSecrets), ...proxySecrets(connection.proxy)].map(
      (value) => ({ value, meaning: 'the token' }),
    ),
  );
  const { record } = input;
  const placed = placeReports(record === undefined ? input.report : [...input.report, `har=${record}`]);
  const { stream } = placed;
  await awaitService(input, { ...connection, baseUrl, timeoutMs: 5_000 });
  const writer = createLineWriter(stream);
  const log = createTrafficLog({
    paint: createTextStyle(hasColour(stream)),
    secrets: secrets.values,
    columns: () => terminalWidth(stream),
    writeLine: (line) => writer.write(line),
  });
  const reports = await startReports(placed, {
    contract,
    secrets,
    baseUrl,
    command: 'npx cloche proxy',
    shell: input.shell,
    ...toCurlConnection(input, connection.proxy),
    headers: [],
    replayed: undefined,
    strict: input.strict,
    coverage: input.coverage,
    // A progress line would appear between the lines of the log.
    progress: false,
  });

  async function judgeWhatPasses(): Promise<TrafficResult> {
    const stopped = waitForSignal();
    let current = 0;
    let failure: Error | undefined;
    const proxy = await openProxy({
      baseUrl: new URL(baseUrl),
      port: input.port,
      host: input.host,
      ...connection,
      judgeLimit: Math.max(input['judge-limit'], record === undefined ? 0 : mostRecorded),
      mark: input.mark,
      take: (traffic) => queue.add(traffic),
    });
    const judge = new TrafficJudge({
      contract,
      target: baseUrl,
      from: `proxy on ${proxy.url}`,
      ...held,
      tokens,
      maxResponseMs: input['max-response-time'],
      judges,
      notChecked,
      excluded,
      emit(event) {
        reports.read(event);
        if (!input.quiet || event.kind === 'traffic-finding') {
          log(event, current);
        }
      },
    });
    const queue = createJudgingQueue((traffic) => {
      current = traffic.number;
      try {
        judge.read(traffic);
      } catch (error) {
        // The error must not affect the traffic; it is thrown at the end.
        failure ??= error instanceof Error ? error : new Error(String(error));
      }
    });
    printLines(process.stderr, [...notices, ...describeReach(proxy)]);
    await stopped;
    await proxy.close();
    queue.flush();
    writer.flush();
    if (failure !== undefined) throw failure;
    const ended = judge.end();
    if (ended.judged === 0) {
      const reason = ended.unjudged.length === 0 ? 'nothing passed' : 'nothing that passed can be judged';
      throw cannotJudge(baseUrl, reason, `Send requests to ${proxy.url}, to paths of the document`);
    }
    return ended;
  }

  const result = await reports.during(() => during(judgeWhatPasses, tokens));
  process.exitCode = exitCodeOf(result, { strict: input.strict }) || process.exitCode;
}
