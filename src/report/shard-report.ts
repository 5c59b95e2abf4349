import { readAnswer } from '../check/classify/answer.ts';
import { readRequest } from '../check/classify/request.ts';
import type { CheckedExchange, ClassifiedRequest } from '../check/classify/subject.ts';
import { type Clause, type Finding, type ParityVerdict, quoteBehaviour } from '../check/finding.ts';
import type { Contract } from '../contract/contract.ts';
import { createRouter } from '../contract/router.ts';
import type { ClocheError } from '../errors/cloche-error.ts';
import type {
  ItemTally,
  LeftItem,
  ParityResult,
  RunFinding,
  RunItems,
  RunResult,
  Shard,
} from '../events/events.ts';
import type { LatencyResult } from '../events/latency.ts';
import type { Answer, Exchange, HttpRequest } from '../http/message.ts';
import { redacted } from '../http/redact.ts';
import type { BehaviourId } from '../policy/behaviour.ts';

interface BytesJson {
  readonly encoding: 'utf-8' | 'base64';
  readonly text: string;
}

type HeadersJson = readonly { readonly name: string; readonly value: string }[];

interface RequestJson extends Pick<HttpRequest, 'method' | 'target'> {
  readonly headers: HeadersJson;
  readonly body: BytesJson | null;
  readonly curl?: string;
  readonly outcome?: string | null;
}

type AnswerJson =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: HeadersJson;
      readonly body: BytesJson;
      readonly undecoded?: { readonly coding: string; readonly reason: 'broken' | 'unknown' };
      readonly cutAfter?: number;
      readonly trailing?: BytesJson;
    }
  | { readonly kind: 'timed-out'; readonly afterMs: number; readonly received: BytesJson }
  | { readonly kind: 'dropped' | 'not-http'; readonly reason: string; readonly received: BytesJson }
  | { readonly kind: 'unreachable'; readonly reason: string };

interface ExchangeJson {
  readonly request: RequestJson;
  readonly answer: AnswerJson;
  readonly durationMs: number;
}

type FindingJson = Pick<RunFinding, 'id' | 'suite' | 'property' | 'confirmed' | 'count' | 'replay'> &
  Pick<
    Finding,
    | 'check'
    | 'level'
    | 'operation'
    | 'expected'
    | 'received'
    | 'cause'
    | 'otherTriggers'
    | 'qualification'
    | 'docs'
  > & {
    readonly title: string;
    readonly clause: Clause & { readonly line?: number; readonly column?: number };
    readonly trigger: string | null;
    readonly boundary: (NonNullable<Finding['boundary']> & { readonly words?: string }) | null;
    readonly known: RunFinding['known'] | null;
    readonly expired: RunFinding['expired'] | null;
    readonly sideBySide: boolean;
    readonly exchange: ExchangeJson & {
      readonly key: ClassifiedRequest['key'];
      readonly framing: ClassifiedRequest['framing'];
      readonly isAlone: boolean;
    };
    readonly earlier?: readonly ExchangeJson[];
    readonly requests: readonly RequestJson[];
    readonly parity?: {
      readonly tested: string;
      readonly other: string;
      readonly answered: string;
      readonly verdict: ParityVerdict['kind'];
      readonly question?: BehaviourId | null;
      readonly answer?: Extract<ParityVerdict, { kind: 'silent' }>['answer'] | null;
      readonly unless?: BehaviourId;
      readonly requests: readonly RequestJson[];
    };
  };

/** A JSON report of one shard, as {@link createJsonReport} writes it: `spec/report.schema.json` describes it. */
export interface ShardReport extends Pick<
  RunResult,
  'gone' | 'notChecked' | 'coverage' | 'properties' | 'seed'
