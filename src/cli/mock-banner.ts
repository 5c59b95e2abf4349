import type { SecurityAlternative, SecurityScheme } from '../contract/contract.ts';
import { joinWords } from '../errors/suggest.ts';
import { textBytes } from '../http/bytes.ts';
import { quoteForBash, quoteText, quoteWord } from '../http/shell-quoting.ts';
import { stringifyJson } from '../json/print.ts';
import { listCredentials, makeExampleBody } from '../mock/control/request-form.ts';
import { findLoginRoutes } from '../mock/login/login-routes.ts';
import type { Mock } from '../mock/mock.ts';
import { policyOf } from '../policy/policy.ts';
import type { BehaviourValues } from '../policy/behaviour.ts';

interface BannerInput {
  readonly mock: Pick<Mock, 'contract' | 'policy'>;
  /** The URL that the mock listens on, without a slash at its end. */
  readonly url: string;
  /** The tokens that are accepted if the policy says `listed`. They are secrets and are not printed. */
  readonly tokens: readonly string[];
}

type Accepted = BehaviourValues['accepted-tokens'];

/** Returns whether a token satisfies the schemes. For basic authentication it must be user:password. */
function isMet(schemes: SecurityAlternative, accepted: Accepted, tokens: readonly string[]): boolean {
  const isBasic = schemes.some(({ kind }) => kind === 'basic');
  return accepted === 'any' || (tokens.length > 0 && (!isBasic || tokens.some((each) => each.includes(':'))));
}

/** Quotes a text and a token after it as one word for bash: any token, or the variable of a listed one. */
function quoteWithToken(before: string, accepted: Accepted, anyToken = 'any'): string {
  if (accepted === 'any') return quoteWord(before + anyToken);
  const variable = { kind: 'variable', name: 'CLOCHE_TOKEN' } as const;
  return quoteForBash(before === '' ? [variable] : [{ kind: 'bytes', bytes: textBytes(before) }, variable]);
}

interface Shown {
  readonly words: string;
  /** The option of curl; empty for credentials in the URL. */
  readonly option: string;
  /** The text after the path, without the token. */
  readonly query?: string;
}

function show(scheme: SecurityScheme, accepted: Accepted): Shown {
  if (scheme.kind === 'unjudged') return { words: '', option: '' };
  if (scheme.kind === 'bearer') {
    return { words: 'a bearer token', option: `-H ${quoteWithToken('Authorization: Bearer ', accepted)}` };
  }
  if (scheme.kind === 'basic') {
    return { words: 'a user and password', option: `-u ${quoteWithToken('', accepted, 'user:any')}` };
  }
  const { in: place, parameter } = scheme;
  const words = `a key in the ${place === 'query' ? 'query parameter' : place} ${parameter}`;
  if (place === 'query') return { words, option: '', query: `?${encodeURIComponent(parameter)}=` };
  const [option, before] = place === 'cookie' ? ['-b', `${parameter}=`] : ['-H', `${parameter}: `];
  return { words, option: `${option} ${quoteWithToken(before, accepted)}` };
}

/** Returns the URL and the options with which curl sends credentials. */
function curlWith(url: string, schemes: SecurityAlternative, accepted: Accepted): string {
  const shown = schemes.map((scheme) => show(scheme, accepted));
  const query = shown.find((each) => each.query !== undefined)?.query;
  const target = query === undefined ? url && quoteWord(url) : quoteWithToken(url + query, accepted);
  return [target, ...shown.map(({ option }) => option)].filter((word) => word !== '').join(' ');
}

/** Maximum number of alternatives to list; `explain` lists the others. */
const mostWays = 6;

/** Describes the accepted credentials in plain words; returns nothing if none are required. */
export function describeCredentials({ mock, tokens }: Omit<BannerInput, 'url'>): readonly string[] {
  const guarded = mock.contract.operations.filter((operation) => listCredentials(operation).length > 0);
  const [first] = guarded;
  if (first === undefined) return [];
  const accepted = policyOf(mock.policy, first.id)['accepted-tokens'];
  const describe = (way: SecurityAlternative): string =>
    joinWords(
      way.map((scheme) => show(scheme, accepted).words),
      'and',
    );
  const ways = new Map(guarded.flatMap(listCredentials).map((way) => [describe(way), way]));
  const subject = ways.size === 1 ? [...ways.keys()].join('') : 'credentials';
  const given = tokens.length === 1 ? 'Only the token given' : `Only the ${tokens.length} tokens given`;
  const good =
    accepted === 'any'
      ? 'Any value is accepted. To accept only some, start with --token'
      : `${given} with --token ${tokens.length === 1 ? 'is' : 'are'} accepted`;
  const shut = [...ways.values()].some((way) => !isMet(way, accepted, tokens))
    ? ['None of the tokens is user:password, the only form that basic authentication accepts.']
    : [];
  if (ways.size === 1) return [`Send ${subject}. ${good}.`, ...shut];
  const lines = [...ways]
    .slice(0, mostWays)
    .map(([words, way]) => `  ${curlWith('', way, accepted)} (${words})`);
  const more = ways.size > mostWays ? [`  and ${ways.size - mostWays} more`] : [];
  return [`Send ${subject}. ${good}. With curl, by operation one of:`, ...lines, ...more, ...shut];
}

/** The maximum number of login endpoints to list. */
const mostLogins = 4;

/** Names the endpoints of the logins that the document declares, at which the mock issues tokens. */
export function describeLogins({ mock, url }: Omit<BannerInput, 'tokens'>): readonly string[] {
  const named = findLoginRoutes(mock.contract)?.named ?? [];
  const shown = named.slice(0, mostLogins).map((path) => `${url}${path}`);
  return shown.length === 0 ? [] : [`Logins: get tokens at ${joinWords(shown, 'and')}.`];
}

/** Maximum length of a body: a longer line is too complex for a first request. */
const longestBody = 400;

/** Returns a curl line for a request that succeeds on the mock; nothing if no operation is simple enough. */
export function describeFirstRequest({ mock, url, tokens }: BannerInput): readonly string[] {
  const { operations } = mock.contract;
  const simple = operations.filter(
    ({ path, parameters }) => !path.template.includes('{') && !parameters.some(({ required }) => required),
  );
  const candidates = [
    ...simple.filter(({ method, kind }) => method === 'GET' && kind.kind === 'list'),
    ...simple.filter(({ kind }) => kind.kind === 'create'),
    ...simple.filter(({ method }) => method === 'GET'),
  ];
  for (const operation of candidates) {
    const accepted = policyOf(mock.policy, operation.id)['accepted-tokens'];
    const ways = listCredentials(operation);
    const way = ways.find((each) => isMet(each, accepted, tokens));
    const example = operation.method === 'GET' ? undefined : makeExampleBody(operation);
    const body = example === undefined ? undefined : stringifyJson(example);
    const isReady = operation.method === 'GET' || (body !== undefined && body.length <= longestBody);
    if (!isReady || (ways.length > 0 && way === undefined)) continue;
    const content = body === undefined ? '' : ` -H 'Content-Type: application/json' -d ${quoteText(body)}`;
    const isSecret = way !== undefined && accepted === 'listed';
    const asked = curlWith(url + operation.path.template, way ?? [], accepted);
    return [`Try it${isSecret ? ', with a good token in CLOCHE_TOKEN' : ''}: curl -i ${asked}${content}`];
  }
  return [];
}
