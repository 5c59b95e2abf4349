import type { Route } from '../contract/router.ts';
import { type Exchange, type Framing, headerValue } from '../http/message.ts';
import { pathOf } from '../http/path.ts';
import { isClientError } from '../http/status.ts';
import { checks } from './checks/all-checks.ts';
import type { Check } from './define-check.ts';
import { type CheckId, type Finding, locateFinding } from './finding.ts';
import { observeAnswers } from './notes.ts';
import { readAnswer } from './classify/answer.ts';
import { breaksFormat, readRequest } from './classify/request.ts';
import {
  type CheckContext,
  contextOf,
  type ClassifiedCredentials,
  type CheckedExchange,
  type ClassifiedRequest,
} from './classify/subject.ts';

type Judge = NonNullable<Check['judge']>;

/** Lists the judges of checks of one exchange. Other checks take several exchanges, or the run makes their findings. */
export function listJudges(among: readonly Check[]): readonly Judge[] {
  return among.flatMap(({ judge }) => judge ?? []);
}

const builtIn = listJudges(Object.values(checks));

/**
 * Judges an exchange, whether a run made it or not. It reads both messages from their bytes by the operation that the
 * request reached, runs every check, and leaves out findings that follow from another finding.
 *
 * @param input.keyState - returns what is known of the id in the request, after its body was read
 * @param input.trust - corrects the reading of credentials, for requests that Cloche did not make
 * @param input.user - the user that sent the request; a service may refuse a second one for unspecified reasons
 * @param input.judges - the checks of {@link listJudges}; by default those of Cloche
 */
export function judgeExchange(input: {
  readonly exchange: Exchange;
  readonly route: Route | undefined;
  readonly framing: Framing;
  readonly keyState: (reading: Omit<ClassifiedRequest, 'key'>) => ClassifiedRequest['key'];
  readonly trust?: (reading: ClassifiedCredentials) => ClassifiedCredentials;
  readonly user?: CheckedExchange['user'];
  readonly judges?: readonly Judge[] | undefined;
  readonly context: CheckContext;
}): CheckedExchange {
  const { exchange, route, framing, trust = (credentials) => credentials, judges = builtIn, user } = input;
  const operation = route?.operations.get(exchange.request.method);
  const context = contextOf(input.context, operation);
  const asItStands = readRequest({
    request: exchange.request,
    operation,
    pathParameters: route?.parameters ?? {},
    goodTokens: context.goodTokens,
    framing,
  });
  const credentials = user === undefined ? trust(asItStands.credentials) : ('unjudged' as const);
  const reading = { ...asItStands, credentials };
  const answer = readAnswer(exchange.answer, operation);
  const status = answer.kind === 'response' && answer.declared === undefined ? answer.response.status : 0;
  const isUndeclaredRefusal = isClientError(status);
  const subject = {
    exchange,
    operation,
    knowsPath: route !== undefined,
    request: {
      key: input.keyState(reading),
      ...reading,
      ...(isUndeclaredRefusal &&
        operation && { breaksFormat: breaksFormat(exchange.request, operation, route?.parameters ?? {}) }),
    },
    answer,
    ...(user === undefined ? {} : { user }),
  };
  if (operation?.isUnclear) return { findings: [], ...subject };
  // Most checks find nothing, so no list is created for each.
  const found: Finding[] = [];
  for (const judge of judges) {
    const finding = judge(subject, context);
    if (finding !== undefined) {
      found.push(finding);
    }
  }
  const causes = found.length > 1 ? withoutConsequences(found) : found;
  const isOfMock = found.length > 0 && context.isMock === true && isStandIn(subject);
  const isOfGateway = found.length > 0 && isRefusedSlash(subject);
  const located = causes
    .map((each): Finding => (isOfMock && ofStandIns.has(each.check) ? { ...each, level: 'note' } : each))
    .map((each): Finding =>
      isOfGateway && each.level === 'violation' ? { ...each, level: 'warning' } : each,
    )
    .map((finding) => locateFinding(finding, context.contract));
  return { findings: [...located, ...observeAnswers(subject)], ...subject };
}

/** Returns whether a mock of Cloche declares that it found no value valid for the response schema. */
function isStandIn({ answer }: Pick<CheckedExchange, 'answer'>): boolean {
  return (
    answer.kind === 'response' && headerValue(answer.response.headers, 'cloche-undeclared') === 'not-mocked'
  );
}

/**
 * Returns whether a path with an encoded slash was refused. Many servers and gateways refuse or rewrite it, before the
 * service that the document describes.
 */
function isRefusedSlash({ answer, exchange }: Pick<CheckedExchange, 'answer' | 'exchange'>): boolean {
  return (
    answer.kind === 'response' &&
    isClientError(answer.response.status) &&
    /%(?:2f|5c)/iu.test(pathOf(exchange.request.target))
  );
}

const ofStandIns: ReadonlySet<CheckId> = new Set([
  'response-schema',
  'response-media-type',
  'response-header',
  'server-error',
]);

/** Findings in a response that should not have been sent follow from that error. */
const ofAnswer: readonly CheckId[] = ['response-schema', 'cross-talk', 'echo'];

/** For each check, the checks whose findings follow from its finding. */
const consequences: Readonly<Partial<Record<CheckId, readonly CheckId[]>>> = {
  'invalid-body-accepted': ofAnswer,
  'malformed-body-accepted': ofAnswer,
  'media-type-accepted': ofAnswer,
  'invalid-parameter-accepted': ofAnswer,
  'cross-talk': ['echo'],
  // A response that violates the configured policy explains these findings.
  drift: ['undeclared-constraint', 'int64-range'],
};

function withoutConsequences(found: readonly Finding[]): readonly Finding[] {
  const explained = new Set(found.flatMap(({ check }) => consequences[check] ?? []));
  return found.filter(({ check }) => !explained.has(check));
}
