import type { Contract } from '../contract/contract.ts';
import { readFileBytes } from '../document/read-file.ts';
import { ClocheError, describeReadFailure } from '../errors/cloche-error.ts';
import { tokenForm } from '../http/message.ts';
import type { ControlOptions } from '../mock/control/control.ts';
import type { Option } from '../config/option.ts';
import type { Given, Picked } from '../config/command-options.ts';
import type { Shard } from '../events/events.ts';
import { invalidOption } from './process.ts';

/** Reads and checks the arguments of a command. @throws ClocheError OPTION_INVALID for an impossible value */
export function readArguments<Arguments>({ options, values }: Given<Arguments>): Arguments {
  const read = Object.entries<Option>(options).map(([name, option]) => [
    name,
    readValue(name, option, values[name]),
  ]);
  // `as`: the type of the arguments follows from the options too.
  return Object.fromEntries(read) as Arguments;
}

function readValue(name: string, option: Option, given: unknown): unknown {
  const { kind, default: usual } = option;
  const value = given ?? usual;
  const texts = Array.isArray(value) ? value.map(String) : [];
  if (kind === 'switch') return value === true;
  if (kind === 'setting') return value;
  if (kind === 'texts') return texts;
  if (kind === 'tokens') return texts.map((token) => checkToken(`--${name}`, token));
  // yargs removes the hyphen that means standard input.
  if (kind === 'argument') return value === '' && process.argv.includes('-') ? '-' : value;
  if (value === undefined) return undefined;
  if (kind === 'token') return checkToken(`--${name}`, value);
  return kind === 'number' || kind === 'whole'
    ? checkNumber(name, value, option)
    : checkChoice(name, value, option);
}

/** Returns the only value of an option, which may be a secret. yargs gives a list if the option is repeated. */
function takeOne(option: string, value: unknown): string {
  if (Array.isArray(value)) {
    throw invalidOption(
      `--${option}`,
      `it is given ${value.length} times, and it takes one value`,
      `Give --${option} once`,
    );
  }
  return String(value);
}

const form = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/iu;

function checkNumber(name: string, value: unknown, option: Option): number {
  const { kind, from = 0, to = Number.MAX_SAFE_INTEGER } = option;
  const text = takeOne(name, value).trim();
  const number = form.test(text) ? Number(text) : Number.NaN;
  const isWhole = kind === 'whole';
  const fits = number >= from && number <= to && (!isWhole || Number.isInteger(number));
  if (!fits) {
    throw invalidOption(
      `--${name} ${text}`.trim(),
      `it takes a ${isWhole ? 'whole ' : ''}number from ${from} to ${to}`,
      `Give another --${name}`,
    );
  }
  return number;
}

function checkText(option: string, value: unknown): string {
  const text = takeOne(option, value);
  if (text === '') {
    throw invalidOption(`--${option}`, 'its value is empty', `Give --${option} a value, or leave it out`);
  }
  return text;
}

/** yargs checks the choices of the command line, and not those of the environment. */
function checkChoice(name: string, value: unknown, { choices }: Option): string {
  const text = checkText(name, value);
  if (choices === undefined || choices.includes(text)) return text;
  throw invalidOption(`--${name} ${text}`, 'there is no such choice', `Choose among ${choices.join(', ')}`);
}

/** Characters that no field value contains (RFC 9110 §5.5). */
// oxlint-disable-next-line no-control-regex -- these are the characters that no field may contain
const fieldControls = /[\u0000-\u0008\u000A-\u001F\u007F]/u;

/** Checks a token without showing it in error messages. `source` is its origin: `--token`, `CLOCHE_TOKEN`. */
function checkToken(source: string, value: unknown): string {
  const token = checkText(source.replace(/^--/u, ''), value);
  if (fieldControls.test(token)) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the token of',
      subject: source,
      reason: 'it holds a control character or the end of a line, which no header field can carry',
      remedy: 'Give the token alone',
    });
  }
  return token;
}

/** Fields that Cloche writes itself, for the bytes that it sends (RFC 9112 §6). */
const framing = new Set(['content-length', 'transfer-encoding', 'connection', 'upgrade', 'keep-alive', 'te']);

function showSafely(text: string): string {
  const colon = text.indexOf(':');
  if (colon > 0) return `${text.slice(0, colon)}: ***`;
  const [word = '', ...others] = text.trim().split(/\s+/u);
  const isNameLike = /^[A-Za-z-]{1,30}$/u.test(word);
  return [isNameLike ? word : '***', ...(others.length > 0 ? ['***'] : [])].join(' ');
}

function findFault(text: string): string | undefined {
  const colon = text.indexOf(':');
  if (colon === -1) return 'there is no colon between a name and a value';
  const name = text.slice(0, colon);
  if (!tokenForm.test(name)) return 'what stands before the colon is no name of a header field';
  if (framing.has(name.toLowerCase())) return 'Cloche writes this field itself';
  const value = text.slice(colon + 1);
  if (fieldControls.test(value)) return 'the value holds a control character or the end of a line';
  return /[\u0100-\u{10FFFF}]/u.test(value) ? 'the value holds a character past U+00FF' : undefined;
}

