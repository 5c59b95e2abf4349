import type { Clause } from '../../check/finding.ts';
import type { Redactor } from '../../http/create-redactor.ts';
import { failsRun } from '../fails-run.ts';
import { findingTitles } from '../finding-words.ts';
import { renderBoundary } from '../render-boundary.ts';
import { renderReplay } from '../render-replay.ts';
import { renderRequests } from '../render-requests.ts';
import type { ReportedFinding } from '../reported-finding.ts';
import { findingParityToJson } from '../parity/finding-parity-to-json.ts';
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

/** How a finding of a run was made and is made again, or where one of traffic was seen. */
function originToJson(found: ReportedFinding, { command }: ReportOptions, redactor: Redactor): JsonPart {
  if ('seenAt' in found) {
    const { first, last, example } = found.seenAt;
    return {
      seenAt: {
        first: redactor.text(first),
        last: redactor.text(last),
        example: redactor.text(example),
      },
    };
  }
  const { suite, property, confirmed, replay } = found;
  return {
    suite,
    property,
    confirmed,
    replay: { ...replay, command: renderReplay(found, command) ?? command },
  };
}

/** A finding as the JSON report has it: what is wrong, the exchange that shows it, and how to see it again. */
export function findingToJson(found: ReportedFinding, options: ReportOptions, redactor: Redactor): JsonPart {
  const { finding, exchange, known, expired } = found;
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
    clause: clauseToJson(finding.clause, options, redactor),
    expected: redactor.text(finding.expected),
    received: redactor.text(finding.received),
    trigger: finding.trigger === undefined ? null : redactor.text(finding.trigger),
    boundary: boundary === undefined ? null : { ...boundary, words: renderBoundary(boundary) },
    count: found.count,
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
    ...originToJson(found, options, redactor),
    ...findingParityToJson(found, options, redactor),
  };
}
