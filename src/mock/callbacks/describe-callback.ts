import type { SentCallback } from './callback.ts';

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