/**
 * Parses `Name: value`.
 *
 * @throws ClocheError OPTION_INVALID if the text is no header field (RFC 9110 §5.1, §5.5), without showing
 * the value
 */
export function parseHeader(text: string): readonly [name: string, value: string] {
  const fault = findFault(text);
  if (fault !== undefined) {
    throw invalidOption(
      `--header ${showSafely(text).replaceAll(/\p{Cc}/gu, '?')}`,
      fault,
      'Write it as --header "Name: value"',
    );
  }
  const colon = text.indexOf(':');
  return [text.slice(0, colon), text.slice(colon + 1).trim()];
}

const largest = 2 ** 31 - 1;
/** Number of ids for a run of usual length. */
const usualSize = 1_000_000;

/**
 * Returns the ids that a run may use: those of `--ids FROM-TO`; without it, from 1 in process, or from a random
 * number for a live store, which keeps the resources of earlier runs.
 *
 * @throws ClocheError OPTION_INVALID if the text is no valid range
 */
export function parseKeyRange(
  ids: string | undefined,
  isLive: boolean,
  { operations = 0, shard = { index: 1, total: 1 } }: { operations?: number; shard?: Shard | undefined } = {},
): readonly [from: number, to: number] {
  /** Returns the part of a shard, because shards may test one service at the same time. */
  function partOf(from: number, to: number): readonly [from: number, to: number] {
    const size = Math.max(1, Math.floor((to - from + 1) / shard.total));
    const start = from + (shard.index - 1) * size;
    return [start, shard.index === shard.total ? to : start + size - 1];
  }
  if (ids === undefined) {
    // No run plans this number of requests for each operation.
    const size = Math.max(usualSize, 1_000 * operations);
    if (!isLive) return [1, size];
    const [first, last] = partOf(1_000_000, largest - size);
    const start = first + Math.floor(Math.random() * Math.max(1, last - first - size));
    return [start, start + size - 1];
  }
  const [, first, last] = /^(\d{1,10})-(\d{1,10})$/u.exec(ids) ?? [];
  const from = Number(first);
  const to = Number(last);
  if (first === undefined || last === undefined || from < 1 || to > largest || from > to) {
    throw invalidOption(
      `--ids ${ids}`,
      `it takes two numbers from 1 to ${largest}, the smaller one first`,
      'Give a range, as in --ids 1000-500000',
    );
  }
  return partOf(from, to);
}

/**
 * Parses `--shard INDEX/TOTAL`.
 *
 * @throws ClocheError OPTION_INVALID if the text does not name one of up to 1,000 shards
 */
export function parseShard(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  const [, index = 0, total = 0] = (/^(\d{1,4})\/(\d{1,4})$/u.exec(text) ?? []).map(Number);
  if (index < 1 || index > total || total > 1_000) {
    const reason = 'it takes the number of a shard and the number of all, up to 1,000';
    throw invalidOption(`--shard ${text}`, reason, 'Write it as in --shard 2/5, with shards from 1 to 5');
  }
  return { index, total };
}

function carriesUserinfo(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') {
    return url.username !== '' || url.password !== '';
  }
  // The error message for an unusable URL shows the text.
  return /:.*@/u.test(text);
}

const withoutUserinfo = {
  'the base URL': 'Leave them out, and pass credentials with --token or --header',
  'the document': 'Leave them out, and give a copy of the document as a file',
  'the fallback': 'Leave them out; the Authorization field of each request is forwarded',
} as const;

/**
 * Rejects a URL that contains a user and a password (RFC 3986 §3.2.1): they would be printed with every request,
 * and stay in the history of the shell.
 *
 * @throws ClocheError OPTION_INVALID; its message shows the URL without them
 */
