import { existsSync } from 'node:fs';
import { dirname, posix, relative, resolve, sep } from 'node:path';
import type { Contract, Operation } from '../../contract/contract.ts';
import { withoutOperations } from '../../contract/selection.ts';
import { readLocatedFile, schemaPathFor } from '../../document/settings-file.ts';
import { renderYaml } from '../../document/yaml.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { createTextStyle } from '../../errors/console-text.ts';
import { suggestWord } from '../../errors/suggest.ts';
import { indentJson } from '../../json/print.ts';
import type { JsonObject } from '../../json/value.ts';
import type { LearnEvent, LearnOptions, Learnt } from '../../learn/events.ts';
import { learn, mostRequestsOf } from '../../learn/learn.ts';
import { mergePolicyFiles, toPolicyFile } from '../../learn/to-policy-file.ts';
import { createMock } from '../../mock/create-mock.ts';
import { behaviourIds } from '../../policy/behaviours/index.ts';
import { parsePolicy, type PolicyFile } from '../../policy/policy-file.ts';
import type { BehaviourId } from '../../policy/behaviour.ts';
import { parsePolicyText } from '../../policy/read-policy.ts';
import { plural } from '../../report/format.ts';
import { hookTarget } from '../../runner/extension.ts';
import { openUrlTarget } from '../../session/url-target.ts';
import {
  demandUrl,
  parseHeader,
  parseKeyRange,
  readArguments,
  refuseUnusedToken,
  refuseUserinfo,
} from '../arguments.ts';
import { awaitService, readConnection } from '../connection.ts';
import { addKnownValues, openDocument } from '../contract.ts';
import { type OpenExtensions, openExtensionFiles } from '../extensions.ts';
import { readExcluded } from '../selection.ts';
import { openServiceCredentials } from '../credentials.ts';
import { createFileSink, writeTo } from '../file-sink.ts';
import { createLearnReport, renderDryRun } from '../learn-report.ts';
import type { Given } from '../../config/command-options.ts';
import { interruptSignal, invalidOption } from '../process.ts';
import { createSecretList, listSecrets } from '../../session/secrets.ts';
import { hasColour, printJson, printLines, showSource, terminalWidth } from '../terminal.ts';
import type { LearnArguments } from './learn.ts';

/** The token of a dry run: valid as bearer token, API key and basic credentials (RFC 7617 §2). */
const dryToken = 'cloche:dry-run';

/** Probes the in-process mock instead of a service, with a clock that advances only during waits. */
async function learnDry(
  contract: Contract,
  options: Pick<LearnOptions, 'keys' | 'questions' | 'trials' | 'mostRequests' | 'excluded'>,
): Promise<readonly Extract<LearnEvent, { kind: 'exchange' }>[]> {
  let now = Date.now();
  const clock = (): number => now;
  const sent: Extract<LearnEvent, { kind: 'exchange' }>[] = [];
  const mock = await createMock(contract, { tokens: [dryToken], clock });
  try {
    await learn({
      ...options,
      contract,
      send: mock.send,
      token: dryToken,
      clock,
      sleep: async (ms) => {
        now += ms;
      },
      emit(event) {
        if (event.kind === 'exchange') {
          sent.push(event);
        }
      },
    });
  } finally {
    await mock.close();
  }
  return sent;
}

function parseQuestions(words: readonly string[]): readonly BehaviourId[] {
  return words.length === 0
    ? behaviourIds
    : words.map((word) => {
        const found = behaviourIds.find((id) => id === word);
        if (found !== undefined) return found;
        const known = `Name one of ${behaviourIds.toSorted().join(', ')}`;
        const remedy = suggestWord(word, behaviourIds, known);
        throw invalidOption(`--question ${word}`, 'there is no such question', remedy);
      });
}

interface PolicyOutput {
  /** Whether the file exists before anything is written. */
  readonly isThere: boolean;
  /** Renders a policy, as JSON or YAML by the file extension, with the values of the file that stay. */
  readonly render: (policy: JsonObject) => string;
  /** Writes a text completely or not at all. */
  readonly write: (text: string) => void;
}

function normalize(contract: string | undefined): string | undefined {
  return contract === undefined || /^https?:/iu.test(contract) ? contract : posix.normalize(contract);
}

