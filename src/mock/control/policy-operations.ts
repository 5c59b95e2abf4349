import type { Contract } from '../../contract/contract.ts';
import { ClocheError } from '../../errors/cloche-error.ts';
import { toPlainNumbers } from '../../json/exact-number.ts';
import { appendPointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/print.ts';
import { jsonEqual, type JsonObject, type JsonValue } from '../../json/value.ts';
import {
  answerExtension,
  documentValueOf,
  listQuestions,
  readDocumentAnswers,
} from '../../policy/document-answers.ts';
import { describeValue, mergeAnswers, type Policy, policyOf } from '../../policy/policy.ts';
import type { BehaviourValues, BehaviourId } from '../../policy/behaviour.ts';
import { behaviours } from '../../policy/behaviours/index.ts';
import type { ShownPolicy } from './calls.ts';
import { type ControlContext, ok, type OperationsAt } from './operation.ts';

/** The operations on the policy. */
export const policyOperations: OperationsAt<'/policy'> = {
  getPolicy: (_request, context) => ok(describePolicy(context)),
  patchPolicy: async ({ body }, context) => {
    // `as`: the document accepts nothing else.
    const change = toPlainNumbers(body) as PolicyChange;
    if (!context.facts.hasTokens) refuseToLockOut(change);
    // The change is merged in its turn, so no concurrent change is lost.
    await context.mock.change({ policy: (given) => mergePolicyChange(given, change) });
    return ok(describePolicy(context));
  },
  deletePolicy: (_request, { mock }) => mock.reset(['policy']),
};

type Answer = BehaviourValues[BehaviourId];

/** Describes the policy of a mock: each behaviour with its value, and the source of the value. */
function describePolicy({ mock: { contract, policy }, facts }: ControlContext): ShownPolicy {
  const givenPolicy = facts.givenPolicy();
  const answers = listQuestions(contract).map(({ id, question, scope = 'operation', default: usual }) => {
    const ofDocument = findDocumentAnswer(id, contract, policy);
    const answer = ofDocument ?? policy[id];
    const ofMock = givenPolicy[id] === undefined ? 'default' : 'policy';
    return {
      id,
      question,
      scope,
      answer,
      default: usual,
      choices: listChoices(id, answer),
      decidedBy: ofDocument === undefined ? ofMock : 'document',
      places: listPlaces(id, contract),
    };
  });
  const own = Object.entries(policy.operations ?? {}).filter(([, said]) => Object.keys(said).length > 0);
  const shown = { answers, operations: Object.fromEntries(own), given: givenPolicy.operations ?? {} };
  // `as`: the values are JSON, as their schemas say; only their types are read-only.
  return shown as unknown as ShownPolicy;
}

/** Returns the value that the document specifies for all operations of a behaviour; no policy can change it. */
function findDocumentAnswer(id: BehaviourId, contract: Contract, policy: Policy): Answer | undefined {
  if (behaviours[id].scope === 'service') return readDocumentAnswers(contract).root[id];
  const asked = contract.operations
    .map((operation) => ({ operation, kind: documentValueOf({ id, operation, contract }).kind }))
    .filter(({ kind }) => kind !== 'not-asked');
  const [first] = asked;
  return first !== undefined && asked.every(({ kind }) => kind === 'answered')
    ? policyOf(policy, first.operation.id)[id]
    : undefined;
}

/** Lists the representative values and the current one, each with a label. */
function listChoices(id: BehaviourId, answer: Answer): readonly object[] {
  const representatives: readonly Answer[] = behaviours[id].representatives;
  // `as`: the values are JSON, as their schemas say; only their types are read-only.
  const isListed = representatives.some((each) => jsonEqual(each as JsonValue, answer as JsonValue));
  return [...representatives, ...(isListed ? [] : [answer])].map((each) => ({
    answer: each,
    // `as`: each is a value of this behaviour.
    label: describeValue(id, each as never),
  }));
}

/** The maximum number of places listed; a document may specify the same at many operations. */
const most = 5;

/** Caches places: finding a line requires a search of the document, and clients request the policy often. */
const known = new WeakMap<JsonObject, Map<BehaviourId, readonly object[]>>();

/** Lists the first few places at which a document specifies a behaviour, for all or for some of its operations. */
function listPlaces(id: BehaviourId, contract: Contract): readonly object[] {
  const ofDocument = known.get(contract.root) ?? new Map<BehaviourId, readonly object[]>();
  known.set(contract.root, ofDocument);
  const locate = (pointer: string) => contract.locate(contract.placeOf(pointer));
  const places =
    ofDocument.get(id) ??
    [...findPlaces(id, contract)]
      .slice(0, most)
      .map(([pointer, says]) => ({ pointer, says, location: locate(pointer) }));
  ofDocument.set(id, places);
  return places;
}

/** Finds what the document specifies for a behaviour: sentences without a full stop, by the pointers to them. */
function findPlaces(id: BehaviourId, contract: Contract): ReadonlyMap<string, string> {
  if (behaviours[id].scope === 'service') {
    // `as`: the values are JSON, as their schemas say; only their types are read-only.
    const answer = readDocumentAnswers(contract).root[id] as JsonValue | undefined;
    const pointer = appendPointer('', answerExtension, id);
    return new Map(
      answer === undefined ? [] : [[pointer, `${answerExtension} says ${stringifyJson(answer)}`]],
    );
  }
  const answered = contract.operations
    .map((operation) => documentValueOf({ id, operation, contract }))
    .filter((documentValue) => documentValue.kind === 'answered');
  return new Map(answered.map(({ pointer, says }) => [pointer, says]));
}

type AnswerChange = { readonly [Id in keyof BehaviourValues]?: BehaviourValues[Id] | null };

/** A change of a policy; null resets a value, or all values of an operation. */
interface PolicyChange {
  readonly answers?: AnswerChange;
  readonly operations?: Readonly<Record<string, AnswerChange | null>>;
}

/** Merges a change into the configured policy. */
export function mergePolicyChange(given: Partial<Policy>, change: PolicyChange): Partial<Policy> {
  const { answers = {}, operations = {} } = change;
  const enforced = Object.entries(operations).map(([id, each]) => [id, givenOf(each ?? {})] as const);
  const merged = mergeAnswers(given, { ...givenOf(answers), operations: Object.fromEntries(enforced) });
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

function givenOf(change: AnswerChange): Partial<BehaviourValues> {
  // `as`: the remaining members are values of their behaviours.
  return withoutTaken(change, change) as Partial<BehaviourValues>;
}

/** Removes the members that a change resets. */
function withoutTaken<Holder extends object>(holder: Holder, change: object): Holder {
  const changes = new Map(Object.entries(change));
  // `as`: only optional members are removed.
  return Object.fromEntries(Object.entries(holder).filter(([name]) => changes.get(name) !== null)) as Holder;
}

/** Refuses to limit access to listed tokens if the mock has no tokens. */
function refuseToLockOut({ answers = {}, operations = {} }: PolicyChange): void {
  const changes = [answers, ...Object.values(operations)];
  if (changes.some((change) => change?.['accepted-tokens'] === 'listed')) {
    throw new ClocheError('OPTION_INVALID', {
      attempt: 'use the policy',
      subject: 'accepted-tokens: listed',
      reason: 'the mock was given no tokens, so that it would reject every request',
      remedy: 'Start it with --token, or the option "tokens"',
    });
  }
}
