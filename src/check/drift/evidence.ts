import { findBodyRelations } from '../../contract/relations.ts';
import { listReadOnly } from '../../contract/request-facts.ts';
import { keptRole } from '../../contract/resources.ts';
import { decodeUtf8 } from '../../http/bytes.ts';
import { exceedsDepth } from '../../json/parse.ts';
import { appendPointer, resolvePointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import type { Answers, QuestionId } from '../../policy/question.ts';
import { mostLevels } from '../../policy/questions/body-limit.ts';
import { type CompiledSchema, compileSchema } from '../../schema/compile.ts';
import { statusOf } from '../reading/answer.ts';
import { accepts, undeclaredProperty } from '../reading/body.ts';
import type { BodyReading, CheckContext, CheckInput } from '../reading/subject.ts';

/** Something of a request that a service might answer otherwise than a plain request. */
export type Confounder =
  /** No operation takes it. */
  | 'route'
  | 'credentials'
  /** Of good credentials, the media type or the length. */
  | 'spelling'
  | 'accept'
  | 'parameters'
  /** It has more bytes than the policy lets in, or where that was not told, than are surely let in. */
  | 'size'
  /** More arrays and objects stand in each other than the policy lets in. */
  | 'depth'
  | 'media-type'
  /** A body whose content Cloche does not read. */
  | 'unread'
  | 'malformed'
  | 'invalid'
  | 'contested'
  | 'undeclared-property'
  /** A valid value, or a spelling of JSON, that few would send. */
  | 'unusual'
  /** A value that the policy refuses although the schema accepts it. */
  | 'constraint'
  /** A key that may exist already. */
  | 'key'
  /** A value that the policy wants only once, and that may exist already. */
  | 'unique'
  /** A reference, where the policy refuses those that lead nowhere. */
  | 'reference'
  /** A read-only property, where the policy refuses it. */
  | 'read-only';

/** What a question is held against. */
export interface DriftRuleInput {
  readonly subject: CheckInput;
  /** That of the operation. Its policy says nothing of a question that it was not told. */
  readonly context: CheckContext;
  readonly confounders: ReadonlySet<Confounder>;
}

/** What the policy says to a question, in words, and whether an exchange holds to it. */
export interface DriftExpectation {
  readonly expected: string;
  readonly holds: boolean;
  /** What came, in words, where its status and media type do not say it. */
  readonly received?: string;
}

/**
 * Holds an exchange against the answer to one question that the service is held to; undefined where the exchange does not
 * show the answer, or something else might explain what it shows.
 */
export type DriftRule = (input: DriftRuleInput) => DriftExpectation | undefined;

/** A question, and how an exchange is held against its answer. */
export type QuestionRule = readonly [QuestionId, DriftRule];

/** Lists what of a request might be answered otherwise than a plain one; nothing is listed for a plain one. */
export function findConfounders(subject: CheckInput, context: CheckContext): ReadonlySet<Confounder> {
  const { request, operation } = subject;
  const { credentials, body, key, bodyBytes } = request;
  const { policy, enforced } = context;
  const confounders = new Set<Confounder>(concernsOf(body));
  const note = (confounder: Confounder, isThere: boolean): void => {
    if (isThere) {
      confounders.add(confounder);
    }
  };
  // Where no limit was told, so many bytes are surely let in.
  const limit = enforced.has('body-limit')
    ? policy['body-limit'].bytes
    : Math.max(1_024, context.longestPlainBody);
  note('route', operation === undefined);
  note('credentials', !['good', 'good-unusual', 'not-required'].includes(credentials));
  note(
    'spelling',
    credentials === 'good-unusual' ||
      request.mediaTypeSpelling === 'unusual' ||
      request.framing === 'chunked',
  );
  note('accept', request.accept !== 'met');
  note('parameters', request.invalidParameters.length > 0);
  note('size', bodyBytes > limit);
  note('depth', isTooDeep(subject, context));
  note('key', key === 'sent' || key === 'chosen' || key === 'twin');
  const refuses = (id: 'dangling-reference' | 'read-only-sent'): boolean =>
    enforced.has(id) && policy[id] === 'refuse';
  const value = body.kind === 'valid' ? body.value : body.kind === 'other-media' ? body.plainJson : undefined;
  if (isJsonObject(value)) {
    note('constraint', enforced.has('constraints') && breaksConstraints(policy.constraints, value));
    const role = operation && keptRole(operation);
    const inner = role !== undefined && 'request' in role ? appendPointer('', ...role.request) : '';
    const item = resolvePointer(value, inner);
    const holds = (name: string): boolean => isJsonObject(item) && Object.hasOwn(item, name);
    const relations = operation && findBodyRelations(operation, context.contract.operations);
    note(
      'reference',
      refuses('dangling-reference') && relations?.some(({ property }) => holds(property)) === true,
    );
    note(
      'read-only',
      refuses('read-only-sent') && operation !== undefined && listReadOnly(operation).some(holds),
    );
    note(
      'unique',
      enforced.has('unique-properties') &&
        policy['unique-properties'].some((name) => Object.hasOwn(value, name)),
    );
  }
  return confounders;
}

function concernsOf(body: BodyReading): readonly Confounder[] {
  switch (body.kind) {
    case 'not-expected':
      return [];
    case 'other-media':
      return ['media-type'];
    case 'unjudged':
      return ['unread'];
    case 'malformed':
    case 'invalid':
      return [body.kind];
    case 'valid':
      if (body.grade.kind !== 'extreme') return body.grade.kind === 'contested' ? ['contested'] : [];
      return body.grade.oddities.map(({ words }) =>
        words === undeclaredProperty ? 'undeclared-property' : 'unusual',
      );
  }
}

/** Whether nothing but what is listed could be held against a request. */
export function hasOnly(confounders: ReadonlySet<Confounder>, ...listed: readonly Confounder[]): boolean {
  return [...confounders].every((confounder) => listed.includes(confounder));
}

/** Whether more arrays and objects of a body stand in each other than a policy lets in that the service is held to. */
export function isTooDeep({ exchange }: CheckInput, { policy, enforced }: CheckContext): boolean {
  const { levels = mostLevels } = policy['body-limit'];
  const { body } = exchange.request;
  return (
    enforced.has('body-limit') &&
    body !== undefined &&
    body.length > levels &&
    exceedsDepth(decodeUtf8(body) ?? '', levels)
  );
}

/** Whether the policy refuses a valid body for its size or its content, or may, for a value that may exist only once. */
export function isRefusedAsEnforced(subject: CheckInput, context: CheckContext): boolean {
  const { policy, enforced } = context;
  const confounders = findConfounders(subject, context);
  const refusesUndeclared =
    enforced.has('undeclared-properties') && policy['undeclared-properties'] === 'refuse';
  return (
    confounders.has('constraint') ||
    confounders.has('unique') ||
    confounders.has('reference') ||
    confounders.has('read-only') ||
    (confounders.has('size') && enforced.has('body-limit')) ||
    confounders.has('depth') ||
    (confounders.has('undeclared-property') && refusesUndeclared)
  );
}

const compiled = new WeakMap<Answers['constraints'], CompiledSchema>();

/** Whether a value is one that a policy refuses although its schema accepts it. */
function breaksConstraints(constraints: Answers['constraints'], value: JsonValue): boolean {
  if (Object.keys(constraints).length === 0) return false;
  const known =
    compiled.get(constraints) ?? compileSchema({ schema: { properties: { ...constraints } }, pointer: '' });
  compiled.set(constraints, known);
  return !accepts(known, value);
}

/** The statuses by which a body is refused that breaks its schema (RFC 9110 §15.5.1, §15.5.21). */
export const bodyRefusals: ReadonlySet<number> = new Set([400, 422]);

/** Statuses by which services refuse what a body holds (RFC 9110 §15.5). */
const ofContent = new Set([400, 409, 413, 415, 422]);

/**
 * Whether a request was refused for what it holds. Nothing is concluded unless the operation was seen to take equal
 * plain bodies: else a value may be one that has to be unique, and may exist already. What an update is refused for may be
 * the item that it leads to.
 */
export function isRefusedForContent({ subject, context }: DriftRuleInput): boolean {
  const { operation } = subject;
  const takesEqual = operation !== undefined && (context.takesEqual?.has(operation.id) ?? false);
  return takesEqual && operation.kind.kind !== 'update' && ofContent.has(statusOf(subject));
}
