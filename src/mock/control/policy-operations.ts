import type { Contract } from '../../contract/contract.ts';
import type { TextLocation } from '../../document/document.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { appendPointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { jsonEqual, type JsonObject, type JsonValue } from '../../json/value.ts';
import { answerExtension, readDocumentAnswers, silenceOf } from '../../policy/document-answers.ts';
import { describeAnswer, mergeAnswers, type Policy, policyOf } from '../../policy/policy.ts';
import type { QuestionId } from '../../policy/question.ts';
import { type Answers, questions } from '../../policy/questions/index.ts';
import { type ControlContext, type ControlOperation, jsonContent, ref, toPlainNumbers } from './operation.ts';

/** Where a document answers a question. */
interface DocumentAnswerPlace {
  readonly pointer: string;
  /** What it says, as a sentence without its full stop. */
  readonly says: string;
  /** Where in its text that is, as far as it is known. */
  readonly location: TextLocation | undefined;
}

/** A document of many operations may say the same at each: nobody reads more than these. */
const most = 5;

/** To find a line takes a look through the document, and whoever shows a policy asks for it again and again. */
const known = new WeakMap<JsonObject, Map<QuestionId, readonly DocumentAnswerPlace[]>>();

function findPlaces(
  id: QuestionId,
  contract: Contract,
): readonly Pick<DocumentAnswerPlace, 'pointer' | 'says'>[] {
  if (questions[id].scope === 'service') {
    // `as`: answers are JSON, as their schemas say; they are only not written to.
    const answer = readDocumentAnswers(contract).root[id] as JsonValue | undefined;
    const says = answer === undefined ? '' : `${answerExtension} says ${stringifyJson(answer)}`;
    return answer === undefined ? [] : [{ pointer: appendPointer('', answerExtension, id), says }];
  }
  return contract.operations.flatMap((operation) => {
    const silence = silenceOf({ id, operation, contract });
    return silence.kind === 'answered' ? [silence] : [];
  });
}

/** The first few places where a document answers a question, for all or for some of its operations. */
function listDocumentPlaces(id: QuestionId, contract: Contract): readonly DocumentAnswerPlace[] {
  const ofDocument = known.get(contract.root) ?? new Map<QuestionId, readonly DocumentAnswerPlace[]>();
  known.set(contract.root, ofDocument);
  const listed = ofDocument.get(id);
  if (listed !== undefined) return listed;
  const distinct = new Map(findPlaces(id, contract).map(({ pointer, says }) => [pointer, says]));
  const places = [...distinct].slice(0, most).map(([pointer, says]) => ({
    pointer,
    says,
    location: contract.locate(contract.placeOf(pointer)),
  }));
  ofDocument.set(id, places);
  return places;
}

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
  if (questions[id].scope === 'service') return ofService;
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
function describePolicyAnswers({ mock: { contract, policy }, facts }: ControlContext): {
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

/** Answers, or null for those that are taken back. */
type AnswerChange = { readonly [Id in keyof Answers]?: Answers[Id] | null };

/** What is to change of a policy. */
interface PolicyChange {
  readonly answers?: AnswerChange;
  /** By the id of the operation; null takes back all that it has. */
  readonly operations?: Readonly<Record<string, AnswerChange | null>>;
}

function givenOf(change: AnswerChange): Partial<Answers> {
  // `as`: what is left are answers to their questions.
  return Object.fromEntries(
    Object.entries(change).filter(([, answer]) => answer !== null),
  ) as Partial<Answers>;
}

/** Leaves out what a change takes back. */
function withoutTaken<Holder extends object>(holder: Holder, change: object): Holder {
  const taken = new Set(
    Object.entries(change)
      .filter(([, answer]) => answer === null)
      .map(([name]) => name),
  );
  // `as`: members are left out that may be.
  return Object.fromEntries(Object.entries(holder).filter(([name]) => !taken.has(name))) as Holder;
}

/** The answers that a policy is made of when some of them change. */
export function mergePolicyChange(given: Partial<Policy>, change: PolicyChange): Partial<Policy> {
  const { answers = {}, operations = {} } = change;
  const told = Object.entries(operations).map(([id, each]) => [id, givenOf(each ?? {})] as const);
  const merged = mergeAnswers(given, { ...givenOf(answers), operations: Object.fromEntries(told) });
  const { operations: ofOperations = {}, ...ofService } = merged;
  const left = Object.entries(withoutTaken(ofOperations, operations)).map(([id, each]) => {
    const own = Object.hasOwn(operations, id) ? operations[id] : undefined;
    return [id, withoutTaken(each, own ?? {})] as const;
  });
  return {
    ...withoutTaken(ofService, answers),
    operations: Object.fromEntries(left.filter(([, each]) => Object.keys(each).length > 0)),
  };
}

/**
 * Refuses a change that lets in the tokens of a list, of a mock that has no list: it would turn everybody away.
 *
 * @throws ClocheError OPTION_INVALID
 */
function refuseToLockOut({ answers = {}, operations = {} }: PolicyChange): void {
  const isListed = [answers, ...Object.values(operations)].some(
    (change) => change?.['accepted-tokens'] === 'listed',
  );
  if (isListed) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'use the policy',
      subject: 'accepted-tokens: listed',
      reason: 'the mock was given no tokens, so that it would turn everybody away',
      remedy: 'Start it with --token, or the option "tokens"',
    });
  }
}

