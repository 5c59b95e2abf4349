import type { Contract } from '../../contract/contract.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import type { JsonValue } from '../../json/json-value.ts';
import { describeAnswer } from '../../policy/describe-answer.ts';
import { policyOf } from '../../policy/policy-of.ts';
import type { Answers, Policy } from '../../policy/policy.ts';
import type { QuestionId } from '../../policy/question-id.ts';
import { questions } from '../../policy/questions.ts';
import { readDocumentAnswers } from '../../policy/read-document-answers.ts';
import { silenceOf } from '../../policy/silence-of.ts';
import type { ControlContext } from './control-context.ts';
import { type DocumentAnswerPlace, listDocumentPlaces } from './list-document-places.ts';

type Answer = Answers[QuestionId];

/** An answer to a question, with words for it. */
interface Choice {
  readonly answer: Answer;
  readonly label: string;
}

/** A question and how the mock answers it. */
interface PolicyAnswer {
  readonly id: QuestionId;
  readonly question: string;
  readonly scope: 'operation' | 'service';
  readonly answer: Answer;
  readonly default: Answer;
  readonly choices: readonly Choice[];
  readonly decidedBy: 'default' | 'policy' | 'document';
  /** Where the document answers it, for all or for some operations. */
  readonly places: readonly DocumentAnswerPlace[];
}

/** The answer that the document gives for all that the question is one of, so that no policy can change it. */
function findDocumentAnswer(id: QuestionId, contract: Contract, policy: Policy): Answer | undefined {
  const ofService = readDocumentAnswers(contract).root[id];
  if (questions[id].scope === 'service') {
    return ofService;
  }
  const asked = contract.operations.filter(
    (operation) => silenceOf({ id, operation, contract }).kind !== 'not-asked',
  );
  const [first] = asked;
  const isSettled = asked.every((operation) => silenceOf({ id, operation, contract }).kind === 'answered');
  return first === undefined || !isSettled ? undefined : policyOf(policy, first.id)[id];
}

function listChoices(id: QuestionId, answer: Answer): readonly Choice[] {
  const representatives: readonly Answer[] = questions[id].representatives;
  // `as`: answers are JSON, as their schemas say; they are only not written to.
  const isListed = representatives.some((each) => jsonEqual(each as JsonValue, answer as JsonValue));
  return [...representatives, ...(isListed ? [] : [answer])].map((each) => ({
    answer: each,
    // `as`: each is an answer to this very question.
    label: describeAnswer(id, each as never),
  }));
}

/** The policy of a mock as the control interface shows it: each question with its answer, and who decided it. */
export function describePolicyAnswers({ mock: { contract, policy }, facts }: ControlContext): {
  readonly answers: readonly PolicyAnswer[];
  readonly operations: NonNullable<Policy['operations']>;
  /** Those of them that can be taken back: the rest follows from the document. */
  readonly given: NonNullable<Policy['operations']>;
} {
  const givenPolicy = facts.givenPolicy();
  const answers = Object.values(questions).map(({ id, question, scope, default: usual }): PolicyAnswer => {
    const ofDocument = findDocumentAnswer(id, contract, policy);
    const answer = ofDocument ?? policy[id];
    const decidedBy =
      ofDocument !== undefined ? 'document' : givenPolicy[id] !== undefined ? 'policy' : 'default';
    const places = listDocumentPlaces(id, contract);
    return {
      id,
      question,
      scope,
      answer,
      default: usual,
      choices: listChoices(id, answer),
      decidedBy,
      places,
    };
  });
  return { answers, operations: policy.operations ?? {}, given: givenPolicy.operations ?? {} };
}
