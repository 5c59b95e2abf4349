import type { Contract } from '../contract/contract.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { usualResponseLimit } from '../http/message.ts';
import { createWordSplitter, quoteWord, secretVariables } from '../http/shell-quoting.ts';
import { shells } from '../http/windows-shells.ts';
import { addDocumentAnswers } from '../policy/document-answers.ts';
import { everyBehaviour, type Policy } from '../policy/policy.ts';
import { readRunAnswers } from '../policy/read-policy.ts';
import type { Extension } from '../runner/extension.ts';
import { pickSuites, type Suite } from '../runner/suite.ts';
import { makeToken, provideToken } from '../session/credentials.ts';
import type { Against, Target } from '../session/target.ts';
import { openUrlTarget } from '../session/url-target.ts';
import { parseHeader, refuseUserinfo } from './arguments.ts';
import { awaitService, readConnection } from './connection.ts';
import { openServiceCredentials, type ServiceInput } from './credentials.ts';
import type { Given, Picked } from '../config/command-options.ts';
import { options as optionTable } from '../config/options.ts';

/** The base URL of the in-process mock if it listened on its usual port. */
export const mockBaseUrl = 'http://127.0.0.1:4010';

/** Opens the in-process mock, with a random token, and one of a second user if the policy says what that one gets. */
async function openMockTarget(contract: Contract, given: Partial<Policy>): Promise<Target> {
  const { createMock } = await import('../mock/create-mock.ts');
  const token = makeToken(contract);
  const { operations = {}, ...ofService } = addDocumentAnswers(given, contract);
  const needsOther = [ofService, ...Object.values(operations)].some(
    (values) => values['items-of-others'] !== undefined,
  );
  const other = needsOther ? makeToken(contract) : undefined;
  const mock = await createMock(contract, {
    tokens: other === undefined ? [token] : [token, other],
    policy: given,
  });
  return {
    contract,
    name: 'the in-process mock',
    send: mock.send,
    socketSend: undefined,
    baseUrl: mockBaseUrl,
    policy: mock.policy,
    enforced: everyBehaviour,
    echo: mock.policy.echo === 'exact' ? 'violation' : undefined,
    token,
    // The field that a client would add, which keeps the default of curl in curl lines.
    headers: [['Accept', '*/*']],
    credentialHeaders: [],
    secrets: [token],
    ...(other === undefined
      ? {}
      : {
          users: { other: provideToken(other) },
          watchSecrets: (listen) => listen(other, 'the token of the second user'),
        }),
    close: () => mock.close(),
  };
}

type Reach = ServiceInput & Picked<'connections'>;

interface WantedTarget<Input> {
  readonly contract: Contract;
  readonly input: Input;
  /** The policy values that are enforced on the service, and that the mock uses. */
  readonly given: Partial<Policy>;
  /** The settings of the configuration, with the credentials for the service. @defaultValue none */
  readonly settings?: Given<unknown>['settings'];
}

async function openService(
  baseUrl: string,
  { contract, input, given, settings }: WantedTarget<Reach>,
): Promise<Target> {
  const place = {
    baseUrl,
    headers: input.header.map(parseHeader),
    timeoutMs: input.timeout,
    ...(await readConnection(input, baseUrl)),
  };
  const { watchSecrets, ...reach } = await openServiceCredentials(baseUrl, { contract, input, settings });
  const target = await openUrlTarget({
    ...place,
    contract,
    connections: input.connections,
    responseLimit: input['response-limit'],
    ...reach,
    answers: await readRunAnswers(contract.source),
    given: addDocumentAnswers(given, contract),
  });
  return { ...target, watchSecrets, ready: () => awaitService(input, place) };
}

function refuse(subject: string, reason: string, remedy: string): ClocheError {
  return new ClocheError('OPTION_INVALID', { attempt: 'compare with', subject, reason, remedy });
}

/**
 * Opens the reference that a run compares the service with, if any: an in-process mock, or another base URL.
 *
 * @throws ClocheError OPTION_INVALID for any other value, for a mock that would be compared with itself, or for a
 * token without a service
 */
export async function openAgainst({
  contract,
  input,
  given,
  settings,
}: WantedTarget<Reach & Picked<'base-url' | 'against' | 'against-token'>>): Promise<
  (Target & Against) | undefined
