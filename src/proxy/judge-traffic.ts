import { listGoodTokens } from '../arbitrary/given-credentials.ts';
import { type CheckId, type Finding, findingId } from '../check/finding.ts';
import { createCredentialHider } from '../check/hide-credentials.ts';
import { judgeExchange, type listJudges } from '../check/judge.ts';
import { classifyStatus, mayBeStored } from '../check/classify/answer.ts';
import { rememberCursors } from '../check/classify/cursors.ts';
import { readKey } from '../check/classify/request.ts';
import { createSentKeys, rememberKey } from '../check/classify/sent-keys.ts';
import {
  type CheckContext,
  contextOf,
  type ClassifiedCredentials,
  type CheckedExchange,
  type ClassifiedRequest,
} from '../check/classify/subject.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { credentialNames } from '../contract/credentials.ts';
import { createPathFinder } from '../contract/router.ts';
import { describeExcluded } from '../contract/select-operations.ts';
import { type Exchange, type HttpRequest, isSafeMethod } from '../http/message.ts';
import { isSuccessStatus } from '../http/status.ts';
import type { EnforcedPolicy } from '../policy/policy.ts';
import type { BehaviourId } from '../policy/behaviour.ts';
import { behaviours } from '../policy/behaviours/index.ts';
import { createNotFoundTracker } from '../events/coverage/not-found-tracker.ts';
import { createCoverageRecorder } from '../events/coverage/recorder.ts';
import type {
  FoundCause,
  NotChecked,
  TrafficEvent,
  TrafficFinding,
  TrafficResult,
} from '../events/events.ts';
import { OperationLatencies } from '../events/latency.ts';
import { createFindingLedger } from '../events/ledger.ts';
import { createItemJudge } from './items.ts';
import { createRepeatJudge, Occurrences } from './repeats.ts';
import { listUnseen, type Traffic, whyUnchecked } from './traffic.ts';

/** Options of a {@link TrafficJudge}. */
interface TrafficJudgeOptions extends EnforcedPolicy {
  readonly contract: Contract;
  /** The base URL of the service. */
  readonly target: string;
  /** The description of the traffic: `session.har`. */
  readonly from: string;
  /** Valid tokens. Others may be valid too, unless the policy says that none are (`accepted-tokens: listed`). */
  readonly tokens: readonly string[];
  /** The checks of properties that the observer of the traffic does not show. @defaultValue none */
  readonly unseen?: ReadonlySet<CheckId>;
  /** The checks of single exchanges. @defaultValue those of Cloche */
  readonly judges?: ReturnType<typeof listJudges> | undefined;
  /** The maximum time of a response, in milliseconds. @defaultValue no limit */
  readonly maxResponseMs?: number | undefined;
  /** Further properties that are not checked. @defaultValue none */
  readonly notChecked?: readonly NotChecked[];
  /** Operations whose findings and coverage are not reported. @defaultValue none */
  readonly excluded?: readonly Operation[];
  /** All exchanges, if known before the first is judged: the credentials of each are hidden in all of them. */
  readonly all?: readonly Exchange[];
  readonly emit: (event: TrafficEvent) => void;
}

/** Policy values for a repeated id with which an accepted create shows that its id was free. */
const refusing: readonly unknown[] = ['refuse', 'conflict', 'unprocessable'];

/**
 * Judges the traffic of other clients with those checks of a run that are sound without knowledge of what the service
 * contained before, which tokens are valid, and which other clients it has. The memory that it uses grows with the
 * number of causes that it finds, not with the number of exchanges.
 */
