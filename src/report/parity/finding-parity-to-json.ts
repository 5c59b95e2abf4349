import type { Redactor } from '../../http/create-redactor.ts';
import type { FoundCause } from '../../runner/run-event.ts';
import { requestToJson } from '../json/json-message.ts';
import type { JsonPart } from '../json/json-part.ts';
import type { ReportOptions } from '../report-options.ts';
import { describeVerdict } from './describe-verdict.ts';
import { renderElsewhere } from './render-elsewhere.ts';

/** How two services that are compared differ in what a finding shows; nothing where they are not. */
export function findingParityToJson(found: FoundCause, options: ReportOptions, redactor: Redactor): JsonPart {
  const { parity } = found.finding;
  if (parity === undefined) {
    return {};
  }
  const { other, answered, verdict } = parity;
  const curls = renderElsewhere(found, options);
  const messages = { redactor, headers: options.elsewhere?.headers ?? [] };
  return {
    parity: {
      other,
      answered: redactor.text(answered),
      verdict: verdict.kind,
      words: redactor.text(describeVerdict(parity)),
      ...(verdict.kind === 'silent'
        ? { question: verdict.question ?? null, answer: verdict.answer ?? null }
        : {}),
      requests: (found.elsewhere ?? []).map((sent, index) => ({
        ...requestToJson(sent, messages),
        curl: curls[index] ?? '',
      })),
    },
  };
}