> {
  readonly tool: { readonly version: string };
  readonly contract: { readonly source: string };
  readonly target: string;
  readonly command: string;
  readonly startedAt: string;
  readonly strict: boolean;
  readonly shard: Shard & {
    readonly plan: string;
    readonly document: string;
    readonly untested: readonly string[];
    readonly suites?: readonly string[];
    readonly minCoverage?: number;
    /** A description of each secret, in their order. */
    readonly secrets?: readonly string[];
  };
  readonly end: {
    readonly kind: 'whole' | 'interrupted' | 'broken-off';
    readonly why?: string;
    readonly exitCode?: ClocheError['exitCode'];
  };
  readonly keys: { readonly from: number; readonly to: number };
  readonly figures: {
    readonly durationMs: number;
    readonly requests: number;
    readonly properties: number;
    readonly plannedCases: number;
    readonly waits: number;
  };
  readonly items?: ItemTally & {
    readonly left: readonly (Pick<LeftItem, 'path' | 'collection' | 'reason'> & {
      readonly curl: string | null;
    })[];
  };
  readonly findings: readonly FindingJson[];
  readonly notes: readonly (Pick<Finding, 'check' | 'operation' | 'received'> & {
    readonly question?: BehaviourId;
    readonly count: number;
  })[];
  readonly suspects: readonly RequestJson[];
  readonly latency?: Omit<LatencyResult, 'limitMs'> & { readonly limitMs: number | null };
  readonly parity?: Pick<ParityResult, 'names' | 'compared' | 'differing' | 'unanswered' | 'notCompared'> &
    ParityResult['proposal'] & { readonly other: string };
}

/** Returns the result of the run that a report describes. Its exchanges are classified again by the contract. */
export function readShardResult(report: ShardReport, contract: Contract): RunResult {
  const { figures, keys, end, suspects, notes, items } = report;
  const toChecked = createClassifier(contract);
  return {
    ...(items === undefined ? {} : { items: toItems(items) }),
    seed: report.seed,
    keys: [keys.from, keys.to],
    findings: report.findings.map((found) => toFinding(found, report, toChecked)),
    notes: notes.map(({ check, operation, question, received, count }) => ({
      finding: {
        check,
        level: 'note',
        operation,
        clause:
          question === undefined ? { kind: 'rule', name: 'Cloche', quote: '' } : quoteBehaviour(question),
        expected: '',
        received,
        cause: received,
      },
      count,
    })),
    properties: report.properties,
    planned: figures.plannedCases,
    notChecked: report.notChecked,
    requests: figures.requests,
    durationMs: figures.durationMs,
    waits: figures.waits,
    interrupted: end.kind === 'interrupted',
    brokenOff: suspects.map((request) =>
      toChecked({ request, answer: { kind: 'unreachable', reason: 'the service went down' }, durationMs: 0 }),
    ),
    coverage: report.coverage,
    gone: report.gone,
    ...(report.latency && { latency: { ...report.latency, limitMs: report.latency.limitMs ?? undefined } }),
    ...(report.parity === undefined ? {} : { parity: toParity(report.parity) }),
  };
}

function toItems({ left, ...tally }: NonNullable<ShardReport['items']>): RunItems {
  return {
    ...tally,
    left: left.map(({ curl, ...item }) => ({ ...item, request: undefined, curl: curl ?? undefined })),
  };
}

function toParity({
  other,
  answers,
  operations,
  unsure,
  ...rest
}: NonNullable<ShardReport['parity']>): ParityResult {
  return { ...rest, name: other, proposal: { answers, operations, unsure } };
}

