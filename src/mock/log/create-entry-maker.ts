import { createTextRedactor } from '../../http/redact.ts';
import type { RequestLogEntry } from '../request-log-entry.ts';
import { createCredentialReplacement } from './create-credential-replacement.ts';
import { explainRefusal } from './explain-refusal.ts';
import type { RequestProblem } from './logged-request.ts';
import type { LogContext, RawRequest } from './raw-request.ts';
import { verdictOf } from './verdict-of.ts';

/** A shorter token stands in words that are none. */
const shortestToken = 6;
const toMark = (): string => '***';

/** Prepares what a line of the log says of a request. */
export function createEntryMaker({ contract, tokens }: LogContext): (raw: RawRequest) => RequestLogEntry {
  const credentials = createCredentialReplacement(
    contract.operations.flatMap(({ security }) => security.flat()),
  );
  const hideTokens = createTextRedactor(tokens.filter((token) => token.length >= shortestToken));

  function hideInProblem(problem: RequestProblem): RequestProblem {
    const { pointer, reason } = problem;
    return pointer === undefined
      ? { ...problem, reason: hideTokens(reason) }
      : { ...problem, pointer: hideTokens(pointer), reason: hideTokens(reason) };
  }

  return (raw) => {
    const { status, note } = raw.answer;
    // Written out: a spread costs more than everything else here.
    return {
      id: raw.id,
      time: raw.time,
      method: raw.method,
      target: hideTokens(credentials.target(raw.target, toMark)),
      status,
      operation: note.operation,
      verdict: verdictOf(note),
      condition: note.condition,
      undeclared: note.undeclared,
      fault: note.fault,
      message: note.message === undefined ? undefined : hideTokens(note.message),
      problems:
        note.condition === undefined
          ? undefined
          : () => (note.problems?.() ?? explainRefusal(note, contract)).map(hideInProblem),
      durationMs: raw.durationMs,
    };
  };
}
