import { listBoundedPatterns } from '../contract/bounded-patterns.ts';
import type { Certainty, Contract, Operation, OperationKind } from '../contract/contract.ts';
import { keptRole } from '../contract/resources.ts';
import { listRejectedExamples } from '../contract/rejected-examples.ts';
import { statusName } from '../contract/responses.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import { documentAnswerOf, listQuestions, withDocumentAnswers } from '../policy/document-answers.ts';
import { createPolicy, describeAnswer, type Policy, enforcedQuestions } from '../policy/policy.ts';
import { noWords } from '../policy/probing.ts';
import type { Answers, Question, QuestionId } from '../policy/question.ts';
import { questions } from '../policy/questions/index.ts';
import { countCases } from '../runner/plan.ts';
import type { Suite, SuiteInput } from '../runner/suite.ts';

/** What a document says of one operation. */
export interface ExplainedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly place: ExplainedPlace;
  /** Whether an error in the document makes its declaration ambiguous, so that runs do not test it. */
  readonly isUnclear?: true;
  /** What it does with a resource, or `sample` where nothing that is kept can answer it, and why it is taken for that. */
  readonly kind: Operation['kind']['kind'];
  readonly evidence: string;
  /** How sure that is. */
  readonly certainty?: Certainty;
  /** The name of the resource, the path that it is kept under, that of what holds it, and what tells items apart. */
  readonly resource?: string;
  readonly collection?: string;
  readonly parent?: string;
  /** Whether the mock keeps it; else what reads it is a sample, as no operation creates one. */
  readonly isKept?: boolean;
  readonly key?: {
    readonly from: 'client' | 'server' | 'none';
    readonly property?: string;
    readonly evidence: string;
  };
  readonly isSingleton?: boolean;
  /** The members that lead to the resource in a body, or to the list of them; left out where it stands bare. */
  readonly requestMember?: string;
  readonly responseMember?: string;
  readonly requestBody: { readonly required: boolean; readonly mediaTypes: readonly string[] } | null;
  readonly parameters: readonly Pick<Operation['parameters'][number], 'name' | 'in' | 'required'>[];
  /** Each inner list is wanted whole, any one of them is enough; empty where no credentials are asked for. */
  readonly security: readonly (readonly { readonly name: string; readonly kind: string }[])[];
  readonly responses: readonly {
    /** `200`, `4XX`, `default`. */
    readonly status: string;
    readonly mediaTypes: readonly string[];
    readonly description: string;
  }[];
}

/** A place of the document. */
interface ExplainedPlace extends ReturnType<Contract['placeOf']> {
  readonly line?: number;
}

/** How a question stands for one operation, or for the whole service. */
export interface ExplainedAnswer {
  readonly question: QuestionId;
  /** Null where the question is one of the whole service. */
  readonly operation: string | null;
  readonly state: 'open' | 'answered' | 'not-asked';
  /** What the mock answers, and where that comes from; missing where the question is not asked. */
  readonly answer?: { readonly value: JsonValue; readonly words: string };
  readonly from?: 'document' | 'policy' | 'default';
  /** What the document says, or why it is not asked, as a sentence without its full stop. */
  readonly says?: string;
  readonly place?: ExplainedPlace;
  /** Where the document would have to speak. */
  readonly settledBy?: string;
  /** Whether OpenAPI has words for it; where not, `x-cloche-policy` is all there is. */
  readonly hasWords?: boolean;
}

/** What a run will try. */
export interface ExplainedSuite {
  readonly id: string;
  readonly title: string;
  /**
   * Those that there may be, as no case is made to count them: what has none is left out of a run, and where a few operations
   * stand for others alike, the next one stands in for it.
   */
  readonly properties: readonly {
    readonly id: string;
    readonly title: string;
    /** At most: which of its examples there are is seen when they are made. */
    readonly cases: number;
    /** The most requests of them all. */
    readonly requests: number;
    /** Sent over a raw socket, and so to a base URL alone. */
    readonly viaSocket: boolean;
  }[];
  /** Why there is nothing to try. */
  readonly notApplicable?: string;
}

/** A sample of the mock that its schema does not accept. */
export interface ExplainedMisfit {
  readonly operation: string;
  /** Left out where the success has no content. */
  readonly mediaType?: string;
  /** What the mock answers with: 501 where no value was made at all. */
  readonly status: number;
  /** Why, as a sentence. */
  readonly message: string;
}

