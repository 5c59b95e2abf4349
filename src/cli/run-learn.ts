import { dirname, relative, resolve, sep } from 'node:path';
import type { Contract } from '../contract/contract.ts';
import { loadContract } from '../contract/load-contract.ts';
import { learn } from '../learn/learn.ts';
import type { Learnt } from '../learn/learnt.ts';
import { mostRequestsOf } from '../learn/most-requests.ts';
import { toPolicyFile } from '../learn/to-policy-file.ts';
import type { QuestionId } from '../policy/question-id.ts';
import { createPaint } from '../errors/console-text.ts';
import { plural } from '../report/plural.ts';
import { openUrlTarget } from '../runner/open-url-target.ts';
import { checkToken } from './check-token.ts';
import { interruptSignal } from './interrupt-signal.ts';
import { createLearnReport } from './learn/create-learn-report.ts';
import type { LearnArguments } from './learn/learn-arguments.ts';
import { dryToken, learnDry } from './learn/learn-dry.ts';
import { parseQuestions } from './learn/parse-questions.ts';
import { renderDryRun } from './learn/render-dry-run.ts';
import { openPolicyOutput, type PolicyOutput } from './learn/open-policy-output.ts';
import { listSecrets } from './list-secrets.ts';
import { parseHeader } from './parse-header.ts';
import { parseKeyRange } from './parse-key-range.ts';
import { readAuthority } from './read-authority.ts';
import { readTokens } from './read-tokens.ts';
import { refuseCredentialHeaders } from './refuse-credential-headers.ts';
import { refuseUserinfo } from './refuse-userinfo.ts';
import { showSource } from './show-source.ts';
import { hasColour, printJson, printLines, terminalWidth } from './terminal.ts';

/** The burst for a rate is sent in rounds of as many. */
const connections = 10;

/** The document as a policy file names it; the one that ships goes without saying. */
function contractOf({ document, output }: LearnArguments): string | undefined {
  if (document === undefined || /^https?:/iu.test(document)) {
    return document;
  }
  const path = document.replace(/^file:\/\//iu, '');
  return relative(dirname(resolve(output ?? 'policy.json')), resolve(path))
    .split(sep)
    .join('/');
}

async function readToken({ token }: LearnArguments): Promise<string | undefined> {
  const [found] = await readTokens({ token: token === undefined ? [] : [token], tokenFile: undefined });
  return found === undefined
    ? undefined
    : checkToken(token === undefined ? 'CLOCHE_TOKEN' : '--token', found);
}

interface Plan {
  readonly contract: Contract;
  readonly questions: readonly QuestionId[];
  readonly keys: readonly [from: number, to: number];
  readonly stream: NodeJS.WriteStream;
}

async function listRequests(
  input: LearnArguments,
  { contract, questions, keys, stream }: Plan,
): Promise<void> {
  const { trials, 'max-requests': mostRequests } = input;
  const sent = await learnDry(contract, { keys, questions, trials, mostRequests });
  const paint = createPaint(hasColour(stream));
  const most = Math.min(mostRequests, mostRequestsOf({ contract, trials, questions }));
  const lines = [
    `What would be sent to ${input['base-url']}, if it answered as the mock does:`,
    ...renderDryRun(sent, { paint, width: terminalWidth(stream), token: dryToken }),
    '',
    `${plural(sent.length, 'request')}, and never more than ${most.toLocaleString('en-US')}. Nothing was sent.`,
  ];
  printLines(stream, lines);
}

interface Asking extends Plan {
  readonly output: PolicyOutput | undefined;
}

/** Hands on what was learnt; where the file cannot be written after all, it is not lost. */
function keep(
  learnt: Learnt,
  {
    input,
    output,
    service,
  }: { readonly input: LearnArguments; readonly output: PolicyOutput | undefined; readonly service: string },
): readonly string[] {
  const file = toPolicyFile(learnt, { contract: contractOf(input), service });
  const print = (): void => printJson(file);
  if (output === undefined) {
    print();
    return [];
  }
  if (learnt.interrupted && (output.isThere || learnt.questions.length === 0)) {
    return [output.isThere ? `${input.output} is left as it was.` : 'Nothing is written.'];
  }
  try {
    output.write(file);
  } catch (error) {
    print();
    throw error;
  }
  return [`Written to ${input.output}.`];
}

async function askService(input: LearnArguments, asking: Asking): Promise<void> {
  const { contract, questions, keys, stream } = asking;
  const { trials, 'max-requests': mostRequests } = input;
  const target = await openUrlTarget({
    baseUrl: input['base-url'],
    token: await readToken(input),
    headers: input.header.map(parseHeader),
    connections,
    timeoutMs: input.timeout,
    responseLimit: input['response-limit'],
    insecure: input.insecure,
    ca: input.ca === undefined ? undefined : await readAuthority(input.ca),
    answers: {},
  });
  const { send, name, baseUrl, token } = target;
  const report = createLearnReport({
    paint: createPaint(hasColour(stream)),
    width: terminalWidth(stream),
    writeLine: (line) => printLines(stream, [line]),
  });
  try {
    printLines(stream, [
      `${contract.title} ${contract.version} (${showSource(contract.source)}), asked of ${name}`,
      `keys ${keys[0]} to ${keys[1]}; each question ${plural(trials, 'time')}; at most ${plural(mostRequests, 'request')}`,
    ]);
    const learnt = await learn({
      contract,
      send,
      target: name,
      baseUrl,
      token,
      secrets: listSecrets(target).flatMap(({ value }) => (value === '' ? [] : [value])),
      keys,
      questions,
      trials,
      mostRequests,
      rateWaitMs: input['rate-wait'] * 1_000,
      ...(input.rate === undefined ? {} : { rate: input.rate }),
      signal: interruptSignal(),
      emit: report.read,
    });
    report.end(learnt);
    printLines(stream, keep(learnt, { input, output: asking.output, service: baseUrl }));
    process.exitCode = learnt.interrupted ? 130 : 0;
  } finally {
    await target.close();
  }
}

/**
 * Runs `cloche learn`: asks, and writes the policy; or lists what would be asked.
 *
 * @throws ClocheError for options, documents and services that cannot be used
 */
export async function runLearn(input: LearnArguments): Promise<void> {
  refuseUserinfo(input['base-url'], {
    what: 'the base URL',
    remedy: 'Leave them out, and pass credentials with --token or --header',
  });
  refuseUserinfo(input.document ?? '', {
    what: 'the document',
    remedy: 'Leave them out, and give a copy of the document as a file',
  });
  const questions = parseQuestions(input.question);
  const keys = parseKeyRange(input.ids, true);
  const output =
    input.output === undefined
      ? undefined
      : await openPolicyOutput({
          output: input.output,
          contract: contractOf(input),
          only: input.question.length === 0 ? undefined : questions,
        });
  const contract = await loadContract(input.document, { followReferences: input['allow-references'] });
  refuseCredentialHeaders(input.header.map(parseHeader), contract);
  if (input['dry-run']) {
    await listRequests(input, { contract, questions, keys, stream: process.stdout });
    return;
  }
  const stream = input.output === undefined ? process.stderr : process.stdout;
  await askService(input, { contract, questions, keys, stream, output });
}
