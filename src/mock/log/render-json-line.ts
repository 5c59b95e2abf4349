import type { RequestLogEntry } from '../request-log-entry.ts';

/**
 * Writes a request as one line of JSON, as `schema/log.schema.json` describes it, for programs to read. Members that say
 * nothing are left out.
 */
export function renderJsonLine(entry: RequestLogEntry): string {
  const { id, time, method, target, status, durationMs, operation, verdict } = entry;
  const { condition, undeclared, fault, message, problems } = entry;
  return JSON.stringify({
    id,
    time: new Date(time).toISOString(),
    method,
    target,
    status,
    durationMs: Math.round(durationMs * 1000) / 1000,
    operation,
    verdict,
    condition,
    undeclared,
    fault,
    message,
    problems: problems?.(),
  });
}
