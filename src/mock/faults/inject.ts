import type { Contract, Operation } from '../../contract/contract.ts';
import { findDeclaredResponse } from '../../contract/responses.ts';
import { operationOf, type Route } from '../../contract/router.ts';
import { pathOf } from '../../http/path.ts';
import type { Policy } from '../../policy/policy.ts';
import { findErrorShape } from '../answer/refusal.ts';
import { chooseSentMedia, replaceFields, withoutFields } from '../answer/representation.ts';
import { makeSampleBody, type Sampling } from '../answer/sample-body.ts';
import type { ConnectionFault, Delivery, InjectedFault, MockResponse, RequestHead } from '../message.ts';
import type { FaultMatcher } from './fault-rules.ts';
import type { Fault } from './fault.ts';
import { createForcer, hasExample } from './forced-answer.ts';
import { parseFaultField } from './parse-fault.ts';
import { choosePreferred, explainNoExample, readPreferences } from './prefer.ts';

interface FaultedPlace {
  /** The path without the prefix of a server. */
  readonly path: string;
  readonly route: Route | undefined;
  /** The value of WWW-Authenticate for a request without credentials. */
  readonly challenge: string | undefined;
}

const preferredWords = 'The request preferred this answer.';

/** The fault of a request, and its source. */
interface Found {
  readonly fault: Fault;
  readonly delayMs: number;
  /** `the rule "fault-1"`, `Cloche-Fault` */
  readonly source: string;
  readonly id: string | undefined;
}

/** The inputs of faults and preferred responses. */
interface FaultParts {
  readonly contract: Contract;
  readonly policy: Policy;
  readonly faults: FaultMatcher;
  readonly sampling: Sampling;
}

/**
 * Injects faults: the fault in the Cloche-Fault field of a request, or else that of the first matching rule. It also
 * gives the declared response that a request prefers.
 *
 * A fault replaces the whole handling: the request is neither checked nor carried out. A preference replaces only the
 * last step, as in Prism: an invalid request is refused whatever it prefers. Neither changes the state. A request with
 * a readable Cloche-Fault is not counted for any rule.
 */
export class FaultInjector {
  readonly #parts: FaultParts;
  readonly #force: ReturnType<typeof createForcer>;
  #madeAnew = 0;

  constructor(parts: FaultParts) {
    this.#parts = parts;
    this.#force = createForcer(parts.contract, parts.policy);
  }

  /** Returns true if a fault or a preference may apply to a request. Only then call `inject`. */
  applies(head: RequestHead): boolean {
    return (
      !this.#parts.faults.isEmpty() ||
      head.header('prefer') !== undefined ||
      head.header('cloche-fault') !== undefined ||
      head.target.includes('__')
    );
  }

  /** Counts a request for the rules; returns undefined if no fault or preference applies. */
  inject(head: RequestHead, place: FaultedPlace): InjectedFault | undefined {
    const { route, challenge } = place;
    const field = head.header('cloche-fault');
    const operation = operationOf(route, head.method);
    const preferences = readPreferences(head, operation);
    const own = field === undefined ? undefined : parseFaultField(field);
    if (own?.kind === 'problem') return this.#refuseField(own.reason, operation, challenge);
    const found = own === undefined ? this.#takeRule(head, place) : this.#fromField(own.fault);
    const choice = preferences && operation && choosePreferred(this.#parts.contract, operation, preferences);
    const ignored = [
      ...(found === undefined ? [] : explainExample(found, operation, this.#parts.contract.root)),
      ...(choice?.ignored ?? []),
    ];
    if (found === undefined && choice?.answer === undefined && ignored.length === 0) return undefined;
    const message = [...ignored.map((each) => `Left aside: ${each}.`), found && describeDelivery(found)]
      .filter(Boolean)
      .join(' ');
    const preferred =
      operation &&
      choice?.answer &&
      this.#force({ operation, answer: choice.answer, challenge, message: preferredWords });
    const applied = ['Preference-Applied', toFieldText(choice?.applied.join(', ') ?? '')];

    return {
      forced: found && this.#toForced(found, operation, challenge),
      preferred:
        preferred &&
        (async () => {
          const how = { example: choice.answer?.example, isDynamic: choice.isDynamic };
          const answer = await this.#makeContent(operation, how, preferred);
          return { ...answer, headers: [...answer.headers, ...applied] };
        }),
      delivery: found && toDelivery(found),
      headers: ignored.length === 0 ? [] : ['Cloche-Ignored', toFieldText(ignored.join('; '))],
      fault: found?.id,
      message: message === '' ? undefined : message,
    };
  }

  #fromField(fault: Fault): Found {
    const delayMs = this.#parts.faults.drawDelay(fault.delay);
    return { fault, delayMs, source: 'Cloche-Fault', id: undefined };
  }

  #takeRule({ method, target }: RequestHead, { route, path }: FaultedPlace): Found | undefined {
    if (this.#parts.faults.isEmpty()) return undefined;
    const taken = this.#parts.faults.take({
      method,
      sentPath: pathOf(target),
      path,
      template: route?.operations.values().next().value?.path.template,
      operation: operationOf(route, method)?.id,
    });
    return taken && { ...taken, fault: taken.rule, source: `the rule "${taken.id}"` };
  }

