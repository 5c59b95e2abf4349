import { listBoundedPatterns } from '../contract/bounded-patterns.ts';
import type { Certainty, Contract, Operation, OperationKind, SecurityScheme } from '../contract/contract.ts';
import { keptRole } from '../contract/resources.ts';
import { listRejectedExamples } from '../contract/rejected-examples.ts';
import { statusName } from '../contract/responses.ts';
import type { JsonPointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import { documentValueOf, listQuestions, withDocumentAnswers } from '../policy/document-answers.ts';
import { createPolicy, describeValue, type Policy, enforcedQuestions } from '../policy/policy.ts';
import { noWords } from '../policy/probing.ts';
import type { BehaviourValues, Behaviour, BehaviourId } from '../policy/behaviour.ts';
import { behaviours } from '../policy/behaviours/index.ts';
import { countCases } from '../runner/plan.ts';
import type { Suite, SuiteInput } from '../runner/suite.ts';

/** The declaration of one operation in the document. */
export interface ExplainedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly place: ExplainedPlace;
  /** Whether an error in the document makes its declaration ambiguous. Runs do not test such an operation. */
  readonly isUnclear?: true;
  /** Its effect on a resource, or `sample` if no stored resource can answer it. `evidence` is the reason. */
  readonly kind: Operation['kind']['kind'];
  readonly evidence: string;
  /** The confidence in the kind. */
  readonly certainty?: Certainty;
  /** The resource: its name, the path of its collection, the path of its parent, and its id. */
  readonly resource?: string;
  readonly collection?: string;
  readonly parent?: string;
  /** Whether the mock stores it. If no operation creates it, the mock returns samples. */
  readonly isKept?: boolean;
  readonly key?: {
    readonly from: 'client' | 'server' | 'none';
    readonly property?: string;
    readonly evidence: string;
  };
  readonly isSingleton?: boolean;
  /** The path of members to the resource or to the list in a body; missing if the body is the resource itself. */
  readonly requestMember?: string;
  readonly responseMember?: string;
  readonly requestBody: { readonly required: boolean; readonly mediaTypes: readonly string[] } | null;
  readonly parameters: readonly Pick<Operation['parameters'][number], 'name' | 'in' | 'required'>[];
  /** One of the inner lists is enough, and all its schemes are required; empty if no credentials are required. */
  readonly security: readonly (readonly {
    readonly name: string;
    readonly kind: string;
    /** The scopes that a token needs; missing if it needs none. */
    readonly scopes?: readonly string[];
  }[])[];
  readonly responses: readonly {
    /** `200`, `4XX`, `default`. */
    readonly status: string;
    readonly mediaTypes: readonly string[];
    readonly description: string;
  }[];
}

/** A location in the document. */
interface ExplainedPlace extends ReturnType<Contract['placeOf']> {
  readonly line?: number;
}

/** The state of a behaviour for one operation or for the whole service. */
export interface ExplainedAnswer {
  readonly question: BehaviourId;
  /** Null if the behaviour is one of the whole service. */
  readonly operation: string | null;
  readonly state: 'open' | 'answered' | 'not-asked';
  /** The value that the mock uses, and its origin; missing if the behaviour does not apply. */
  readonly answer?: { readonly value: JsonValue; readonly words: string };
  readonly from?: 'document' | 'policy' | 'default';
  /** The text of the document, or why the behaviour does not apply: a sentence without its full stop. */
  readonly says?: string;
  readonly place?: ExplainedPlace;
  /** The part of the document that would decide it. */
  readonly settledBy?: string;
  /** Whether OpenAPI can express it; if not, only `x-cloche-policy` can. */
  readonly hasWords?: boolean;
}

/** The properties of a suite that a run tries. */
export interface ExplainedSuite {
  readonly id: string;
  readonly title: string;
  /**
   * The most properties that there may be: no case is generated to count them. A run omits a property without cases. If
   * it tests only some of similar operations, the next one replaces an omitted one.
   */
  readonly properties: readonly {
    readonly id: string;
    readonly title: string;
    /** The maximum; how many examples there are is known only when they are generated. */
    readonly cases: number;
    /** The maximum number of requests of all cases. */
    readonly requests: number;
    /** Whether it needs a raw socket; then it runs only against a base URL. */
    readonly viaSocket: boolean;
  }[];
  /** The reason why the suite does not apply. */
  readonly notApplicable?: string;
}

/** A sample response of the mock that does not match its schema. */
export interface ExplainedMismatch {
  readonly operation: string;
  /** Missing if the success response has no content. */
  readonly mediaType?: string;
  /** The status of the mock's response: 501 if no value could be generated. */
  readonly status: number;
  /** The reason, as a sentence. */
  readonly message: string;
}