/** What a document says, what it does not specify, and what a run will check: `spec/explain.schema.json`. */
export interface Explanation {
  readonly $schema: 'urn:cloche:explanation:1';
  readonly version: 1;
  readonly contract: Readonly<Record<'title' | 'version' | 'source' | 'openapi', string>>;
  /** What is wrong in the document although it can be used, and what is done about it. */
  readonly warnings: Contract['warnings'];
  readonly operations: readonly ExplainedOperation[];
  /** The samples that their schemas do not accept; left out where they were not made. */
  readonly misfits?: readonly ExplainedMisfit[];
  readonly questions: readonly { readonly id: QuestionId; readonly question: string }[];
  readonly answers: readonly ExplainedAnswer[];
  readonly run: { readonly runs: number; readonly suites: readonly ExplainedSuite[] };
}

/** A place of a contract's root, as the user finds it in what they wrote. */
function explainPlace(pointer: JsonPointer, contract: Contract): ExplainedPlace {
  const place = contract.placeOf(pointer);
  const location = contract.locate(place);
  return {
    pointer: place.pointer,
    ...(place.file === undefined ? {} : { file: place.file }),
    ...(location === undefined ? {} : { line: location.line }),
  };
}

interface Known {
  readonly contract: Contract;
  /** What was given. */
  readonly given: Partial<Policy>;
  /** What it comes to with the defaults and the document. */
  readonly whole: Policy;
  /** What answers were described as: thousands of operations are answered alike. */
  readonly described: ReadonlyMap<QuestionId, Map<unknown, Described>>;
}

type Described = NonNullable<ExplainedAnswer['answer']>;

/** None where a question about resources has no occasion. */
function explainAnswer(
  id: QuestionId,
  operation: Operation,
  { contract, given, whole, described }: Known,
): ExplainedAnswer | undefined {
  // `as`: each question stands for its own id.
  const { scope, isOfResources } = questions[id] as Question<QuestionId>;
  const operationId = scope === 'service' ? undefined : operation.id;
  const documentAnswer = documentAnswerOf({ id, operation, contract });
  const { kind: state } = documentAnswer;
  if (state === 'not-asked' && isOfResources === true) return undefined;
  const asked = operationId ?? null;
  if (documentAnswer.kind === 'not-asked') {
    return { question: id, operation: asked, state, says: documentAnswer.why };
  }
  const own = operationId === undefined ? undefined : given.operations?.[operationId]?.[id];
  const said = documentAnswer.kind === 'answered' ? documentAnswer.answer : undefined;
  // `as`: the document answers a question as the policy may.
  const value = (said ?? own ?? whole[id]) as Answers[typeof id];
  const known = described.get(id);
  // `as`: answers are JSON, as their schemas say; they are only not written to.
  const answer = known?.get(value) ?? { value: value as JsonValue, words: describeAnswer(id, value) };
  known?.set(value, answer);
  // There may be hundreds of thousands, which take less time and memory when they are put together at once.
  if (documentAnswer.kind === 'answered') {
    const place = explainPlace(documentAnswer.pointer, contract);
    const { says } = documentAnswer;
    return documentAnswer.answer === undefined
      ? { question: id, operation: asked, state, from: 'document', says, place }
      : { question: id, operation: asked, state, answer, from: 'document', says, place };
  }
  const from = (own ?? given[id]) === undefined ? 'default' : 'policy';
  const { says, settledBy } = documentAnswer;
  const hasWords = settledBy !== noWords;
  return says === undefined
    ? { question: id, operation: asked, state, answer, from, settledBy, hasWords }
    : { question: id, operation: asked, state, answer, from, says, settledBy, hasWords };
}

function explainKind(
  kind: Operation['kind'],
): Partial<ExplainedOperation> & Pick<ExplainedOperation, 'kind' | 'evidence'> {
  if (kind.kind === 'sample') return { kind: 'sample', evidence: kind.evidence };
  const { resource, certainty } = kind;
  const { key, collection, parent } = resource;
  const request = 'request' in kind ? kind.request.join('.') : '';
  const response =
    kind.kind === 'list'
      ? [...kind.list.path, ...(kind.list.element.length === 0 ? [] : ['*', ...kind.list.element])].join('.')
      : (kind.response ?? []).join('.');
  return {
    kind: kind.kind,
    evidence: kind.evidence,
    certainty,
    resource: resource.name,
    collection,
    ...(parent === undefined ? {} : { parent }),
    isKept: resource.isKept,
    isSingleton: resource.kind === 'singleton',
    key: {
      from: key.kind,
      ...(key.kind === 'none' ? {} : { property: key.property }),
      evidence: key.evidence,
    },
    ...(request === '' ? {} : { requestMember: request }),
    ...(response === '' ? {} : { responseMember: response }),
  };
}

