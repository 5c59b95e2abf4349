import { listAlternatives, nameAlternative, pickAlternative } from '../arbitrary/credentials.ts';
import { isAuthorizationKey } from '../arbitrary/given-credentials.ts';
import { buildRequest } from '../arbitrary/request.ts';
import { statusOf } from '../check/classify/answer.ts';
import type { CheckedExchange } from '../check/classify/subject.ts';
import type { Operation } from '../contract/contract.ts';
import { headerValue } from '../http/message.ts';
import { asksCredentials } from '../policy/behaviours/credentials.ts';
import {
  describeRejected,
  findMissingPrefix,
  isRejected,
  remedyOfUnknownPaths,
} from '../session/cannot-judge.ts';
import { hasCredentials } from '../session/credentials.ts';
import type { RunSettings } from '../session/target.ts';
import { NoItem } from '../session/items.ts';
import type { RunMemory } from '../session/memory.ts';
import type { Session } from '../session/session.ts';
import { actsOnService } from '../contract/service-operations.ts';
import { selectTargets } from './target-operations.ts';
import { cannotJudge, runSideBySide } from '../session/throttle.ts';

function isUnknownPath({ answer }: CheckedExchange, operation: Operation): boolean {
  const isConcrete = operation.path.segments.every(({ kind }) => kind === 'literal');
  return (
    answer.kind === 'response' &&
    answer.response.status === 404 &&
    answer.declared?.status.kind !== 'exact' &&
    isConcrete
  );
}

function isRejectedUndeclared({ judged }: { readonly judged: CheckedExchange }): boolean {
  return (
    isRejected(judged) && judged.answer.kind === 'response' && judged.answer.declared?.status.kind !== 'exact'
  );
}

function isHang({ answer }: CheckedExchange): boolean {
  return answer.kind === 'none' && answer.answer.kind === 'timed-out';
}

/** The maximum number of operations to try here. The others, or all if time is short, are first tried in a suite. */
const mostAsked = 40;

