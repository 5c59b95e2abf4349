import { redacted } from '../http/redact.ts';
import { holdPolicy } from '../policy/hold-policy.ts';
import { readRunAnswers } from '../policy/read-run-answers.ts';
import { createTrafficJudge } from '../proxy/create-traffic-judge.ts';
import { createJudgingQueue } from '../proxy/server/create-judging-queue.ts';
import { openProxy } from '../proxy/server/open-proxy.ts';
import { createPaint } from '../errors/console-text.ts';
import { cannotJudge } from '../runner/cannot-judge.ts';
import type { NotChecked } from '../runner/run-event.ts';
import type { TrafficResult } from '../runner/traffic-event.ts';
import { createTrafficLog } from './create-traffic-log.ts';
import { describeReach } from './describe-reach.ts';
import { exitCodeOf } from './exit-code.ts';
import { parseServiceUrl } from './parse-service-url.ts';
import { openContract } from './policy/open-contract.ts';
import { readAuthority } from './read-authority.ts';
import type { ProxyArguments } from './read-proxy-arguments.ts';
import { readTokens } from './read-tokens.ts';
import { placeReports } from './reports/place-reports.ts';
import { startReports } from './reports/start-reports.ts';
import { createLineWriter, hasColour, printLines, terminalWidth } from './terminal.ts';
import { waitForSignal } from './wait-for-signal.ts';

const notChecked: readonly NotChecked[] = [
  {
    what: 'framing',
    reason: 'the proxy sees few of the bytes around content; cloche test sees them all',
  },
];

/**
 * Runs `cloche proxy` until it is told to stop, then prints what was found and sets the exit code.
 *
 * @throws ClocheError for options, documents and ports that cannot be used, CANNOT_JUDGE where nothing that passed can
 *   be judged
 */
export async function runProxy(input: ProxyArguments): Promise<void> {
  const baseUrl = parseServiceUrl(input['base-url'] ?? '');
  const ca = input.ca === undefined ? undefined : await readAuthority(input.ca);
  const { contract, given, notices } = await openContract(input);
  const tokens = await readTokens({ token: input.token, tokenFile: undefined });
  const held = holdPolicy({ beside: await readRunAnswers(contract.source), given });
  const placed = placeReports(input.report);
  const { stream } = placed;
  // A reader of the output that goes away is no reason to stop forwarding.
  stream.on('error', () => undefined);
  const writer = createLineWriter(stream);
  const log = createTrafficLog({
    paint: createPaint(hasColour(stream)),
    secrets: tokens,
    columns: () => terminalWidth(stream),
    writeLine: (line) => writer.write(line),
  });
  const reports = await startReports(placed, {
    contract,
    // The judge hides what credentials there are; a given token may stand elsewhere too.
    secrets: [redacted, ...tokens].map((value) => ({ value, meaning: 'the token' })),
    baseUrl,
    command: 'npx cloche proxy',
    insecure: input.insecure,
    ca: input.ca,
    headers: [],
    replayed: undefined,
    strict: input.strict,
    coverage: input.coverage,
    // Its line would stand between those of the log.
    progress: false,
  });

  async function judgeWhatPasses(): Promise<TrafficResult> {
    const stopped = waitForSignal();
    let current = 0;
    let failure: Error | undefined;
    const proxy = await openProxy({
      baseUrl: new URL(baseUrl),
      port: input.port,
      host: input.host ?? '127.0.0.1',
      insecure: input.insecure,
      ca,
      judgeLimit: input['judge-limit'],
      mark: input.mark,
      take: (traffic) => queue.add(traffic),
    });
    const judge = createTrafficJudge({
      contract,
      target: baseUrl,
      from: `proxy on ${proxy.url}`,
      ...held,
      tokens,
      notChecked,
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
        // What passes must not suffer from it; it is told at the end.
        failure ??= error instanceof Error ? error : new Error(String(error));
      }
    });
    const said = [...notices, ...describeReach(proxy)];
    printLines(process.stderr, said);
    await stopped;
    await proxy.close();
    queue.flush();
    writer.flush();
    if (failure !== undefined) {
      throw failure;
    }
    const ended = judge.end();
    if (ended.judged === 0) {
      const reason = ended.unjudged.length === 0 ? 'nothing passed' : 'nothing that passed can be judged';
      throw cannotJudge(baseUrl, reason, `Send requests to ${proxy.url}, to paths of the document`);
    }
    return ended;
  }

  const result = await reports.during(judgeWhatPasses);
  process.exitCode = exitCodeOf(result, input.strict) || process.exitCode;
}