/** What an operation is answered by: a HEAD as the GET of its path, where that reads what is kept (RFC 9110 §9.3.2). */
function answeredKind({ method, path, kind }: Operation, operations: readonly Operation[]): OperationKind {
  if (method !== 'HEAD') return kind;
  const get = operations.find((each) => each.method === 'GET' && each.path.template === path.template);
  return (get && keptRole(get)) ?? kind;
}

function explainOperation(operation: Operation, contract: Contract): ExplainedOperation {
  const { id, method, path, pointer, parameters, requestBody, responses, security } = operation;
  return {
    id,
    method,
    path: path.template,
    place: explainPlace(pointer, contract),
    ...(operation.isUnclear ? { isUnclear: true as const } : {}),
    ...explainKind(answeredKind(operation, contract.operations)),
    requestBody:
      requestBody === undefined
        ? null
        : { required: requestBody.required, mediaTypes: requestBody.media.map(({ range }) => range) },
    parameters: parameters.map(({ name, in: place, required }) => ({ name, in: place, required })),
    security: security.map((schemes) => schemes.map(({ name, kind }) => ({ name, kind }))),
    responses: responses.map(({ status, media, description }) => ({
      status: statusName(status),
      mediaTypes: media.map(({ range }) => range),
      description,
    })),
  };
}

function explainSuite(suite: Suite, input: SuiteInput, runs: number): ExplainedSuite {
  const { id, title } = suite;
  const plan = suite.plan(input);
  if (plan.kind === 'not-applicable') return { id, title, properties: [], notApplicable: plan.reason };
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
 * Explains a contract: what it says, what it does not specify, and what a run of so many cases for each property will
 * check, with the answers that are given besides what the document says.
 *
 * @throws DocumentError POLICY_INVALID where the document's `x-cloche-policy` cannot be used
 */
export function explainContract(input: {
  readonly contract: Contract;
  readonly source: string;
  readonly given: Partial<Policy>;
  readonly suites: readonly Suite[];
  readonly runs: number;
  readonly misfits?: readonly ExplainedMisfit[] | undefined;
}): Explanation {
  const { contract, source, given, suites, runs, misfits } = input;
  const { operations, title, version, openapi, writtenVersion = openapi } = contract;
  const written = /^\d+\.\d+/u.exec(writtenVersion)?.[0] ?? openapi;
  const policy = withDocumentAnswers(createPolicy(given), contract);
  const byQuestion = Object.values(questions).map((question) => ({
    question,
    answers: [] as ExplainedAnswer[],
  }));
  const described = new Map(byQuestion.map(({ question }) => [question.id, new Map<unknown, Described>()]));
  const known = { contract, given, whole: policy, described };
  for (const [index, operation] of operations.entries()) {
    for (const { question, answers } of byQuestion) {
      // A question of the whole service is asked once.
      if (question.scope === 'service' && index > 0) continue;
      const answer = explainAnswer(question.id, operation, known);
      if (answer !== undefined) {
        answers.push(answer);
      }
    }
    // The suites ask for it below: here it is found of what was just looked at.
    void policy.operations?.[operation.id];
  }
  const answers = byQuestion.flatMap((each) => each.answers);
  const occasion = {
    contract,
    policy,
    enforced: enforcedQuestions(given),
    unsafeMethods: false,
    isCounted: true,
  };
  return {
    $schema: 'urn:cloche:explanation:1',
    version: 1,
    contract: { title, version, source, openapi: written },
    warnings: [...contract.warnings, ...listRejectedExamples(contract), ...listBoundedPatterns(contract)],
    operations: operations.map((operation) => explainOperation(operation, contract)),
    ...(misfits === undefined ? {} : { misfits }),
    questions: listQuestions(contract).map(({ id, question }) => ({ id, question })),
    answers,
    run: { runs, suites: suites.map((suite) => explainSuite(suite, occasion, runs)) },
  };
}