/** Reads the policy of the document in the file, if there is one. @throws ClocheError if it cannot be extended */
async function readHeld(
  file: string,
  { document, contract }: { readonly document: string | undefined; readonly contract: Contract },
): Promise<PolicyFile | undefined> {
  const read = await readLocatedFile({
    file,
    what: 'the policy',
    code: 'POLICY_INVALID',
    remedyOfNone: '',
    mayBeMissing: true,
  });
  if (read === undefined) return undefined;
  const { checkOperations } = await parsePolicyText(file, read.text);
  const held = parsePolicy(read.root).file;
  if (normalize(held.contract) !== normalize(document)) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'add to the policy',
      subject: file,
      reason: `it is that of ${held.contract ?? 'the document that ships with Cloche'}`,
      remedy: 'Name that document with --document, or another file with --output',
    });
  }
  checkOperations(contract);
  return held;
}

/**
 * Opens the policy file before anything is sent, to prevent a loss of results. If `only` some behaviours are probed,
 * the other values of the file stay.
 */
async function openPolicyOutput(
  output: string,
  of: { readonly document: string | undefined; readonly contract: Contract },
  only: readonly BehaviourId[] | undefined,
): Promise<PolicyOutput> {
  if (!/\.(?:json|ya?ml)$/iu.test(output)) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'write the policy',
      subject: output,
      reason: 'its ending does not say whether it is JSON or YAML',
      remedy: 'End it with .json or .yaml',
    });
  }
  const sink = createFileSink(output, 'the policy', { isUpdate: only !== undefined });
  const isJson = /\.json$/iu.test(output);
  const held = only === undefined ? undefined : await readHeld(output, of);
  return {
    isThere: existsSync(output),
    render(policy) {
      // `as`: a policy file is JSON.
      const before = held as unknown as JsonObject | undefined;
      const whole: JsonObject =
        before === undefined || only === undefined
          ? policy
          : mergePolicyFiles({ before, after: policy, asked: only });
      if (isJson) return `${indentJson(whole)}\n`;
      // Editors read the schema of a YAML file from a comment.
      const { $schema, ...members } = whole;
      const schema = typeof $schema === 'string' ? $schema : schemaPathFor('policy', output);
      return `# yaml-language-server: $schema=${schema}\n${renderYaml(members)}`;
    },
    write: (text) => writeTo(sink, text),
  };
}

/** Number of connections. The burst that measures a rate limit is sent in rounds of this size. */
const connections = 10;

