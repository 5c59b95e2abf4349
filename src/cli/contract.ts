import { isDeepStrictEqual } from 'node:util';
import { type Contract, describeWarning } from '../contract/contract.ts';
import { loadContract } from '../contract/load.ts';
import type { MountedSource } from '../document/mount-documents.ts';
import type { DocumentOptions } from '../document/read-document.ts';
import { toSourceUrl } from '../document/source.ts';
import { ClocheError } from '../errors/cloche-error.ts';
import { parseJson } from '../json/parse.ts';
import { pointerTokens } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { checkAgainstContract } from '../policy/policy-file.ts';
import { describeValue, type Policy } from '../policy/policy.ts';
import type { BehaviourValues } from '../policy/behaviour.ts';
import { behaviours } from '../policy/behaviours/index.ts';
import { checkAnswers } from '../policy/validate.ts';
import type { Given, Picked } from '../config/command-options.ts';
import { refuseUserinfo } from './arguments.ts';
import { invalidOption } from './process.ts';
import { printLines } from './terminal.ts';

/** Rejects values for an operation or a property that the contract does not have. */
function checkOperationsOfAnswers(answers: Partial<Policy>, contract: Contract): void {
  const [problem] = checkAgainstContract(answers, contract);
  if (problem !== undefined) {
    const [, ...names] = pointerTokens(problem.pointer);
    const [first = '', question] = names;
    const isOfOperation = problem.pointer.startsWith('/operations/');
    throw invalidOption(
      `--answer ${isOfOperation ? `${first}:${question ?? ''}` : first}`,
      problem.reason,
      problem.remedy,
    );
  }
}

function listAnswers(answers: Partial<BehaviourValues>): readonly string[] {
  return Object.values(behaviours).flatMap(({ id, default: usual }) => {
    const answer = answers[id];
    return answer === undefined || isDeepStrictEqual(answer, usual)
      ? []
      : [`${id}: ${describeValue(id, answer)}`];
  });
}

/** Lists the values of a policy that are not the defaults, one per line. */
export function describePolicy(policy: Partial<Policy>): readonly string[] {
  const ofOperations = Object.entries(policy.operations ?? {}).flatMap(([id, answers]) =>
    listAnswers(answers).map((line) => `${id}: ${line}`),
  );
  return [...listAnswers(policy), ...ofOperations];
}

interface Written {
  /** The text before the value: `createOrder:duplicate-key`. The value may be a token. */
  readonly name: string;
  readonly operation: string | undefined;
  readonly question: string;
  readonly answer: JsonValue;
}

/** Matches a behaviour before its value. The operation before it may contain colons and equals signs. */
const questionBefore = new RegExp(`(?:^|:)(?:${Object.keys(behaviours).join('|')})=`, 'u');

function split(text: string): Written {
  const found = questionBefore.exec(text);
  const equals = found === null ? text.indexOf('=') : found.index + found[0].length - 1;
  if (equals < 1 || equals === text.length - 1) {
    throw invalidOption(
      // The text after a behaviour may be a token.
      `--answer ${text.slice(0, equals === -1 ? undefined : equals + 1)}`,
      equals < 1 ? 'it is no question with its answer' : 'the answer is missing',
      'Write it as --answer duplicate-key=conflict',
    );
  }
  const name = text.slice(0, equals);
  const colon = name.lastIndexOf(':');
  const value = text.slice(equals + 1);
  const parsed = parseJson(value, { findDuplicateKeys: false });
  return {
    name,
    operation: colon === -1 ? undefined : name.slice(0, colon),
    question: name.slice(colon + 1),
    answer: parsed.kind === 'json' ? parsed.value : value,
  };
}

function check({ name, operation, question, answer }: Written): void {
  const scope = operation === undefined ? 'service' : 'operation';
  const [problem] = checkAnswers({ [question]: answer }, scope);
  if (problem === undefined) return;
  const member = problem.pointer.split('/').slice(2).join('.');
  const reason = member === '' ? problem.reason : `${member}: ${problem.reason}`;
  throw invalidOption(`--answer ${name}`, reason, problem.remedy);
}

/**
 * Parses the values of `--answer`: `createOrder:duplicate-key=replace`.
 *
 * @throws ClocheError OPTION_INVALID for an unknown behaviour, an impossible value, or a repeated one
 */
export function parseAnswers(texts: readonly string[]): Partial<Policy> {
  const answers: JsonObject = {};
  const operations = new Map<string, JsonObject>();
  for (const text of texts) {
    const written = split(text);
    check(written);
    const { name, operation, question, answer } = written;
    const place = operation === undefined ? answers : (operations.get(operation) ?? {});
    if (operation !== undefined) {
      operations.set(operation, place);
    }
    if (Object.hasOwn(place, question)) {
      throw invalidOption(`--answer ${name}`, 'it is given twice', 'Give one answer to a question');
    }
    place[question] = answer;
  }
  return {
    ...answers,
    ...(operations.size === 0 ? {} : { operations: Object.fromEntries(operations) }),
  };
}

/** Maximum number of document problems that are listed one by one. */
const mostNamed = 20;

/**
 * Parses the values of `--mount`: `/orders=orders.yaml`.
 *
 * @throws ClocheError OPTION_INVALID for a value of another form, or a repeated prefix
 */