/** What a document specifies, what it does not specify, and what a run will check: `spec/explain.schema.json`. */
export interface Explanation {
  readonly $schema: 'urn:cloche:explanation:1';
  readonly version: 1;
  readonly contract: Readonly<Record<'title' | 'version' | 'source' | 'openapi', string>>;
  /** Errors in a document that can still be used, and how Cloche handles them. */
  readonly warnings: Contract['warnings'];
  readonly operations: readonly ExplainedOperation[];
  /** The sample responses that do not match their schemas; missing if no samples were generated. */
  readonly misfits?: readonly ExplainedMismatch[];
  readonly questions: readonly { readonly id: BehaviourId; readonly question: string }[];
  readonly answers: readonly ExplainedAnswer[];
  readonly run: { readonly runs: number; readonly suites: readonly ExplainedSuite[] };
}

/** Returns the location of a pointer of the contract's root in the user's files. */
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
  /** The policy that the user gave. */
  readonly given: Partial<Policy>;
  /** The given policy with the defaults and the values of the document. */
  readonly whole: Policy;
  /** A cache of described values: thousands of operations may have the same value. */
  readonly described: ReadonlyMap<BehaviourId, Map<unknown, Described>>;
}

type Described = NonNullable<ExplainedAnswer['answer']>;

/** Returns undefined if a behaviour of resources does not apply to the operation. */
function explainAnswer(
  id: BehaviourId,
  operation: Operation,
  { contract, given, whole, described }: Known,
): ExplainedAnswer | undefined {
  // `as`: each entry of the record has the id of its name.
  const { scope, isOfResources } = behaviours[id] as Behaviour<BehaviourId>;
  const operationId = scope === 'service' ? undefined : operation.id;
  const documentValue = documentValueOf({ id, operation, contract });
  const { kind: state } = documentValue;
  if (state === 'not-asked' && isOfResources === true) return undefined;
  const asked = operationId ?? null;
  if (documentValue.kind === 'not-asked') {
    return { question: id, operation: asked, state, says: documentValue.why };
  }
  const own = operationId === undefined ? undefined : given.operations?.[operationId]?.[id];
  const said = documentValue.kind === 'answered' ? documentValue.answer : undefined;
  // `as`: the document decides a behaviour with a value that a policy may have.
  const value = (said ?? own ?? whole[id]) as BehaviourValues[typeof id];
  const known = described.get(id);
  // `as`: policy values are JSON by their schemas; their types are only read-only.
  const answer = known?.get(value) ?? { value: value as JsonValue, words: describeValue(id, value) };
  known?.set(value, answer);
  // There may be hundreds of thousands of these objects. Building each in one step takes less time and memory.
  if (documentValue.kind === 'answered') {
    const place = explainPlace(documentValue.pointer, contract);
    const { says } = documentValue;
    return documentValue.answer === undefined
      ? { question: id, operation: asked, state, from: 'document', says, place }
      : { question: id, operation: asked, state, answer, from: 'document', says, place };
  }
  const from = (own ?? given[id]) === undefined ? 'default' : 'policy';
  const { says, settledBy } = documentValue;
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

/** Returns the kind of an operation. A HEAD has that of its path's GET if that reads a resource (RFC 9110 §9.3.2). */
function answeredKind({ method, path, kind }: Operation, operations: readonly Operation[]): OperationKind {
  if (method !== 'HEAD') return kind;
  const get = operations.find((each) => each.method === 'GET' && each.path.template === path.template);
  return (get && keptRole(get)) ?? kind;
}

function explainScheme(scheme: SecurityScheme): ExplainedOperation['security'][number][number] {
  const { name, kind } = scheme;
  return scheme.kind === 'bearer' && scheme.scopes ? { name, kind, scopes: scheme.scopes } : { name, kind };
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
    security: security.map((schemes) => schemes.map(explainScheme)),
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
 * Explains a contract: what it specifies, what it does not specify, and what a run with `runs` cases per property
 * checks. `given` is the policy that the user gave in addition to the document.
 *
 * @throws DocumentError POLICY_INVALID if the document's `x-cloche-policy` cannot be used
 */
export function explainContract(input: {
  readonly contract: Contract;
  readonly source: string;
  readonly given: Partial<Policy>;
  readonly suites: readonly Suite[];
  readonly runs: number;
  readonly misfits?: readonly ExplainedMismatch[] | undefined;
}): Explanation {
  const { contract, source, given, suites, runs, misfits } = input;
  const { operations, title, version, openapi, writtenVersion = openapi } = contract;
  const written = /^\d+\.\d+/u.exec(writtenVersion)?.[0] ?? openapi;
  const policy = withDocumentAnswers(createPolicy(given), contract);
  const byQuestion = Object.values(behaviours).map((question) => ({
    question,
    answers: [] as ExplainedAnswer[],
  }));
  const described = new Map(byQuestion.map(({ question }) => [question.id, new Map<unknown, Described>()]));
  const known = { contract, given, whole: policy, described };
  for (const [index, operation] of operations.entries()) {
    for (const { question, answers } of byQuestion) {
      // A behaviour of the whole service is listed once.
      if (question.scope === 'service' && index > 0) continue;
      const answer = explainAnswer(question.id, operation, known);
      if (answer !== undefined) {
        answers.push(answer);
      }
    }
    // The suites need this value below. Computing it now reuses the document's values that were just computed.
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
