import { type CheckId, type Finding, findingId } from '../check/finding.ts';
import { judgeExchange } from '../check/judge.ts';
import { classifyStatus } from '../check/reading/answer.ts';
import { readKey } from '../check/reading/request.ts';
import {
  type CheckContext,
  contextOf,
  type CredentialsReading,
  type Judged,
  type RequestReading,
} from '../check/reading/subject.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { credentialFields } from '../contract/credentials.ts';
import { createRouter } from '../contract/router.ts';
import type { Answer, Exchange, HttpRequest } from '../http/message.ts';
import type { Policy } from '../policy/policy.ts';
import type { QuestionId } from '../policy/question.ts';
import { questions } from '../policy/questions/index.ts';
import { mayBeStored } from '../runner/confirm.ts';
import { createCoverageRecorder } from '../runner/coverage/recorder.ts';
import type { NotChecked, TrafficEvent, TrafficFinding, TrafficResult } from '../runner/events.ts';
import { createFindingLedger } from '../runner/ledger.ts';
import { createSentKeys, rememberKey } from '../runner/memory.ts';
import { createWhereaboutsReader } from '../runner/run-context.ts';
import { createCredentialHider, toRepeatableRequest } from './hide-credentials.ts';
import { createRepeatJudge, createSightings } from './repeats.ts';
import { listUnseen, type Traffic, type TrafficJudge, whyUnjudged } from './traffic.ts';

/** Which question a status that speaks of what there is already is an answer to. */
function questionOf({ check, cause }: Finding): QuestionId | undefined {
  if (check === 'undeclared-constraint' || check === 'credential-spelling') return 'constraints';
  if (check === 'media-type-spelling') return 'unsupported-media-type';
  if (check !== 'undeclared-status') return undefined;
  // A conflict, what is gone, an unmet condition, a value that does not fit what is there, a lock, a redirection.
  if (/^(?:409|410|412|422|423|424)$/u.test(cause)) return 'unique-properties';
  return /^3\d\d$/u.test(cause) ? 'other-operations' : undefined;
}

/** A body that breaks its schema, or is no JSON, answered with a status for what cannot be processed. */
function isForBrokenBody({ check, cause }: Finding, { body }: Pick<RequestReading, 'body'>): boolean {
  const isBroken = body.kind === 'invalid' || body.kind === 'malformed';
  return isBroken && check === 'undeclared-status' && cause === '422';
}

/**
 * Takes what may come of what the service held before for an observation: a run would send the request again with
 * keys of its own to tell, which passing traffic allows nobody to do.
 *
 * A 422 for a broken body says what is wrong with the body; only where there is a key in it may it speak of what
 * stands under that key, which few services look for first.
 *
 * @param request - that it is about
 */
function excuseState(finding: Finding, request: Pick<RequestReading, 'body' | 'key'>): Finding {
  if (isForBrokenBody(finding, request)) {
    return request.key === 'none' || finding.level === 'observation'
      ? finding
      : { ...finding, level: 'advice' };
  }
  const question = finding.level === 'observation' ? undefined : questionOf(finding);
  if (question === undefined) return finding;
  const { check, operation, received } = finding;
  return {
    check,
    level: 'observation',
    operation,
    clause: { kind: 'policy', question, quote: questions[question].question },
    expected: 'any of the answers that the question allows',
    received: `a valid request turned away (${received})`,
    cause: `${question} ${received}`,
  };
}

/** What there is to tell good credentials of traffic from bad ones by. */
interface TrustSource {
  readonly request: HttpRequest;
  readonly answer: Answer;
  readonly operation: Operation | undefined;
  /** Whether every good token is known, so that any other is bad. */
  readonly knowsEveryToken: boolean;
  /** Whether there may have been credentials that are not shown. */
  readonly mayHideCredentials: boolean;
  /** The header fields that may carry credentials, in lower case. */
  readonly fields: ReadonlySet<string>;
}