  #toForced(
    { fault, source }: Found,
    operation: Operation | undefined,
    challenge: string | undefined,
  ): MockResponse | undefined {
    if (fault.connection === 'drop') {
      const message = `The connection was dropped by ${source}.`;
      const note = { message, forced: true, ...(operation && { operation: operation.id }) } as const;
      return { status: 0, headers: [], body: undefined, note };
    }
    const message = `This answer was forced by ${source}.`;
    return fault.answer && this.#force({ operation, answer: fault.answer, challenge, message });
  }

  /**
   * Generates the content of a preferred response like a sample; with dynamic=true, new content each time. Errors,
   * named examples, and responses for which no content can be generated stay unchanged.
   */
  async #makeContent(
    operation: Operation,
    { example, isDynamic }: { readonly example: string | undefined; readonly isDynamic: boolean },
    answer: MockResponse,
  ): Promise<MockResponse> {
    const response = findDeclaredResponse(operation.responses, answer.status);
    const sent = chooseSentMedia(response?.media ?? []);
    const isFixed = !isDynamic && (example !== undefined || answer.status >= 400);
    if (isFixed || response === undefined || sent === undefined || answer.body === undefined) return answer;
    this.#madeAnew += Number(isDynamic);
    const { loadWords, seed: given } = this.#parts.sampling;
    const seed = isDynamic ? `${given} ${this.#madeAnew}` : given;
    const what = { operation, sent, ignoresExamples: isDynamic };
    const made = await makeSampleBody({ ...what, seed, loadWords });
    if (made === undefined || made.mismatch !== undefined) return answer;
    const fields = made.isDeclared ? withoutFields(answer.headers, ['cloche-undeclared']) : answer.headers;
    return {
      ...answer,
      headers: replaceFields(fields, ['Content-Type', sent.contentType, 'Cloche-Sample', made.source]),
      body: made.content,
      note: {
        operation: operation.id,
        message: preferredWords,
        forced: true,
        ...(made.isDeclared ? {} : { undeclared: 'forced' }),
        sample: made.source,
      },
    };
  }

  /** Refuses an unreadable Cloche-Fault field: the client does not expect the regular response. */
  #refuseField(
    reason: string,
    operation: Operation | undefined,
    challenge: string | undefined,
  ): InjectedFault {
    const message = `Cloche-Fault cannot be read: ${reason}.`;
    return {
      forced: this.#force({ operation, answer: { status: 400 }, challenge, message }),
      preferred: undefined,
      delivery: undefined,
      headers: ['Cloche-Ignored', toFieldText(`Cloche-Fault: ${reason}`)],
      fault: undefined,
      message: undefined,
    };
  }
}

/** Explains that the example named by a fault does not exist; empty if it exists. */
function explainExample(
  { fault, source }: Found,
  operation: Operation | undefined,
  root: Contract['root'],
): readonly string[] {
  const { status = 0, example } = fault.answer ?? {};
  if (example === undefined) return [];
  const response = findDeclaredResponse(operation?.responses ?? [], status);
  return response !== undefined && hasExample(root, response, example)
    ? []
    : [`${source}: ${explainNoExample(operation, { example, status })}`];
}

function toDelivery({ fault, delayMs }: Found): Delivery | undefined {
  return delayMs === 0 && fault.connection === undefined
    ? undefined
    : { delayMs, connection: fault.connection ?? 'keep' };
}

function describeDelivery({ fault, delayMs, source }: Found): string {
  const parts = [
    ...(delayMs === 0 ? [] : [`held back for ${Math.round(delayMs)} ms`]),
    ...(fault.connection === 'truncate' ? ['cut off in the middle'] : []),
  ];
  return parts.length === 0 ? '' : `The answer was ${parts.join(' and ')} by ${source}.`;
}

/** Replaces characters outside printable ASCII, which a field value from a request may contain. */
function toFieldText(text: string): string {
  return text.replaceAll(/[^\t\u0020-\u007E]/gu, '?');
}

const outcomes: Readonly<Record<ConnectionFault, readonly [status: number, message: string]>> = {
  'not-http': [400, 'This is not HTTP as RFC 9112 has it'],
  'invalid-host': [400, 'A request of HTTP/1.1 has one Host header, which names a host (RFC 9112 §3.2)'],
  'request-timeout': [408, 'The request did not come to its end in time'],
  'chunk-extensions-too-large': [413, 'The chunk extensions of the request are too large'],
  'header-fields-too-large': [431, 'The header fields of the request are too large'],
  'store-unavailable': [503, 'The mock cannot reach the store that its state is kept in'],
  'internal-error': [500, 'The mock itself is wrong; its output says how'],
  'not-mocked': [501, 'The document leaves the mock no answer to this operation'],
  'fallback-failed': [502, 'The service behind the mock did not answer'],
  'handler-failed': [500, 'The handler of the operation failed'],
};

/** Creates the response to a request that cannot be handled. `detail` adds an explanation without secrets. */
export type RefuseFault = (fault: ConnectionFault, detail?: string) => MockResponse;

/** Creates the responses to requests that cannot be handled: errors in the document's format, marked as undeclared. */
export function createFaultRefuser(contract: Pick<Contract, 'operations'>): RefuseFault {
  let shape: ReturnType<typeof findErrorShape> | undefined;
  return (fault, detail) => {
    shape ??= findErrorShape(contract.operations);
    const { headers, body } = shape;
    const [status, sentence] = outcomes[fault];
    const message = detail === undefined ? `${sentence}.` : `${sentence}: ${detail}.`;
    return {
      status,
      headers: [
        ...headers,
        'Cloche-Undeclared',
        fault,
        ...(fault === 'store-unavailable' ? ['Retry-After', '1'] : []),
      ],
      body: body?.({ status, code: status, condition: fault, message }) ?? '',
      note: { condition: fault, undeclared: fault, message },
    };
  };
}
