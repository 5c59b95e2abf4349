import { debuglog } from 'node:util';
import { createTextRedactor } from '../http/redact.ts';
import type { Report, ReportEvent } from '../report/report.ts';

/**
 * Creates a report for contributors that writes a line to standard error for each event of a run, without secrets. It is
 * undefined unless `NODE_DEBUG` contains `cloche:runner`.
 */
export function createDebugReport(secrets: readonly string[]): Report | undefined {
  const log = debuglog('cloche:runner');
  if (!log.enabled) return undefined;
  const redact = createTextRedactor(secrets);
  return {
    read: (event) => log('%s', redact(describe(event))),
    end: ({ isWhole }) => log(isWhole ? 'the run is complete' : 'the run is incomplete'),
  };
}

function describe(event: ReportEvent): string {
  if (event.kind === 'exchange') {
    const { request, answer } = event.judged.exchange;
    const status = answer.kind === 'response' ? answer.response.status : answer.kind;
    return `${event.suite}/${event.property}: ${request.method} ${request.target} ${status}`;
  }
  if (event.kind === 'property-finished') {
    const { suite, property, cases, requests, verdict } = event.result;
    return `${suite}/${property}: ${verdict}, cases: ${cases}, requests: ${requests}`;
  }
  return event.kind;
}