/** Returns the document's name in a policy file; the document that ships with Cloche is not named. */
function contractOf({ document, output }: LearnArguments): string | undefined {
  if (document === undefined || /^https?:/iu.test(document)) return document;
  const path = document.replace(/^file:\/\//iu, '');
  return relative(dirname(resolve(output ?? 'policy.json')), resolve(path))
    .split(sep)
    .join('/');
}

/** The behaviours to probe, the service, and the output. */
interface Plan {
  readonly input: LearnArguments & { readonly 'base-url': string };
  /** Undefined for standard output. */
  readonly output: PolicyOutput | undefined;
  readonly contract: Contract;
  /** Operations that are not probed. */
  readonly excluded: readonly Operation[];
  readonly questions: readonly BehaviourId[];
  readonly keys: readonly [from: number, to: number];
  readonly stream: NodeJS.WriteStream;
  readonly reach: Awaited<ReturnType<typeof openServiceCredentials>>;
  readonly opened: OpenExtensions;
}

/** Returns the contract without excluded operations, if they are never sent. */
function sentContract({
  input,
  contract,
  excluded,
}: Pick<Plan, 'input' | 'contract' | 'excluded'>): Contract {
  return input.isolated ? withoutOperations(contract, excluded) : contract;
}

async function listRequests({ input, contract, excluded, questions, keys, stream }: Plan): Promise<void> {
  const { trials, 'max-requests': mostRequests } = input;
  const sent = await learnDry(sentContract({ input, contract, excluded }), {
    excluded,
    keys,
    questions,
    trials,
    mostRequests,
  });
  const paint = createTextStyle(hasColour(stream));
  const most = Math.min(mostRequests, mostRequestsOf({ contract, trials, questions }));
  const lines = [
    `What would be sent to ${input['base-url']}, if it answered as the mock does:`,
    ...renderDryRun(sent, { paint, width: terminalWidth(stream), token: dryToken }),
    '',
    `${plural(sent.length, 'request')}, and never more than ${most.toLocaleString('en-US')}. Nothing was sent.`,
  ];
  printLines(stream, lines);
}

/**
 * Prints the learnt policy or writes it to its file. A policy that cannot be read back or written is printed, not lost.
 *
 * @throws ClocheError if the file cannot be written
 * @throws DocumentError POLICY_INVALID if a mock would reject the policy, at its line and column
 */
async function keep(learnt: Learnt, service: string, plan: Plan): Promise<readonly string[]> {
  const { input, output, contract } = plan;
  const policy = toPolicyFile(learnt, {
    schema: schemaPathFor('policy', input.output),
    contract: contractOf(input),
    service,
  });
  if (output !== undefined && learnt.interrupted && (output.isThere || learnt.questions.length === 0)) {
    return [output.isThere ? `${input.output} is left as it was.` : 'Nothing is written.'];
  }
  const text = output === undefined ? `${indentJson(policy)}\n` : output.render(policy);
  if (output === undefined) printJson(policy);
  try {
    const read = await parsePolicyText(input.output ?? 'standard output', text);
    read.checkOperations(contract);
    output?.write(text);
  } catch (error) {
    if (output !== undefined) printJson(policy);
    throw error;
  }
  return output === undefined ? [] : [`Written to ${input.output}.`];
}

async function askService(plan: Plan): Promise<void> {
  const { input, excluded, questions, keys, stream, reach, opened } = plan;
  const contract = sentContract(plan);
  const { trials, 'max-requests': mostRequests } = input;
  const place = {
    baseUrl: input['base-url'],
    headers: input.header.map(parseHeader),
    timeoutMs: input.timeout,
  };
  await awaitService(input, { ...place, ...(await readConnection(input, input['base-url'])) });
  const unhooked = await openUrlTarget({
    ...place,
    contract,
    connections,
    responseLimit: input['response-limit'],
    ...reach,
  });
  const hooks = opened.extensions.flatMap((extension) => extension.hooks ?? []);
  const target = hookTarget(unhooked, hooks);
  const { send, name, baseUrl, token, credentials, users, credentialHeaders } = target;
  const secrets = createSecretList(listSecrets(target));
  reach.watchSecrets(secrets.addCredential);
  const report = createLearnReport({
    paint: createTextStyle(hasColour(stream)),
    width: terminalWidth(stream),
    writeLine: (line) => printLines(stream, [line]),
  });
  try {
    printLines(stream, [
      `${contract.title} ${contract.version} (${showSource(contract.source)}), asked of ${name}`,
      `Each question ${plural(trials, 'time')}; at most ${plural(mostRequests, 'request')}`,
    ]);
    const ask = (): Promise<Learnt> =>
      learn({
        contract,
        send,
        target: name,
        baseUrl,
        token,
        credentials,
        users,
        credentialHeaders,
        excluded,
        secrets: secrets.values,
        keys,
        questions,
        trials,
        mostRequests,
        rateWaitMs: input['rate-wait'] * 1_000,
        ...(input.rate === undefined ? {} : { rate: input.rate }),
        ...(input['max-creates'] === undefined ? {} : { maxCreates: input['max-creates'] }),
        signal: interruptSignal(),
        emit: report.read,
      });
    const learnt = await opened.during(ask, secrets.values);
    report.end(learnt);
    printLines(stream, await keep(learnt, baseUrl, plan));
    process.exitCode = learnt.interrupted ? 130 : 0;
  } finally {
    await target.close();
  }
}

/**
 * Runs `cloche learn`: probes the service and writes the policy, or lists the requests.
 *
 * @throws ClocheError for options, documents and services that cannot be used
 */
export async function runLearn(given: Given<LearnArguments>): Promise<void> {
  const read = readArguments(given);
  const input = { ...read, 'base-url': demandUrl('learn', read['base-url']) };
  refuseUserinfo('the base URL', input['base-url']);
  refuseUserinfo('the document', input.document);
  const questions = parseQuestions(input.question);
  const keys = parseKeyRange(input.ids, true);
  const opened = await openExtensionFiles(input.extension);
  await opened
    .during(() => learnFrom(input, { given, questions, keys, opened }))
    .catch(async (error: unknown) => {
      throw (await import('../example-document.ts')).mentionExample(error, input);
    });
}

async function learnFrom(
  input: Plan['input'],
  {
    given,
    questions,
    keys,
    opened,
  }: Pick<Plan, 'questions' | 'keys' | 'opened'> & { readonly given: Given<LearnArguments> },
): Promise<void> {
  const read = await openDocument(input.document, input);
  const contract = await addKnownValues(read, { input, given });
  const reach = await openServiceCredentials(input['base-url'], {
    contract,
    input,
    settings: given.settings,
  });
  const output =
    input.output === undefined
      ? undefined
      : await openPolicyOutput(
          input.output,
          { document: contractOf(input), contract },
          input.question.length === 0 ? undefined : questions,
        );
  if (given.origins?.has('token') !== true) refuseUnusedToken(input.token, contract);
  const plan = {
    input,
    output,
    contract,
    excluded: readExcluded(contract, input),
    questions,
    keys,
    reach,
    opened,
  };
  if (input['dry-run']) {
    await listRequests({ ...plan, stream: process.stdout });
  } else {
    await askService({ ...plan, stream: input.output === undefined ? process.stderr : process.stdout });
  }
}