export class TrafficJudge {
  readonly #options: TrafficJudgeOptions;
  readonly #findPath: ReturnType<typeof createPathFinder>;
  readonly #prefixes = new WeakMap<Exchange, string>();
  readonly #hide: ReturnType<typeof createCredentialHider>;
  readonly #isCredential: ReturnType<typeof credentialNames>['isField'];
  readonly #ledger = createFindingLedger<TrafficFinding>();
  readonly #occurrences = new Occurrences();
  readonly #coverage: ReturnType<typeof createCoverageRecorder>;
  readonly #notFound = createNotFoundTracker();
  readonly #judgeRepeats = createRepeatJudge();
  readonly #sentKeys = createSentKeys();
  readonly #accepted = new Set<string>();
  /** The operations that responded with a success that the document declares. */
  readonly #declaredSuccess = new Set<string>();
  readonly #unchecked = new Map<string, { count: number; readonly first: string }>();
  readonly #knowsEveryToken: boolean;
  readonly #cursors = new Set<string>();
  readonly #context: CheckContext & { longestPlainBody: number };
  readonly #items: ReturnType<typeof createItemJudge>;
  /** The operations with a late response. */
  readonly #slow = new Set<string>();
  readonly #latencies = new OperationLatencies();
  #judgedCount = 0;
  #from = Infinity;
  #to = -Infinity;

  constructor(options: TrafficJudgeOptions) {
    const { contract, policy, enforced, echo, tokens, target, from, emit } = options;
    this.#options = options;
    this.#findPath = createPathFinder(contract);
    this.#hide = createCredentialHider(contract);
    // A secret that one exchange reveals may occur in an earlier one.
    options.all?.forEach(this.#hide.learn);
    this.#isCredential = credentialNames(contract).isField;
    this.#coverage = createCoverageRecorder(contract);
    this.#knowsEveryToken =
      enforced.has('accepted-tokens') && policy['accepted-tokens'] !== 'any' && tokens.length > 0;
    this.#context = {
      contract,
      policy,
      enforced,
      echo,
      // An API key in Authorization may be sent with the scheme or without it.
      goodTokens: tokens.flatMap((token) =>
        ['', 'Bearer '].flatMap((keyPrefix) => listGoodTokens(contract, { token, keyPrefix })),
      ),
      taken: this.#accepted,
      // In traffic, unusual words do not identify the client that sent them.
      wasSent: () => false,
      longestPlainBody: 0,
      cursors: this.#cursors,
      maxResponseMs: options.maxResponseMs,
    };
    this.#items = createItemJudge(this.#context);
    const { title, version, source } = contract;
    emit({ kind: 'traffic-started', target, from, contract: { title, version, source } });
  }

  /** Removes the path of a server in the document from a target: all further reading uses the document's paths. */
  #withoutPrefix(traffic: Traffic): Traffic {
    const path = pathOf(traffic.exchange);
    const prefix = path.slice(0, path.length - this.#findPath(path).path.length);
    if (prefix === '') return traffic;
    const { request } = traffic.exchange;
    const exchange = {
      ...traffic.exchange,
      request: { ...request, target: request.target.slice(prefix.length) },
    };
    this.#prefixes.set(exchange, prefix);
    return { ...traffic, exchange };
  }