/** Statuses that speak of credentials, of expired ones and of ones that are good for less, too (RFC 9110 §15.5). */
const turnsAway = new Set([401, 403, 407]);
/** The name of a scheme with nothing behind it. */
const emptyScheme = /^\s*(?:Bearer|Basic)?\s*$/iu;

/** Whether a request carries something that a service may know its client by, whatever the document asks for. */
function hasCredentials({ request, fields }: TrustSource): boolean {
  return request.headers.some(([name, value]) => fields.has(name.toLowerCase()) && !emptyScheme.test(value));
}

/**
 * Says what may be concluded from the credentials of a request that somebody else made. Whoever was let in had good
 * ones. Of any other nobody knows what they were good for, at that moment: so nothing is held against an answer that
 * they may explain, and a given token that is turned away may have expired.
 *
 * @param reading - as they were read by the document and the given tokens
 */
function trustCredentials(reading: CredentialsReading, source: TrustSource): CredentialsReading {
  const { answer, operation, knowsEveryToken, mayHideCredentials } = source;
  const status = answer.kind === 'response' ? answer.response.status : 0;
  const isIn = status >= 200 && status < 300;
  const isTurnedAway = turnsAway.has(status);
  switch (reading) {
    case 'not-required': {
      const asks = operation !== undefined && operation.security.length > 0;
      return asks && isTurnedAway ? 'unjudged' : reading;
    }
    case 'good':
    case 'good-unusual':
      return isTurnedAway ? 'unjudged' : reading;
    case 'unknown-token':
      return knowsEveryToken ? reading : isIn ? 'good' : 'unjudged';
    case 'missing':
    case 'other': {
      const isTold = !mayHideCredentials && !hasCredentials(source);
      return isTold ? reading : isIn ? 'good' : 'unjudged';
    }
    case 'unjudged':
      return reading;
  }
}

/** What traffic is judged by. */
interface TrafficJudgeOptions {
  readonly contract: Contract;
  /** The base URL of the service. */
  readonly target: string;
  /** What the traffic is, in words: `session.har`. */
  readonly from: string;
  readonly policy: Policy;
  /** The questions whose answers the service is held to. */
  readonly told: ReadonlySet<QuestionId>;
  /** What a create that does not answer with what was sent is worth; undefined where it is not judged. */
  readonly echo: 'violation' | 'advice' | undefined;
  /**
   * Tokens that are good. Others may be too, unless the policy was told that none are (`accepted-tokens: listed`).
   */
  readonly tokens: readonly string[];
  /**
   * The checks about what whoever saw the traffic does not show.
   *
   * @defaultValue none
   */
  readonly unseen?: ReadonlySet<CheckId>;
  /**
   * What is not checked besides.
   *
   * @defaultValue none
   */
  readonly notChecked?: readonly NotChecked[];
  /**
   * All exchanges, where they are there before the first is judged: their credentials are hidden in every one.
   *
   * @defaultValue none
   */
  readonly all?: readonly Exchange[];
  readonly emit: (event: TrafficEvent) => void;
}

/** Answers to a repeated key by which an accepted create says that its key was free. */
const refusing: readonly unknown[] = ['refuse', 'conflict', 'unprocessable'];

/** What was seen as advice may have come to be a violation, which a reader wants first. */
function byLevel(left: TrafficFinding, right: TrafficFinding): number {
  return Number(right.finding.level === 'violation') - Number(left.finding.level === 'violation');
}

/** Whether a finding stands when all was seen. */
type Stands = (finding: Finding) => boolean;

function withHidden(judged: Judged, hide: (exchange: Exchange) => Exchange): Judged {
  const exchange = hide(judged.exchange);
  const { answer } = judged;
  if (exchange === judged.exchange) return judged;
  const came = exchange.answer;
  if (answer.kind === 'response') {
    return came.kind === 'response'
      ? { ...judged, exchange, answer: { ...answer, response: came.response } }
      : { ...judged, exchange };
  }
  return { ...judged, exchange, answer: came.kind === 'response' ? answer : { ...answer, answer: came } };
}

