import type { Contract } from '../../contract/contract.ts';
import type { HeaderList } from '../../http/message.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Sampling } from '../answer/sample-body.ts';
import type { MockClock } from '../clock.ts';

/** The hosts to which a mock sends callbacks: none, this machine, or all. */
export type CallbackMode = 'off' | 'loopback' | 'any';

/** A callback or a webhook that a mock sent, or did not send. It contains no credentials. */
export interface SentCallback {
  /** Its number, from 1 since the mock started. */
  readonly id: number;
  /** The time of its outcome, by the clock of the mock, in milliseconds since 1970. */
  readonly time: number;
  readonly kind: 'callback' | 'webhook';
  /** Its name in the document. */
  readonly name: string;
  /** The id of the operation that declares the callback; undefined for a webhook. */
  readonly operation?: string | undefined;
  readonly method: string;
  /** Its URL; if the exchange does not contain it, the expression of the document. */
  readonly url: string;
  /** The sent content as text, at most 16,384 characters; undefined if there was none. */
  readonly body?: string | undefined;
  /**
   * `sent` if the receiver answered with a status from 200 to 299, `failed` if it did not, or if there was nothing to
   * send, `refused` for a host that is not allowed, and `off` if the mock sends no callbacks.
   */
  readonly outcome: 'sent' | 'failed' | 'refused' | 'off';
  /** The status of the last response. */
  readonly status?: number | undefined;
  /** The number of requests that were sent. */
  readonly attempts: number;
  /** The reason for an outcome other than `sent`. */
  readonly message?: string | undefined;
}

/** The callbacks and webhooks of a mock. */
export interface Callbacks {
  /** Returns the last 1000 callbacks and webhooks, oldest first. */
  readonly list: () => readonly SentCallback[];
  /**
   * Sends a webhook that the document declares. With callbacks off, it may go to this machine.
   *
   * @param webhook.body - by default, the example of the document, or a generated one
   * @throws ClocheError OPTION_INVALID for an unknown webhook, or a URL that is not http or https
   *
   * @example
   * await mock.callbacks.send('orderShipped', { url: 'http://127.0.0.1:9000/hooks' });
   */
  readonly send: (
    name: string,
    webhook: { readonly url: string; readonly body?: JsonValue | undefined },
  ) => Promise<SentCallback>;
}

/** A request to the receiver of a callback. */
interface CallbackRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array | undefined;
  /** Aborts it. */
  readonly signal: AbortSignal;
}

/** Sends a callback, again if the receiver is not reached or fails. It never rejects. */
export type DeliverCallback = (
  request: CallbackRequest,
) => Promise<Pick<SentCallback, 'outcome' | 'status' | 'attempts' | 'message'>>;

/** The parts of a mock that its callbacks need. */
export interface CallbackParts {
  readonly mode: CallbackMode;
  readonly contract: () => Contract;
  readonly clock: MockClock;
  readonly sampling: Sampling;
  /** The path of the control interface, to which no callback may go. */
  readonly controlPrefix: string;
  /** The secrets that the list must never show. */
  readonly secrets: readonly string[];
  /** Undefined in a browser. */
  readonly deliver: DeliverCallback | undefined;
  readonly log: ((callback: SentCallback) => void) | undefined;
}

/** Describes a callback in a line: `Callback shipped of createOrder, POST http://127.0.0.1:9000/: sent, status 204`. */
export function describeCallback(callback: SentCallback): string {
  const { kind, name, operation, method, url, outcome, status, attempts, message } = callback;
  const subject = kind === 'webhook' ? `Webhook ${name}` : `Callback ${name} of ${operation}`;
  const repeated = attempts > 1 ? ` (${attempts} attempts)` : '';
  const result = {
    sent: `sent, status ${status}`,
    failed: `failed: ${message}`,
    refused: `refused: ${message}`,
    off: `not sent (${message})`,
  }[outcome];
  return `${subject}, ${method} ${url}: ${result}${repeated}`;
}