export function parseMounts(texts: readonly string[] = []): readonly MountedSource[] {
  const prefixes = new Set<string>();
  return texts.map((text) => {
    const [, written = '', source = ''] = /^([^=]*)=(.+)$/su.exec(text) ?? [];
    const prefix = written.replace(/\/+$/u, '');
    const refuse = (reason: string): ClocheError =>
      invalidOption(`--mount ${text}`, reason, 'Write it as --mount /orders=orders.yaml');
    if (source === '') throw refuse('it is no prefix with its document');
    refuseUserinfo('the document', source);
    if (!written.startsWith('/') || !/^(?:\/[\w.~!$&'()*+,;:@%-]+)*$/u.test(prefix)) {
      throw refuse('its prefix is no path');
    }
    if (prefixes.has(prefix)) throw refuse('another document has this prefix');
    prefixes.add(prefix);
    return { prefix, source };
  });
}

/** Options for reading the files of a document; `onRead` is called for each text before it is read. */
export type ReadingOptions = Pick<DocumentOptions, 'onRead' | 'mayBePipe'>;

/**
 * Reads a document with the given options, and prints the problems that do not prevent its use, one per line.
 *
 * @throws ClocheError the errors of loadContract
 */
export async function openDocument(
  source: string | undefined,
  options: Picked<'allow-references' | 'strict-document'> & Partial<Picked<'overlay-in' | 'mount'>>,
  reading: ReadingOptions = {},
): Promise<Contract> {
  const contract = await loadContract(source, {
    followReferences: options['allow-references'],
    isStrict: options['strict-document'],
    overlays: options['overlay-in'],
    mounts: parseMounts(options.mount),
    ...reading,
  });
  const { warnings } = contract;
  const more = warnings.length - mostNamed;
  printLines(process.stderr, [
    ...warnings.slice(0, mostNamed).map(describeWarning),
    ...(more > 0 ? [`… and ${more} more; cloche explain --json lists them.`] : []),
  ]);
  return contract;
}

/** The contract of a command, with the given policy values. */
export interface OpenContract {
  readonly contract: Contract;
  /** Empty if none were given. */
  readonly given: Partial<Policy>;
  /** Messages to print at the start, one sentence each. */
  readonly notices: readonly string[];
}

/**
 * Reads the document of a command, or the document that its policy names, and the policy values. The values of
 * options override those of the file.
 *
 * @throws ClocheError the errors of loadContract and readPolicyFile; OPTION_INVALID or POLICY_INVALID for values
 * of an operation that the contract does not have
 */
export async function openContract(
  {
    document,
    policy,
    answer,
    ...others
  }: Picked<'document' | 'policy' | 'answer' | 'allow-references' | 'strict-document' | 'overlay-in'> &
    Partial<Picked<'mount'>>,
  reading: ReadingOptions = {},
): Promise<OpenContract> {
  if (policy === undefined && answer.length === 0) {
    return { contract: await openDocument(document, others, reading), given: {}, notices: [] };
  }
  const { mergeAnswers } = await import('../policy/policy.ts');
  const { readPolicyFile } = await import('../policy/read-policy.ts');
  const over = parseAnswers(answer);
  const file = policy === undefined ? undefined : await readPolicyFile(policy, reading);
  const usual = (others.mount ?? []).length > 0 ? undefined : file?.contract;
  const contract = await openDocument(document ?? usual, others, reading);
  file?.checkOperations(contract);
  checkOperationsOfAnswers(over, contract);
  const isOther =
    document !== undefined &&
    file?.contract !== undefined &&
    toSourceUrl(document).href !== toSourceUrl(file.contract).href;
  return {
    contract,
    given: mergeAnswers(file?.policy ?? {}, over),
    notices: isOther
      ? [`The policy ${policy} is that of ${file.contract}, and is used for ${document}.`]
      : [],
  };
}

/**
 * Rejects a policy that accepts only listed tokens if no token is listed: a mock would reject every request.
 *
 * @throws ClocheError OPTION_INVALID
 */
export function refuseToLockOut(
  { contract, given }: Pick<OpenContract, 'contract' | 'given'>,
  tokens: readonly string[],
): void {
  const isListed = contract.operations.some(
    ({ id, security }) =>
      security.length > 0 &&
      (given.operations?.[id]?.['accepted-tokens'] ?? given['accepted-tokens']) === 'listed',
  );
  if (isListed && tokens.length === 0) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'use the policy',
      subject: 'accepted-tokens: listed',
      reason: 'no token is listed, so that the mock would reject every request',
      remedy: 'Give one with --token, or --answer accepted-tokens=any',
    });
  }
}

/**
 * Returns the contract with the known values of a command, for the generators of requests or of data.
 *
 * @throws ClocheError OPTION_INVALID for an unknown name or a value that its schema rejects
 */
export async function addKnownValues(
  contract: Contract,
  {
    input,
    given,
    use,
  }: { readonly input: Picked<'value'>; readonly given: Given<unknown>; readonly use?: 'data' },
): Promise<Contract> {
  const { readKnownValues } = await import('../contract/read-known-values.ts');
  const setting = given.settings?.get('values');
  return readKnownValues(contract, {
    flags: input.value,
    ...(setting === undefined || !isJsonObject(setting.value)
      ? {}
      : { configured: setting.value, folder: setting.folder }),
    ...(use === undefined ? {} : { use }),
  });
}