function isAccepted(answer: Answer): boolean {
  return answer.kind === 'response' && answer.response.status >= 200 && answer.response.status < 300;
}

/** A success that the document does not declare, to a create. */
function isUndeclaredSuccess({ check, cause }: Finding): boolean {
  return check === 'undeclared-status' && /^2\d\d$/u.test(cause);
}

/**
 * Creates what judges traffic that somebody else makes, with the checks that a run has, as far as they are sound where
 * nobody knows what the service held before, which tokens are good, and who else talks to it. What it keeps grows with
 * the causes that it finds, not with the exchanges.
 */
export function createTrafficJudge(options: TrafficJudgeOptions): TrafficJudge {
  const { contract, policy, told, tokens, emit, unseen = new Set() } = options;
  const route = createRouter(contract);
  const hide = createCredentialHider(contract);
  // What one exchange shows to be a secret may stand in one before it.
  options.all?.forEach(hide);
  const { fields } = credentialFields(contract);
  const ledger = createFindingLedger<TrafficFinding>();
  const sightings = createSightings();
  const coverage = createCoverageRecorder(contract);
  const whereabouts = createWhereaboutsReader();
  const judgeRepeats = createRepeatJudge();
  const sentKeys = createSentKeys();
  const taken = new Set<string>();
  /** The operations that answered with a success that the document declares. */
  const declaredSuccess = new Set<string>();
  const unjudged = new Map<string, { count: number; readonly first: string }>();
  const knowsEveryToken =
    told.has('accepted-tokens') && policy['accepted-tokens'] !== 'any' && tokens.length > 0;
  let judgedCount = 0;
  let longestPlainBody = 0;
  let from = Infinity;
  let to = -Infinity;
  const context: CheckContext = {
    contract,
    policy,
    told,
    echo: options.echo,
    goodTokens: tokens,
    taken,
    // Words that look like nobody else's are everybody's in traffic.
    wasSent: () => false,
    get longestPlainBody() {
      return longestPlainBody;
    },
  };

  function saysThatKeysWereFree(operation: Operation | undefined): boolean {
    const own = contextOf(context, operation);
    return own.told.has('duplicate-key') && refusing.includes(own.policy['duplicate-key']);
  }

  function readKeyState(traffic: Traffic, operation: Operation | undefined) {
    return ({ body }: Omit<RequestReading, 'key'>): RequestReading['key'] => {
      const key = readKey(body, operation);
      if (key === undefined) return 'none';
      const { request, answer } = traffic.exchange;
      const known = rememberKey({ sentKeys, place: request.target.split('?', 1)[0] ?? '', key });
      if (known === 'sent' || traffic.isSideBySide) return 'sent';
      return isAccepted(answer) && known === 'fresh' && saysThatKeysWereFree(operation)
        ? 'allocated'
        : 'chosen';
    };
  }

  function remember({ operation, request, answer }: Judged): void {
    const { body, credentials, bodyBytes } = request;
    const isPlain = body.kind === 'not-expected' || (body.kind === 'valid' && body.grade.kind === 'plain');
    const isTrusted = credentials === 'good' || credentials === 'not-required';
    if (operation === undefined || classifyStatus(answer) !== 'accepted') return;
    if (answer.kind === 'response' && answer.declared !== undefined) {
      declaredSuccess.add(operation.id);
    }
    if (isPlain && isTrusted) {
      taken.add(operation.id);
      longestPlainBody = Math.max(longestPlainBody, bodyBytes);
    }
  }

  function judge(traffic: Traffic): Judged {
    const { exchange, mayHideCredentials = false } = traffic;
    const { request, answer } = exchange;
    const found = route(request.target.split('?', 1)[0] ?? '');
    const operation = found?.operations.get(request.method);
    const judged = judgeExchange({
      exchange,
      route: found,
      framing: traffic.framing ?? 'content-length',
      keyState: readKeyState(traffic, operation),
      trust: (reading) =>
        trustCredentials(reading, {
          request,
          answer,
          operation,
          knowsEveryToken,
          mayHideCredentials,
          fields,
        }),
      context,
    });
    const repeated = judgeRepeats(judged, { ...traffic, context });
    const findings = [...judged.findings, ...repeated]
      .filter(({ check }) => !unseen.has(check) && !(check === 'echo' && mayBeStored(judged)))
      .map((finding) => excuseState(finding, judged.request));
    return { ...judged, findings };
  }

  function take(finding: Finding, judged: Judged, place: string): void {
    ledger.count(finding);
    if (finding.level === 'observation') return;
    const { seenAt } = sightings.add(finding, judged, place);
    const entry = {
      id: findingId(finding),
      finding,
      exchange: judged,
      requests: [toRepeatableRequest(judged.exchange.request)],
      seenAt,
    };
    if (ledger.add(entry)) {
      emit({ kind: 'traffic-finding', finding: { ...entry, count: 1 } });
    }
  }

  /**
   * A create of a key that existed may be answered with a success of its own, which says nothing of the service where
   * other creates were answered as the document declares.
   */
  const stands: Stands = (finding) =>
    !(
      isUndeclaredSuccess(finding) &&
      sightings.of(finding)?.isOfChosenKeys === true &&
      declaredSuccess.has(finding.operation)
    );

  const { title, version, source } = contract;
  emit({
    kind: 'traffic-started',
    target: options.target,
    from: options.from,
    contract: { title, version, source },
  });

  return {
    read(traffic) {
      const { exchange, startedAt } = traffic;
      const place = traffic.place ?? `exchange ${traffic.number}`;
      from = Math.min(from, startedAt);
      to = Math.max(to, startedAt + exchange.durationMs);
      const path = exchange.request.target.split('?', 1)[0] ?? '';
      const reason = traffic.unjudged ?? whyUnjudged(exchange, route(path));
      if (reason !== undefined) {
        const known = unjudged.get(reason) ?? { count: 0, first: place };
        unjudged.set(reason, { ...known, count: known.count + 1 });
        emit({ kind: 'traffic-unjudged', place, reason, exchange: hide(exchange), startedAt });
        return undefined;
      }
      const judged = withHidden(judge(traffic), hide);
      judgedCount += 1;
      coverage.read(judged);
      whereabouts.read(judged);
      remember(judged);
      emit({ kind: 'traffic-exchange', place, judged, startedAt });
      judged.findings.forEach((finding) => take(finding, judged, place));
      return judged;
    },
    end() {
      const result: TrafficResult = {
        findings: ledger
          .findings()
          .flatMap((found) => {
            const sighting = sightings.of(found.finding);
            if (sighting === undefined || !stands(found.finding)) return [];
            const { exchange, finding, seenAt } = sighting;
            const requests = [toRepeatableRequest(exchange.exchange.request)];
            return [{ ...found, finding, exchange, requests, seenAt }];
          })
          .toSorted(byLevel),
        observations: ledger.observations(),
        judged: judgedCount,
        unjudged: [...unjudged]
          .map(([reason, { count, first }]) => ({ reason, count, first }))
          .toSorted((left, right) => right.count - left.count),
        notChecked: [
          ...(options.notChecked ?? []),
          ...listUnseen(contract, {
            everyToken: knowsEveryToken,
            freshKeys: saysThatKeysWereFree(undefined),
          }),
        ],
        durationMs: to === -Infinity ? 0 : to - from,
        interrupted: false,
        coverage: coverage.conclude(whereabouts.neverFound()),
        gone: [],
      };
      emit({ kind: 'traffic-finished', result });
      return result;
    },
  };
}
