import type { Contract } from '../../contract/contract.ts';
import { createPolicy, type Policy } from '../../policy/policy.ts';
import { questions } from '../../policy/questions.ts';
import { toldQuestions } from '../../policy/told-questions.ts';
import { withDocumentAnswers } from '../../policy/with-document-answers.ts';
import { countCases } from '../../runner/count-cases.ts';
import type { Suite, SuiteInput } from '../../runner/suite.ts';
import { explainAnswers } from './explain-answers.ts';
import { explainOperation } from './explain-operation.ts';
import type { ExplainedSuite, Explanation } from './explanation.ts';

function explainSuite(suite: Suite, input: SuiteInput, runs: number): ExplainedSuite {
  const { id, title } = suite;
  const plan = suite.plan(input);
  if (plan.kind === 'not-applicable') {
    return { id, title, properties: [], notApplicable: plan.reason };
  }
  return {
    id,
    title,
    properties: plan.properties.map((property) => {
      const { mostRequests, countsAs = 1, via = 'client' } = property;
      const cases = countCases(property, runs);
      return {
        id: property.id,
        title: property.title,
        cases,
        requests: cases * (mostRequests ?? countsAs),
        viaSocket: via === 'socket',
      };
    }),
  };
}

/**
 * Explains a contract: what it says, what it leaves open, and what a run will check.
 *
 * @param input.source - what to call the document
 * @param input.given - the answers that are known besides what the document says
 * @param input.runs - how many cases each property tries
 * @throws DocumentError POLICY_INVALID where the document's `x-cloche-policy` cannot be used
 */
export function explainContract(input: {
  readonly contract: Contract;
  readonly source: string;
  readonly given: Partial<Policy>;
  readonly suites: readonly Suite[];
  readonly runs: number;
}): Explanation {
  const { contract, source, given, suites, runs } = input;
  const policy = withDocumentAnswers(createPolicy(given), contract);
  const occasion = { contract, policy, told: toldQuestions(given), unsafeMethods: false };
  return {
    $schema: 'urn:cloche:explanation:1',
    version: 1,
    contract: { title: contract.title, version: contract.version, source, openapi: contract.openapi },
    operations: contract.operations.map((operation) => explainOperation(operation, contract)),
    questions: Object.values(questions).map(({ id, question }) => ({ id, question })),
    answers: explainAnswers(contract, given),
    run: { runs, suites: suites.map((suite) => explainSuite(suite, occasion, runs)) },
  };
}