export function refuseUserinfo(
  what: keyof typeof withoutUserinfo,
  text: string | undefined,
  remedy: string = withoutUserinfo[what],
): void {
  if (text === undefined || !carriesUserinfo(text)) return;
  throw new ClocheError('OPTION_INVALID', {
    attempt: `read ${what}`,
    subject: text.replace(/^([a-z][a-z\d+.-]*:\/*)?.*@/iu, '$1***@'),
    reason: 'it carries a user or a password, which would stand in all that is printed',
    remedy,
  });
}

/**
 * Parses the base URL of a service, and removes a slash at its end.
 *
 * @throws ClocheError OPTION_INVALID for a text that is no http or https URL, or has credentials, a query or a fragment
 */
export function parseServiceUrl(text: string): string {
  refuseUserinfo('the base URL', text, 'Leave them out');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable =
    url !== undefined && /^https?:$/u.test(url.protocol) && url.search === '' && url.hash === '';
  if (!isUsable) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'read the base URL',
      subject: text,
      reason: 'it is no http or https URL without a query',
      remedy: 'Write it as https://api.example.com, with the path prefix if there is one',
    });
  }
  return `${url.origin}${url.pathname.replace(/\/+$/u, '')}`;
}

/** Returns the base URL of a command that needs one. @throws ClocheError OPTION_INVALID if there is none */
export function demandUrl(command: string, url: string | undefined): string {
  if (url !== undefined) return url;
  throw new ClocheError('OPTION_INVALID', {
    attempt: 'read the command',
    subject: `cloche ${command}`,
    reason: '<base-url> is missing',
    remedy: `Write it as cloche ${command} http://127.0.0.1:8080, or write url: into cloche.yaml; cloche ${command} --help lists what it takes`,
  });
}

/** Reads the PEM file of `--ca`, if any. @throws ClocheError OPTION_INVALID if it cannot be used */
export async function readAuthority(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const attempt = 'read the certificate authority';
  const remedy = 'Name a PEM file with --ca, one that has a line -----BEGIN CERTIFICATE-----';
  const text = await readNamed(path, attempt, remedy);
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  const reason = 'it holds no certificate in PEM form';
  throw new ClocheError('OPTION_INVALID', { attempt, subject: path, reason, remedy });
}

/** Reads a file that an option names. @throws ClocheError OPTION_INVALID if it cannot be read */
export async function readNamed(subject: string, attempt: string, remedy: string): Promise<string> {
  const bytes = await readFileBytes(subject).catch((cause: unknown) => {
    const reason = describeReadFailure(cause);
    throw new ClocheError('OPTION_INVALID', { attempt, subject, reason, remedy, cause });
  });
  return new TextDecoder().decode(bytes);
}

/**
 * Reads the options of the control interface of a mock, from the command line or CLOCHE_CONTROL_TOKEN.
 *
 * @throws ClocheError OPTION_INVALID for an invalid token, or for a token without a control interface
 */
export function readControlOptions(input: Picked<'control' | 'control-token'>): ControlOptions | false {
  const given = input['control-token'];
  if (!input.control && given !== undefined) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'use the option',
      subject: '--control-token',
      reason: 'with --no-control there is no control interface that would ask for it',
      remedy: 'Leave out one of them',
    });
  }
  if (!input.control) return false;
  const token = readToken(given, 'CLOCHE_CONTROL_TOKEN');
  return token === undefined ? {} : { token };
}

/**
 * Returns the token of an option, or else of an environment variable. An empty variable is ignored.
 *
 * @throws ClocheError OPTION_INVALID if the variable contains no valid token
 */
export function readToken(
  given: string | undefined,
  variable: 'CLOCHE_TOKEN' | 'CLOCHE_CONTROL_TOKEN' = 'CLOCHE_TOKEN',
): string | undefined {
  const inherited = process.env[variable] ?? '';
  return given !== undefined || inherited === '' ? given : checkToken(variable, inherited);
}

/**
 * Returns the tokens of an option and of a file (one per line), or else of the environment variable CLOCHE_TOKEN.
 *
 * @throws ClocheError OPTION_INVALID if the file cannot be read or has no token, or the variable has no valid token
 */
export async function readTokens(given: readonly string[], file?: string): Promise<readonly string[]> {
  const tokens = file === undefined ? given : [...given, ...(await readTokenFile(file))];
  const { CLOCHE_TOKEN: inherited = '' } = process.env;
  return tokens.length === 0 && inherited !== '' ? [checkToken('CLOCHE_TOKEN', inherited)] : tokens;
}

async function readTokenFile(subject: string): Promise<readonly string[]> {
  const attempt = 'read tokens from';
  const text = await readNamed(subject, attempt, 'Name a file with one token a line');
  const lines = text.split('\n').map((line) => line.trim());
  const tokens = lines.filter((line) => line !== '');
  if (tokens.length > 0) return tokens;
  const remedy = 'Write one token a line into it';
  throw new ClocheError('OPTION_INVALID', { attempt, subject, reason: 'it holds no token', remedy });
}

/**
 * Rejects a token that no request would carry: the document requires no credentials, or only other kinds.
 *
 * @throws ClocheError OPTION_INVALID; its message does not show the token
 */
export function refuseUnusedToken(token: string | undefined, { operations }: Contract): void {
  if (token === undefined) return;
  const schemes = operations.flatMap(({ security }) => security.flat());
  const judged = schemes.filter(({ kind }) => kind !== 'unjudged');
  const isPair = /^basic[ \t]|^[^\s:]+:/iu.test(token);
  const needsPair = judged.length > 0 && judged.every(({ kind }) => kind === 'basic');
  if (needsPair ? isPair : judged.length > 0) return;
  if (needsPair) {
    const reason = 'the document declares basic authentication, and the token has no colon';
    throw invalidOption('--token', reason, 'Give user:password');
  }
  const form = isPair ? 'Basic <user:password in Base64>' : 'Bearer <token>';
  const others = [...new Set(schemes.map(({ name }) => name))].join(', ');
  const reason =
    others === ''
      ? 'no operation of the document requires credentials, so no request would carry it'
      : `no request would carry it, as Cloche cannot send the credentials that the document requires (${others})`;
  throw invalidOption('--token', reason, `To send it with every request, use -H 'Authorization: ${form}'`);
}
