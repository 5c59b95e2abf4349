import type { Clause } from '../../check/finding.ts';
import type { Redactor } from '../../http/create-redactor.ts';
import type { RunFinding } from '../../runner/run-event.ts';
import { failsRun } from '../fails-run.ts';
import { findingTitles } from '../finding-words.ts';
import { renderBoundary } from '../render-boundary.ts';
import { renderRequests } from '../render-requests.ts';
import type { ReportOptions } from '../report-options.ts';
import { answerToJson, requestToJson } from './json-message.ts';
import type { JsonPart } from './json-part.ts';

function clauseToJson(clause: Clause, { contract, source }: ReportOptions, redactor: Redactor): JsonPart {
  const quote = redactor.text(clause.quote);
  switch (clause.kind) {
    case 'document': {
      const { file, pointer } = clause;
      const at = contract.locate(file === undefined ? { pointer } : { file, pointer });
      return {
        kind: clause.kind,
        file: file ?? source,
        pointer,
        ...(at === undefined ? {} : { line: at.line, column: at.column }),
        quote,
      };
    }
    case 'rfc':
      return { kind: clause.kind, name: clause.name, section: clause.section, quote };
    case 'policy':
      return { kind: clause.kind, question: clause.question, quote };
  }
}

/** A finding as the JSON report has it: what is wrong, the exchange that shows it, and how to see it again. */
export function findingToJson(found: RunFinding, options: ReportOptions, redactor: Redactor): JsonPart {
  const { finding, exchange, replay, known, expired } = found;
  const { boundary } = finding;
  const messages = { redactor, headers: options.headers };
  const { request, answer, durationMs } = exchange.exchange;
  const curls = renderRequests(found, options);
  return {
    id: found.id,
    check: finding.check,
    title: findingTitles[finding.check],
    level: finding.level,
    fails: failsRun(found, options),
    operation: finding.operation,
    suite: found.suite,
    property: found.property,
    clause: clauseToJson(finding.clause, options, redactor),
    expected: redactor.text(finding.expected),
    received: redactor.text(finding.received),
    trigger: finding.trigger === undefined ? null : redactor.text(finding.trigger),
    boundary: boundary === undefined ? null : { ...boundary, words: renderBoundary(boundary) },
    count: found.count,
    confirmed: found.confirmed,
    known: known ?? null,
    expired: expired ?? null,
    sideBySide: found.sideBySide === true,
    exchange: {
      request: requestToJson(request, messages),
      answer: answerToJson(answer, redactor),
      durationMs,
    },
    requests: found.requests.map((sent, index) => ({
      ...requestToJson(sent, messages),
      curl: curls[index] ?? '',
      outcome: found.outcomes === undefined ? null : redactor.text(found.outcomes[index] ?? ''),
    })),
    replay: {
      ...replay,
      command: `${options.command} --seed ${replay.seed} --path '${replay.path}'`,
    },
  };
}
