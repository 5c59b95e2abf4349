import type { ProbeExchange, ProbeReading } from '../probe.ts';
import { unsettled } from './unsettled.ts';

/** A trial whose plain request was not taken. */
export function plainRefused({ status }: ProbeExchange): Extract<ProbeReading<never>, { kind: 'unsettled' }> {
  return unsettled(`a plain request was answered ${status}`);
}
