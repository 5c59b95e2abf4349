import { pickAlternative } from '../arbitrary/credentials.ts';
import type { GivenCredentials } from '../arbitrary/given-credentials.ts';
import { statusOf } from '../check/classify/answer.ts';
import type { CheckedExchange } from '../check/classify/subject.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { listServerPrefixes } from '../contract/router.ts';
import { joinWords } from '../errors/suggest.ts';
import { type HttpRequest, isSafeMethod, type Send } from '../http/message.ts';
import type { RunMemory } from './memory.ts';
import type { ServiceSettings } from './target.ts';
import { cannotJudge } from './throttle.ts';

/** The remedy if nothing answers at the base URL. */
export const remedyOfUnreachable =
  'Start the service and repeat the command with --wait-for-service 30, or start a mock in its place with cloche mock';

interface BaseOfContract {
  readonly contract: Pick<Contract, 'root'>;
  readonly baseUrl?: string | undefined;
}

/** Returns the base URL with the path of a server in the document; undefined if it already ends with one. */
export function findMissingPrefix({ contract, baseUrl = '' }: BaseOfContract): string | undefined {
  const prefixes = listServerPrefixes(contract);
  const base = baseUrl.replace(/\/+$/u, '');
  const isThere = prefixes.length === 0 || base === '' || prefixes.some((each) => base.endsWith(each));
  return isThere ? undefined : `${base}${prefixes[0]}`;
}

/** Returns the remedy if the service knows no path of the document: another base path. */
export function remedyOfUnknownPaths(service: BaseOfContract, command: 'test' | 'learn'): string {
  const url = findMissingPrefix(service);
  if (url === undefined) return 'Give the base URL with the path prefix under which the service lives';
  const prefixes = joinWords(listServerPrefixes(service.contract), 'or');
  return `The servers in the document have the path ${prefixes}: run cloche ${command} ${url} with the same options`;
}

/** Returns the error for a run whose service has become unreachable. */
export function whyGone(
  { name }: ServiceSettings,
  { wasThere, lastOfService }: RunMemory,
  { exchange }: CheckedExchange,
): Error {
  const { request, answer } = exchange;
  const { reason, remedy } = answer.kind === 'unreachable' ? answer : { reason: '', remedy: undefined };
  if (remedy !== undefined) return cannotJudge(name, reason, remedy);
  return wasThere
    ? cannotJudge(
        name,
        `it went down ${lastOfService === undefined ? 'during the run' : `after ${lastOfService}`}: ${reason}`,
        lastOfService === undefined
          ? 'Fix what brought it down first; with --connections 1 the run names the very request'
          : 'Everything else was tested before; if the operation is meant to stop the service, start it again',
      )
    : cannotJudge(name, `${reason} (at ${request.method} ${request.target})`, remedyOfUnreachable);
}

/** Statuses that may mean that the token is rejected (RFC 9110 §15.5). */
const rejections: ReadonlySet<number> = new Set([401, 403, 407]);

/** Returns whether the response was 401, 403 or 407. */
export function isRejected(judged: CheckedExchange): boolean {
  return rejections.has(statusOf(judged));
}

/**
 * Describes the credentials that a service rejected, with the remedy: the token, or the credentials of the schemes that
 * the operation requires.
 */
export function describeRejected(
  { credentials }: Pick<ServiceSettings, 'credentials'>,
  operation: Operation | undefined,
): { readonly what: string; readonly remedy: string } {
  const schemes = operation === undefined ? [] : (pickAlternative(operation) ?? []);
  if (credentials === undefined || schemes.length === 0) {
    return { what: 'the token', remedy: 'Pass a token that it accepts with --token' };
  }
  const names = joinWords(
    schemes.map(({ name }) => name),
    'and',
  );
  return {
    what: `the credentials of ${names}`,
    remedy: 'Correct their settings, or pass --credential SCHEME=VALUE',
  };
}

/** Rejections in a row after which the token is tried again, and the number of tries: one may be an accident. */
const mostInARow = 10;
const tries = 3;

/**
 * Records an exchange. If it rejects the token unexpectedly, an accepted request is sent again.
 * @throws ClocheError CANNOT_JUDGE if the service rejects the token now and accepted it before
 */
export type TokenWatch = (judged: CheckedExchange, send: Send) => Promise<void>;

/** Creates a watch over the token that a run sends to a service. */
export function createTokenWatch(settings: ServiceSettings, given: () => GivenCredentials): TokenWatch {
  let accepted: HttpRequest | undefined;
  let acceptedWith: GivenCredentials['tokens'];
  let first: HttpRequest | undefined;
  const operations = new Set<string | undefined>();
  let inARow = 0;
  return async (judged, send) => {
    const { operation, findings, exchange } = judged;
    const { request } = exchange;
    const status = statusOf(judged);
    if (judged.request.credentials !== 'good' || status === 0) return;
    if (!rejections.has(status)) {
      inARow = 0;
      if (status < 400) operations.add(operation?.id);
      if (status < 400 && isSafeMethod(request.method)) [accepted, acceptedWith] = [request, given().tokens];
      return;
    }
    if (accepted === undefined || acceptedWith !== given().tokens) return;
    first = inARow === 0 ? request : first;
    inARow += 1;
    if (inARow % mostInARow !== 0 && findings.length === 0 && !operations.has(operation?.id)) return;
    for (let tried = 0; tried < tries; tried += 1) {
      const again = await send(accepted);
      if (again.kind !== 'response' || !rejections.has(again.response.status)) return;
    }
    const { method = '', target = '' } = first ?? {};
    const { what } = describeRejected(settings, operation);
    throw cannotJudge(
      settings.name,
      `it rejects ${what} with ${status} since ${method} ${target}, though it accepted it before`,
      settings.credentials === undefined
        ? 'Pass a token with --token that stays valid for the whole run'
        : 'Use credentials that stay valid for the whole run, or that can be fetched again',
    );
  };
}
