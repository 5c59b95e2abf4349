import type { RequestLogEntry } from '../request-log-entry.ts';
import { createHeadHider } from './create-head-hider.ts';
import { explainRefusal } from './explain-refusal.ts';
import type { RequestProblem } from './logged-request.ts';
import type { LogContext, RawRequest } from './raw-request.ts';
import { verdictOf } from './verdict-of.ts';

/** Prepares what a line of the log says of a request. */
export function createEntryMaker(context: LogContext): (raw: RawRequest) => RequestLogEntry {
  const { hideHead } = createHeadHider(context);
  const paths = context.contract.operations.map(({ path }) => path.template);
  const literal = new Set(paths.filter((path) => !path.includes('{')));

  /** Whether its line can hold nothing but what the contract itself says, so that it needs no look for credentials. */
  function isPlain({ target, answer: { note } }: RawRequest): boolean {
    return note.message === undefined && note.condition === undefined && literal.has(target);
  }

  function hideInProblem(problem: RequestProblem, hide: (text: string) => string): RequestProblem {
    const { pointer, reason } = problem;
    return pointer === undefined
      ? { ...problem, reason: hide(reason) }
      : { ...problem, pointer: hide(pointer), reason: hide(reason) };
  }

  return (raw) => {
    const { status, note } = raw.answer;
    const hidden = isPlain(raw) ? undefined : hideHead(raw);
    const hide = hidden?.hide ?? ((text: string): string => text);
    // Written out: a spread costs more than everything else here.
    return {
      id: raw.id,
      time: raw.time,
      method: raw.method,
      target: hidden?.target ?? raw.target,
      status,
      operation: note.operation,
      verdict: verdictOf(note),
      condition: note.condition,
      undeclared: note.undeclared,
      fault: note.fault,
      message: note.message === undefined ? undefined : hide(note.message),
      problems:
        note.condition === undefined
          ? undefined
          : () =>
              (note.problems?.() ?? explainRefusal(note, context.contract)).map((problem) =>
                hideInProblem(problem, hide),
              ),
      durationMs: raw.durationMs,
    };
  };
}
