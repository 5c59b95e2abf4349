import written from '../../../spec/faults.schema.json' with { type: 'json' };
import { findOperation, type Operation } from '../../contract/contract.ts';
import type { DocumentProblem } from '../../document/document.ts';
import { toPlainNumbers } from '../../json/exact-number.ts';
import { type JsonPointer, memberAt, nestMember, pointerTokens } from '../../json/pointer.ts';
import { holdsExactNumber, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { meantOr, placeBelow, toDocumentProblem } from '../../policy/validate.ts';
import { compileSchema, strictMode } from '../../schema/compile.ts';
import type { SchemaProblem } from '../../schema/problems.ts';
import type { FaultRule } from './fault.ts';

type FaultRuleReading =
  | { readonly kind: 'rule'; readonly rule: FaultRule }
  | { readonly kind: 'problems'; readonly problems: readonly DocumentProblem[] };

// `as`: they are JSON, for which TypeScript infers types of its own.
const { FaultRule: schemaOfRule, ForcedAnswer: schemaOfAnswer } = written.$defs as unknown as Readonly<
  Record<'FaultRule' | 'ForcedAnswer', JsonObject & { readonly properties: JsonObject }>
>;
const members = schemaOfRule.properties;
const answerMembers = schemaOfAnswer.properties;
const ruleSchema = { ...schemaOfRule, properties: { ...members, answer: schemaOfAnswer } };

let validator: ReturnType<ReturnType<typeof compileSchema>['validator']> | undefined;

/** Parses a rule from JSON, as {@link FaultRule} describes it; the pointer is its position in a document. */
export function parseFaultRule(
  value: JsonValue,
  { operations, pointer = '' }: { readonly operations: readonly Operation[]; readonly pointer?: JsonPointer },
): FaultRuleReading {
  validator ??= compileSchema({ schema: ruleSchema, pointer: '' }).validator(strictMode);
  const found = [
    ...validator(value, holdsExactNumber(value)).map((problem) => describeProblem(problem, value)),
    ...(isJsonObject(value) ? checkOperation(value, operations) : []),
  ];
  if (found.length > 0 || !isJsonObject(value))
    return { kind: 'problems', problems: placeBelow(pointer, found) };
  const { seen: _seen, applied: _applied, operation, ...others } = value;
  const id = typeof operation === 'string' ? findOperation(operations, operation)?.id : undefined;
  const given = { ...others, ...(id !== undefined && { operation: id }) };
  const body = memberAt(given, ['answer', 'body']);
  const plain = toPlainNumbers(given);
  // The content of a response keeps its digits.
  const rule = body === undefined ? plain : nestMember(plain, ['answer', 'body'], body);
  // `as`: the schema accepts nothing else.
  return { kind: 'rule', rule: rule as FaultRule };
}

/** Describes a problem; the remedy is the description of the member. */
function describeProblem(problem: SchemaProblem, value: JsonValue): DocumentProblem {
  const [name = '', member = ''] = pointerTokens(problem.pointer);
  const described =
    memberAt(answerMembers, [member, 'description']) ?? memberAt(members, [name, 'description']);
  const about =
    typeof described === 'string' ? described.replace(/\.$/u, '') : 'Write {"answer": {"status": 503}}';
  return toDocumentProblem(value, problem, {
    names: Object.keys(name === 'answer' ? answerMembers : members),
    remedy: problem.keyword === 'never' ? 'Leave it out, or what excludes it' : about,
  });
}

/** Checks that the operation of a rule exists and has its method. */
function checkOperation(
  { operation: id, method }: JsonObject,
  operations: readonly Operation[],
): readonly DocumentProblem[] {
  if (typeof id !== 'string') return [];
  const named = findOperation(operations, id);
  if (named === undefined) {
    const ids = operations.map((operation) => operation.id);
    const remedy = meantOr(id, ids, `It takes ${ids.join(', ')}`);
    return [{ pointer: '/operation', reason: `there is no operation "${id}"`, remedy }];
  }
  if (typeof method !== 'string' || method.toUpperCase() === named.method) return [];
  const reason = `is for no request: the method of ${id} is ${named.method}`;
  return [{ pointer: '', reason, remedy: 'Leave the method out, or the operation' }];
}
