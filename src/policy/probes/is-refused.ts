import type { ProbeExchange } from '../probe.ts';

/** Whether a request was refused for what is wrong with it (RFC 9110 §15.5), and not put off. */
export function isRefused({ status }: ProbeExchange): boolean {
  return status >= 400 && status < 500 && status !== 429;
}