function toFinding(
  found: FindingJson,
  { contract: { source }, command }: ShardReport,
  toChecked: ReturnType<typeof createClassifier>,
): RunFinding {
  const { check, level, title, operation, expected, received, cause, otherTriggers, docs, parity } = found;
  const { trigger, exchange, earlier, known, expired, requests } = found;
  const outcomes = requests.flatMap(({ outcome }) => outcome ?? []);
  const finding: Finding = {
    check,
    level,
    title,
    operation,
    clause: toClause(found.clause, source),
    expected,
    received,
    cause,
    ...(trigger === null ? {} : { trigger }),
    ...(otherTriggers && { otherTriggers }),
    ...(docs && { docs }),
    ...(found.qualification && { qualification: found.qualification }),
    ...(found.boundary && { boundary: found.boundary }),
    ...(parity && { parity: { ...parity, verdict: toVerdict(parity) } }),
  };
  return {
    id: found.id,
    suite: found.suite,
    property: found.property,
    finding,
    exchange: { ...toChecked(exchange, exchange), findings: exchange.isAlone ? [finding] : [] },
    requests: requests.map(toRequest),
    curl: {
      requests: requests.map(({ curl = '' }) => curl),
      elsewhere: parity?.requests.map(({ curl = '' }) => curl) ?? [],
    },
    ...(parity && { elsewhere: parity.requests.map(toRequest) }),
    ...(found.sideBySide ? { sideBySide: true } : {}),
    ...(outcomes.length === requests.length ? { outcomes } : {}),
    ...(earlier && { earlier: earlier.map((one) => toChecked(one)) }),
    replay: { seed: found.replay.seed, path: found.replay.path, command },
    confirmed: found.confirmed,
    count: found.count,
    ...(known && { known }),
    ...(expired && { expired }),
  };
}

function toVerdict({ verdict, question, answer, unless }: NonNullable<FindingJson['parity']>): ParityVerdict {
  if (verdict !== 'silent') return { kind: verdict };
  return {
    kind: verdict,
    question: question ?? undefined,
    answer: answer ?? undefined,
    ...(unless && { unless }),
  };
}

/** Returns a clause without its line, and without the file if that is the document. */
function toClause(clause: FindingJson['clause'], source: string): Clause {
  if (clause.kind !== 'document') return clause;
  const { kind, file, pointer, quote } = clause;
  return { kind, ...(file === undefined || file === source ? {} : { file }), pointer, quote };
}

/** Creates a function that classifies the exchanges of reports. Secrets in them are replaced by a mark. */
function createClassifier(
  contract: Contract,
): (exchange: ExchangeJson, known?: Pick<ClassifiedRequest, 'key' | 'framing'>) => CheckedExchange {
  const route = createRouter(contract);
  return (
    { request: sent, answer: came, durationMs },
    { key, framing } = { key: 'sent', framing: 'content-length' },
  ) => {
    const exchange: Exchange = { request: toRequest(sent), answer: toAnswer(came), durationMs };
    const { request, answer } = exchange;
    const found = route(request.target.split('?', 1)[0] ?? '');
    const operation = found?.operations.get(request.method);
    const reading = readRequest({
      request,
      operation,
      pathParameters: found?.parameters ?? {},
      goodTokens: [redacted],
      framing,
    });
    return {
      exchange,
      operation,
      knowsPath: found !== undefined,
      request: { ...reading, key },
      answer: readAnswer(answer, operation),
      findings: [],
    };
  };
}

function toBytes({ encoding, text }: BytesJson): Uint8Array {
  return encoding === 'base64'
    ? Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
    : new TextEncoder().encode(text);
}

const toHeaders = (headers: HeadersJson): HttpRequest['headers'] =>
  headers.map(({ name, value }) => [name, value] as const);

function toRequest({ method, target, headers, body }: RequestJson): HttpRequest {
  return { method, target, headers: toHeaders(headers), body: body === null ? undefined : toBytes(body) };
}

function toAnswer(answer: AnswerJson): Answer {
  if (answer.kind === 'unreachable') return answer;
  if (answer.kind !== 'response') return { ...answer, received: toBytes(answer.received) };
  const { status, headers, body, undecoded, cutAfter, trailing } = answer;
  return {
    kind: 'response',
    response: {
      status,
      headers: toHeaders(headers),
      body: toBytes(body),
      ...(undecoded && { undecoded }),
      ...(cutAfter === undefined ? {} : { cutAfter }),
    },
    ...(trailing && { trailing: toBytes(trailing) }),
  };
}