  /** Returns the request of an exchange in the form in which a user repeats it by hand. */
  #repeatable(exchange: Exchange, shown: Exchange): HttpRequest {
    const request = toRepeatableRequest(shown.request);
    return { ...request, target: `${this.#prefixes.get(exchange) ?? ''}${request.target}` };
  }

  #saysThatKeysWereFree(operation: Operation | undefined): boolean {
    const own = contextOf(this.#context, operation);
    return own.enforced.has('duplicate-key') && refusing.includes(own.policy['duplicate-key']);
  }

  #readKeyState(
    { exchange, isBesideChange }: Traffic,
    operation: Operation | undefined,
    body: ClassifiedRequest['body'],
  ): ClassifiedRequest['key'] {
    const key = readKey(body, operation);
    if (key === undefined) return 'none';
    const known = rememberKey({ sentKeys: this.#sentKeys, place: pathOf(exchange), key });
    // An id that two concurrent requests name may be of either.
    if (known === 'sent' || isBesideChange) return 'sent';
    const isFree =
      known === 'fresh' && isSuccessStatus(statusOf(exchange)) && this.#saysThatKeysWereFree(operation);
    return isFree ? 'allocated' : 'chosen';
  }

  #judge(traffic: Traffic): {
    readonly judged: CheckedExchange;
    /** The earlier requests that a finding needs. */
    readonly before: ReadonlyMap<Finding, readonly HttpRequest[]>;
  } {
    const { exchange, framing = 'content-length', mayHideCredentials = false } = traffic;
    const found = this.#findPath(pathOf(exchange)).route;
    const operation = found?.operations.get(exchange.request.method);
    // Any field by which a service may identify its client, whether or not the document requires it.
    const mayBeCredentials =
      mayHideCredentials ||
      exchange.request.headers.some(([name, value]) => this.#isCredential(name) && !emptyScheme.test(value));
    const judged = judgeExchange({
      exchange,
      route: found,
      framing,
      keyState: ({ body }) => this.#readKeyState(traffic, operation, body),
      trust: (reading) =>
        trustCredentials(reading, {
          status: statusOf(exchange),
          isGuarded: operation !== undefined && operation.security.length > 0,
          knowsEveryToken: this.#knowsEveryToken,
          mayBeCredentials,
        }),
      judges: this.#options.judges,
      context: this.#context,
    });
    rememberCursors(this.#cursors, judged);
    const repeated = this.#judgeRepeats(judged, { ...traffic, context: this.#context });
    const isJudged = ({ check, operation: name }: Finding): boolean => {
      // One late response may be a hiccup, and traffic is not sent again.
      if (check === 'too-slow' && !this.#slow.has(name)) return !this.#slow.add(name);
      return this.#options.unseen?.has(check) !== true && !(check === 'echo' && mayBeStored(judged));
    };
    const seen = [...judged.findings, ...repeated].filter(isJudged);
    const findings = seen.map((finding) => excuseState(finding, judged.request));
    const ofItems = this.#items.judge(judged, traffic);
    const before = ofItems.map(({ finding, shownBy }) => {
      const others = shownBy.filter((each) => each !== judged).map(({ exchange: each }) => each);
      return [finding, others.map((each) => this.#repeatable(each, this.#hide.exchange(each)))] as const;
    });
    return {
      judged: { ...judged, findings: [...findings, ...ofItems.map(({ finding }) => finding)] },
      before: new Map(before),
    };
  }

  #remember({ operation, request, answer }: CheckedExchange): void {
    if (operation === undefined || classifyStatus(answer) !== 'accepted') return;
    const { body, credentials, bodyBytes } = request;
    if (answer.kind === 'response' && answer.declared !== undefined) {
      this.#declaredSuccess.add(operation.id);
    }
    const isPlain = body.kind === 'not-expected' || (body.kind === 'valid' && body.grade.kind === 'plain');
    if (isPlain && (credentials === 'good' || credentials === 'not-required')) {
      this.#accepted.add(operation.id);
      this.#context.longestPlainBody = Math.max(this.#context.longestPlainBody, bodyBytes);
    }
  }

  #take(found: Omit<FoundCause, 'id' | 'count'>, place: string): void {
    const { finding } = found;
    this.#ledger.count(finding);
    if (finding.level === 'note') return;
    const entry = { ...found, id: findingId(finding), seenAt: this.#occurrences.add(found, place).seenAt };
    if (this.#ledger.add(entry)) {
      this.#options.emit({ kind: 'traffic-finding', finding: { ...entry, count: 1 } });
    }
  }

  /** Lists the findings after all traffic was seen, each with the exchange that shows it best. */
  #listFindings(): readonly TrafficFinding[] {
    const found = this.#ledger.findings().flatMap((one): readonly TrafficFinding[] => {
      const occurrence = this.#occurrences.of(one.finding);
      if (occurrence === undefined) return [];
      const { finding, exchange, requests, seenAt, isOfChosenKeys } = occurrence;
      // A service may answer a create of an existing id with a separate success status. This is no finding if other
      // creates were answered with a declared success.
      const isOfTheKey =
        one.finding.check === 'undeclared-status' &&
        /^2\d\d$/u.test(one.finding.cause) &&
        isOfChosenKeys &&
        this.#declaredSuccess.has(one.finding.operation);
      return isOfTheKey ? [] : [{ ...one, finding, exchange, requests, seenAt }];
    });
    // A warning may have become a violation, which a reader wants first.
    const isViolation = ({ finding }: TrafficFinding): number => Number(finding.level === 'violation');
    return found.toSorted((left, right) => isViolation(right) - isViolation(left));
  }

  /** Judges an exchange. Returns undefined for one that cannot be judged, and counts it. */
  read(given: Traffic): CheckedExchange | undefined {
    const traffic = this.#withoutPrefix(given);
    const { exchange, startedAt, place = `exchange ${traffic.number}` } = traffic;
    this.#from = Math.min(this.#from, startedAt);
    this.#to = Math.max(this.#to, startedAt + exchange.durationMs);
    const found = this.#findPath(pathOf(exchange)).route;
    const reason = traffic.unjudged ?? whyUnchecked(exchange, found);
    if (reason !== undefined) {
      const known = this.#unchecked.get(reason) ?? { count: 0, first: place };
      this.#unchecked.set(reason, { ...known, count: known.count + 1 });
      if (!isSafeMethod(exchange.request.method) && (traffic.unjudged === undefined || found !== undefined))
        this.#items.forget();
      const shown = this.#hide.exchange(exchange);
      this.#options.emit({ kind: 'traffic-unjudged', place, reason, exchange: shown, startedAt });
      return undefined;
    }
    const { judged: whole, before } = this.#judge(traffic);
    const isExcluded =
      whole.operation !== undefined && this.#options.excluded?.includes(whole.operation) === true;
    const seen = isExcluded ? { ...whole, findings: [] } : whole;
    const judged = this.#hide.judged(seen);
    this.#judgedCount += 1;
    this.#coverage.read(judged);
    this.#latencies.read(judged);
    this.#notFound.read(judged);
    this.#remember(judged);
    this.#options.emit({ kind: 'traffic-exchange', place, judged, startedAt });
    const request = this.#repeatable(exchange, judged.exchange);
    for (const [index, finding] of judged.findings.entries()) {
      const found = seen.findings[index] ?? finding;
      this.#take({ finding, exchange: judged, requests: [...(before.get(found) ?? []), request] }, place);
    }
    return judged;
  }

  /** Emits the result for the reports, and returns it. */
  end(): TrafficResult {
    const { excluded = [] } = this.#options;
    const left = excluded.length === 0 ? [] : [describeExcluded(excluded)];
    const known = { everyToken: this.#knowsEveryToken, freshKeys: this.#saysThatKeysWereFree(undefined) };
    const result: TrafficResult = {
      findings: this.#listFindings(),
      notes: this.#ledger.notes(),
      judged: this.#judgedCount,
      unjudged: [...this.#unchecked]
        .map(([reason, { count, first }]) => ({ reason, count, first }))
        .toSorted((left, right) => right.count - left.count),
      notChecked: [
        ...left,
        ...(this.#options.notChecked ?? []),
        ...listUnseen(this.#options.contract, known),
      ],
      durationMs: this.#to === -Infinity ? 0 : this.#to - this.#from,
      interrupted: false,
      coverage: this.#coverage
        .conclude(this.#notFound.found())
        .filter(({ operation }) => !excluded.some(({ id }) => id === operation)),
      latency: this.#latencies.conclude(this.#options.maxResponseMs),
      gone: [],
    };
    this.#options.emit({ kind: 'traffic-finished', result });
    return result;
  }
}

function pathOf({ request }: Exchange): string {
  return request.target.split('?', 1)[0] ?? '';
}

/** Returns the status; 0 if no response came. */
function statusOf({ answer }: Exchange): number {
  return answer.kind === 'response' ? answer.response.status : 0;
}

/** Fields of a connection, and those that identify a browser; another client sends different ones. */
const ofTheClient =
  /^(?:host|connection|keep-alive|proxy-connection|te|content-length|transfer-encoding|accept-encoding|accept-language|user-agent|priority|dnt|upgrade-insecure-requests|sec-.*)$/iu;

/** Returns a request in the form in which a user repeats it by hand, without the fields of its client. */
function toRepeatableRequest(request: HttpRequest): HttpRequest {
  return { ...request, headers: request.headers.filter(([name]) => !ofTheClient.test(name)) };
}

/** Statuses about credentials, including expired and insufficient ones (RFC 9110 §15.5). */
const rejections = new Set([401, 403, 407]);
/** Matches the name of a scheme without credentials. */
const emptyScheme = /^\s*(?:Bearer|Basic)?\s*$/iu;

/**
 * Returns what the credentials of another client's request prove. A request that succeeded had valid ones. For others
 * it is unknown what they allowed at that moment: a response that they may explain is no finding, and a rejected given
 * token may have expired.
 */
function trustCredentials(
  reading: ClassifiedCredentials,
  known: {
    readonly status: number;
    /** Whether the document requires credentials. */
    readonly isGuarded: boolean;
    /** Whether every valid token is known, which makes all others invalid. */
    readonly knowsEveryToken: boolean;
    /** Whether the request carries credentials, required or not, or may carry some that are not shown. */
    readonly mayBeCredentials: boolean;
  },
): ClassifiedCredentials {
  const isRejected = rejections.has(known.status);
  const byOutcome = isSuccessStatus(known.status) ? 'good' : 'unjudged';
  if (reading === 'not-required') return known.isGuarded && isRejected ? 'unjudged' : reading;
  if (reading === 'good' || reading === 'good-unusual') return isRejected ? 'unjudged' : reading;
  if (reading === 'unknown-token') return known.knowsEveryToken ? reading : byOutcome;
  if (reading === 'missing' || reading === 'other') return known.mayBeCredentials ? byOutcome : reading;
  return reading;
}

/**
 * Turns a finding that the earlier state of the service may explain into a note. A run would repeat the request with
 * new ids to decide, which is impossible with passing traffic.
 *
 * A 422 for an invalid body is about the body. Only if the body contains an id can it be about the resource with that
 * id, which few services check first.
 */
function excuseState(finding: Finding, request: Pick<ClassifiedRequest, 'body' | 'key'>): Finding {
  const { check, level, operation, received, cause } = finding;
  if (level === 'note') return finding;
  const isBroken = request.body.kind === 'invalid' || request.body.kind === 'malformed';
  if (isBroken && check === 'undeclared-status' && cause === '422') {
    return request.key === 'none' ? finding : { ...finding, level: 'warning' };
  }
  const question = questionOf(finding);
  if (question === undefined) return finding;
  return {
    check,
    level: 'note',
    operation,
    clause: { kind: 'policy', question, quote: behaviours[question].question },
    expected: 'any of the answers that the question allows',
    received: `a valid request refused (${received})`,
    cause: `${question} ${received}`,
  };
}

/** Returns the behaviour that a status about existing resources belongs to. */
function questionOf({ check, cause }: Finding): BehaviourId | undefined {
  if (check === 'undeclared-constraint' || check === 'credential-spelling') return 'constraints';
  if (check === 'media-type-spelling') return 'unsupported-media-type';
  if (check !== 'undeclared-status') return undefined;
  // A conflict, a gone resource, an unmet condition, a value that does not fit existing ones, a lock, a redirection.
  if (/^(?:409|410|412|422|423|424)$/u.test(cause)) return 'unique-properties';
  return /^3\d\d$/u.test(cause) ? 'other-operations' : undefined;
}