/** Returns a number of items evenly spread over a list. */
function spread<Item>(items: readonly Item[], most: number): readonly Item[] {
  const step = Math.max(1, items.length / most);
  return items.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/**
 * Sends one plain request per operation, or for some in a large document. Returns whether a response is a violation, and
 * the operations that responded.
 * @throws ClocheError CANNOT_JUDGE if the token is rejected everywhere, no path is known, or no plain request gets a
 * response in time
 */
export async function preflight(
  session: Session,
  run: {
    readonly settings: RunSettings;
    readonly memory: RunMemory;
    readonly isStopped: () => boolean;
  },
): Promise<{ readonly isBroken: boolean; readonly answered: readonly Operation[] }> {
  const { settings, memory, isStopped } = run;
  const { name, unsafeMethods, connections, maxTimeMs } = settings;
  const operations = selectTargets(settings).targets.filter(
    (operation) =>
      !actsOnService(operation) && (unsafeMethods || !['PUT', 'PATCH', 'DELETE'].includes(operation.method)),
  );
  if (operations.some(asksCredentials) && !hasCredentials(settings)) {
    const reason = 'its document asks for credentials, and none were given';
    throw cannotJudge(name, reason, 'Pass --token, or set CLOCHE_TOKEN');
  }
  const answers: { judged: CheckedExchange; operation: Operation }[] = [];
  async function ask(operation: Operation): Promise<void> {
    const judged = await session.send(buildRequest(operation), session.openIdContext());
    // A service may be slow at the first request. If it hangs, each further one would cost a time-out for every item.
    const again =
      isHang(judged) && answers.length === 0
        ? await session.send(buildRequest(operation), session.openIdContext())
        : undefined;
    answers.push({ judged: again ?? judged, operation });
  }
  /** Ignores the error of a rate-limited operation. */
  const unlessLimited = (asked: Promise<void>): Promise<void> =>
    asked.catch((error: unknown) => {
      if (!(error instanceof NoItem)) throw error;
    });
  const lateAt = performance.now() + maxTimeMs / 5;
  const side = {
    run: (operation: Operation) => unlessLimited(ask(operation)),
    isStopped: () => isStopped() || (answers.length > 0 && performance.now() > lateAt),
  };
  await runSideBySide({ ...side, tasks: operations.slice(0, 1), atOnce: 1 });
  await runSideBySide({ ...side, tasks: spread(operations.slice(1), mostAsked), atOnce: connections });
  const [first] = answers;
  async function tryOthers(answer: (typeof answers)[number]): Promise<void> {
    if (!isStopped()) answer.judged = await tryAlternatives(answer, session, memory);
    if (!isStopped()) answer.judged = await tryBearer(answer, session, memory);
  }
  for (const answer of answers) await unlessLimited(tryOthers(answer));
  if (memory.keyPrefix !== '') {
    const text = `${name} accepts the token as "Bearer <token>" only, so the run sends it that way.`;
    settings.emit({ kind: 'notice', text });
  }
  // An aborted request is no evidence about the service.
  if (first === undefined || isStopped()) return { isBroken: false, answered: [] };
  if (answers.every(({ judged }) => isHang(judged))) {
    const { method, target: path } = first.judged.exchange.request;
    throw cannotJudge(
      name,
      `it does not answer ${method} ${path}, a plain request, in time, twice`,
      'Give it more time with --timeout, or fix the hang first',
    );
  }
  // Operations without security are no evidence about the token.
  const [guarded, ...others] = answers.filter(({ judged }) => judged.request.credentials === 'good');
  if (guarded !== undefined && [guarded, ...others].every(({ judged }) => isRejected(judged))) {
    const { what, remedy } = describeRejected(settings, guarded.operation);
    throw cannotJudge(name, `it rejected ${what} with ${statusOf(guarded.judged)}`, remedy);
  }
  if (guarded === undefined && answers.every(isRejectedUndeclared)) {
    throw cannotJudge(
      name,
      `it answers every request with ${statusOf(first.judged)}, but the document declares no security`,
      'Declare its security in the document, or send the credentials with --header "Authorization: Bearer TOKEN"',
    );
  }
  const prefix = findMissingPrefix(settings);
  // If the document has a base path, 404 for every plain request is stronger evidence than the declared 404s.
  const unknown = answers.filter(({ judged, operation }) => isUnknownPath(judged, operation));
  if (
    answers.every((each) => unknown.includes(each) || (prefix !== undefined && statusOf(each.judged) === 404))
  ) {
    const { method, target: path } = first.judged.exchange.request;
    throw cannotJudge(
      name,
      `it answers 404 to ${method} ${path}${answers.length > 1 ? ' and all other operations' : ''}`,
      remedyOfUnknownPaths(settings, 'test'),
    );
  }
  return {
    isBroken: answers.some(({ judged }) => judged.findings.some(({ level }) => level === 'violation')),
    answered: answers.flatMap(({ judged, operation }) =>
      judged.answer.kind === 'response' ? operation : [],
    ),
  };
}

/**
 * Tries the other security alternatives of an operation that rejects the token, because one is enough (OpenAPI 3.1
 * §4.8.30). The run continues with the first that is accepted.
 */
async function tryAlternatives(
  { judged, operation }: { readonly judged: CheckedExchange; readonly operation: Operation },
  session: Session,
  { rejected }: RunMemory,
): Promise<CheckedExchange> {
  if (judged.request.credentials !== 'good') return judged;
  const before = [...rejected];
  let last = judged;
  for (const schemes of listAlternatives(operation).slice(0, -1)) {
    if (!isRejected(last)) break;
    rejected.add(nameAlternative(schemes));
    last = await session.send(buildRequest(operation), session.openIdContext());
  }
  if (!isRejected(last)) return last;
  rejected.clear();
  for (const name of before) rejected.add(name);
  return judged;
}

/** A challenge of the Bearer scheme among others (RFC 9110 §11.6.1, RFC 6750 §3). */
const bearerChallenge = /(?:^|,)\s*Bearer(?=[\s,]|$)/iu;

/**
 * Repeats a rejected API key in Authorization with the prefix `Bearer ` if the service requires it. Documents of
 * version 2.0 cannot declare bearer tokens. If the service accepts it, the run continues with the prefix.
 */
async function tryBearer(
  { judged, operation }: { readonly judged: CheckedExchange; readonly operation: Operation },
  session: Session,
  memory: RunMemory,
): Promise<CheckedExchange> {
  const { request, answer } = judged.exchange;
  const challenge =
    answer.kind === 'response' ? headerValue(answer.response.headers, 'www-authenticate') : '';
  const sent = headerValue(request.headers, 'authorization') ?? ' ';
  const isKey = pickAlternative(operation, memory.rejected)?.some(isAuthorizationKey) ?? false;
  if (!isKey || !isRejected(judged) || /\s/u.test(sent) || !bearerChallenge.test(challenge ?? ''))
    return judged;
  const before = memory.keyPrefix;
  memory.keyPrefix = 'Bearer ';
  const again = await session.send(buildRequest(operation), session.openIdContext());
  if (isRejected(again)) memory.keyPrefix = before;
  return again;
}