/** `DELETE /policy`: takes the answers of the start. */
export const deletePolicy: ControlOperation = {
  path: '/policy',
  method: 'delete',
  declares: {
    operationId: 'deletePolicy',
    summary: 'Answer as at the start',
    responses: { '204': { description: 'The answers are those of the start.' } },
  },
  act: async (_request, { mock }) => {
    await mock.reset(['policy']);
    return { status: 204 };
  },
};

/** `GET /policy`: how the mock answers where the document is silent. */
export const getPolicy: ControlOperation = {
  path: '/policy',
  method: 'get',
  declares: {
    operationId: 'getPolicy',
    summary: 'How the mock answers where the document is silent',
    responses: { '200': jsonContent('The answer to each question.', ref('Policy')) },
  },
  act: (_request, context) => ({ status: 200, body: describePolicyAnswers(context) }),
};

/** `PATCH /policy`: changes some answers. */
export const patchPolicy: ControlOperation = {
  path: '/policy',
  method: 'patch',
  declares: {
    operationId: 'patchPolicy',
    summary: 'Change some answers; null takes one back',
    requestBody: { required: true, ...jsonContent('The answers to change.', ref('PolicyChange')) },
    responses: { '200': jsonContent('The answer to each question, as it is now.', ref('Policy')) },
  },
  refuses: [422],
  act: async (request, context) => {
    // `as`: the document lets nothing else pass.
    const change = toPlainNumbers(request.body ?? {}) as PolicyChange;
    const { mock, facts } = context;
    if (!facts.hasTokens) {
      refuseToLockOut(change);
    }
    // Made when its turn comes, so that nothing is lost that another request changes just now.
    await mock.change({ policy: (given) => mergePolicyChange(given, change) });
    return { status: 200, body: describePolicyAnswers(context) };
  },
};

/** The answers that a policy may give to each question, or null, which takes an answer back. */
const changes: JsonObject = Object.fromEntries(
  Object.values(questions).map(({ id, question, schema }) => [
    id,
    { description: question, anyOf: [schema, { type: 'null' }] },
  ]),
);

const operations: JsonObject = {
  type: 'object',
  description: 'Answers for single operations, by their id.',
};

/** The schemas of the policy. */
export const policySchemas: Readonly<Record<string, JsonObject>> = {
  Policy: {
    type: 'object',
    required: ['answers', 'operations', 'given'],
    properties: {
      answers: { type: 'array', items: { $ref: '#/components/schemas/PolicyAnswer' } },
      operations: { ...operations, additionalProperties: { type: 'object' } },
      given: {
        type: 'object',
        description: 'Those of them that can be taken back: the rest follows from the document.',
        additionalProperties: { type: 'object' },
      },
    },
  },
  PolicyAnswer: {
    type: 'object',
    required: ['id', 'question', 'scope', 'answer', 'default', 'choices', 'decidedBy', 'places'],
    properties: {
      id: { type: 'string' },
      question: { type: 'string' },
      scope: { enum: ['operation', 'service'], description: 'Whether each operation may have an answer.' },
      answer: { description: 'The one that holds.' },
      default: { description: 'The one that holds where nobody says otherwise.' },
      choices: {
        type: 'array',
        description: 'Answers that stand for all.',
        items: {
          type: 'object',
          required: ['answer', 'label'],
          properties: { answer: {}, label: { type: 'string' } },
        },
      },
      decidedBy: { enum: ['default', 'policy', 'document'] },
      places: {
        type: 'array',
        description: 'Where the document answers it, for all or for some operations; the first few.',
        items: {
          type: 'object',
          required: ['pointer', 'says'],
          properties: {
            pointer: { type: 'string' },
            says: { type: 'string' },
            location: { $ref: '#/components/schemas/TextLocation' },
          },
        },
      },
    },
  },
  PolicyAnswers: { type: 'object', additionalProperties: false, properties: changes },
  PolicyChange: {
    type: 'object',
    additionalProperties: false,
    properties: {
      answers: { $ref: '#/components/schemas/PolicyAnswers' },
      operations: {
        ...operations,
        additionalProperties: {
          anyOf: [{ $ref: '#/components/schemas/PolicyAnswers' }, { type: 'null' }],
        },
      },
    },
  },
};