> {
  const { against, 'base-url': baseUrl, 'against-token': token } = input;
  if (against === undefined) {
    if (token !== undefined) {
      throw new ClocheError('OPTION_INVALID', {
        attempt: 'use',
        subject: '--against-token',
        reason: 'there is no service that it would be for',
        remedy: 'Name the other service with --against',
      });
    }
    return undefined;
  }
  refuseUserinfo(
    'the base URL',
    against,
    'Leave them out, and pass credentials with --against-token or --header',
  );
  if (against !== 'mock' && !/^https?:\/\//iu.test(against)) {
    const remedy = 'Write --against mock, or --against and a base URL';
    throw refuse(against, 'it is neither mock nor an http or https URL', remedy);
  }
  if (against === (baseUrl ?? 'mock')) {
    throw refuse(against, 'it would be compared with itself', 'Name two services that may differ');
  }
  const names =
    baseUrl === undefined
      ? { tested: 'the mock', other: 'the service' }
      : { tested: 'the service', other: against === 'mock' ? 'the mock' : 'the other service' };
  // The document applies to the other service too; the given policy values do not.
  const target =
    against === 'mock'
      ? await openMockTarget(contract, given)
      : await openService(against, {
          contract,
          input:
            token === undefined ? input : { ...input, token, credential: [], 'token-command': undefined },
          given: {},
          settings: token === undefined ? settings : undefined,
        });
  // A separate token replaces all credentials of the service under test.
  const own = token === undefined ? {} : { credentialHeaders: [] };
  return { ...target, ...own, names };
}

/**
 * Opens the target of a run: the base URL, or the in-process mock if there is none.
 *
 * @throws ClocheError OPTION_INVALID for a base URL, a header or a certificate that cannot be used
 */
export async function openTarget(run: WantedTarget<Reach & Picked<'base-url'>>): Promise<Target> {
  const { 'base-url': baseUrl } = run.input;
  return baseUrl === undefined ? openMockTarget(run.contract, run.given) : openService(baseUrl, run);
}

/** Returns the built-in suites and those of extensions: all, or those of the given ids. @throws as {@link pickSuites} */
export async function loadSuites(
  ids: readonly string[],
  extensions: readonly Extension[] = [],
): Promise<readonly Suite[]> {
  const { allSuites } = await import('../../suites/all-suites.ts');
  return pickSuites([...allSuites, ...extensions.flatMap(({ suites = [] }) => suites)], ids);
}

/** The options that a replay repeats, in the order of its command line. */
const replayed = [
  'document',
  'policy',
  'answer',
  'extension',
  'header',
  'credential',
  'token-command',
  'against',
  'against-token',
  'callbacks-port',
  'callback-url',
  'allow-references',
  'strict-document',
  'overlay-in',
  'value',
  'insecure',
  'ca',
  'client-cert',
  'client-key',
  'proxy',
  'unsafe-methods',
  'read-only',
  'keep',
  'timeout',
  'response-limit',
  'max-response-time',
  'shell',
] as const;

/** Default values, which a replay omits. */
const usualValues: Readonly<Record<string, unknown>> = {
  timeout: optionTable.timeout.default,
  'response-limit': usualResponseLimit,
  shell: 'bash',
};

/**
 * Returns the command at the start of a replay line: the tested target, and the options to reach it. A shell variable
 * replaces each secret, as in the curl lines.
 */
export function renderCommand(
  input: Picked<'base-url' | (typeof replayed)[number]>,
  secrets: readonly string[],
  { values: { config } = {}, service }: Partial<Pick<Given<unknown>, 'values' | 'service'>> = {},
): string {
  const { bare, quoteForScript } = shells[input.shell ?? 'bash'];
  const split = createWordSplitter(secretVariables(secrets));
  const quoteSecrets = (text: string): string => quoteForScript(split(text));
  const quotePlain = (text: string): string => quoteWord(text, { bare, quote: quoteForScript });
  const words = replayed.flatMap((name) => {
    const mayBeSecret = ['header', 'credential', 'token-command', 'against-token', 'proxy'].includes(name);
    const quote = mayBeSecret ? quoteSecrets : quotePlain;
    const omitted: readonly unknown[] = [undefined, false, usualValues[name]];
    const values = [input[name]].flat().filter((value) => !omitted.includes(value));
    return values.flatMap((value) => [`--${name}`, ...(value === true ? [] : [quote(String(value))])]);
  });
  const baseUrl = input['base-url'] === undefined ? [] : [quotePlain(input['base-url'])];
  // A configuration that is found upwards is found again. Its credentials and known values have no flags.
  const given = typeof config === 'string' ? ['--config', quotePlain(config)] : [];
  const configured = [
    ...(config === false ? ['--no-config'] : given),
    ...(service === undefined ? [] : ['--service', quotePlain(service)]),
  ];
  return ['npx cloche test', ...baseUrl, ...configured, ...words].join(' ');
}
