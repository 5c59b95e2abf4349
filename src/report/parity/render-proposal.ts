import type { PolicyProposal, ProposedAnswers } from '../../runner/parity/policy-proposal.ts';
import { renderYamlFlow } from './render-yaml-flow.ts';

function renderAnswers(answers: ProposedAnswers, indent: string): readonly string[] {
  return Object.entries(answers).map(
    ([question, answer]) => `${indent}${question}: ${renderYamlFlow(answer)}`,
  );
}

/** Answers as lines of YAML, as they stand in a policy file; none where there is nothing to add. */
export function renderProposal({ answers, operations }: PolicyProposal): readonly string[] {
  const own = Object.entries(operations);
  return [
    ...(Object.keys(answers).length === 0 ? [] : ['answers:', ...renderAnswers(answers, '  ')]),
    ...(own.length === 0 ? [] : ['operations:']),
    ...own.flatMap(([operation, ofOperation]) => [
      `  ${renderYamlFlow(operation)}:`,
      ...renderAnswers(ofOperation, '    '),
    ]),
  ];
}
