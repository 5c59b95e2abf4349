import { findBodyRelations } from '../../contract/relations.ts';
import { listReadOnly } from '../../contract/request-facts.ts';
import { keptRole } from '../../contract/resources.ts';
import { decodeUtf8 } from '../../http/bytes.ts';
import { exceedsDepth } from '../../json/parse.ts';
import { appendPointer, resolvePointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import type { BehaviourValues } from '../../policy/behaviour.ts';
import { mostLevels } from '../../policy/behaviours/body-limit.ts';
import { type CompiledSchema, compileSchema } from '../../schema/compile.ts';
import { statusOf } from '../classify/answer.ts';
import { accepts, undeclaredProperty } from '../classify/body.ts';
import type { ClassifiedBody, CheckContext, CheckInput } from '../classify/subject.ts';

/** A feature of a request that may lead to another response than that to a plain request. */
export type Confounder =
  /** No operation matches the request. */
  | 'route'
  | 'credentials'
  /** The spelling of good credentials, of the media type or of the length. */
  | 'spelling'
  | 'accept'
  | 'parameters'
  /** It has more bytes than the policy accepts or, without a configured limit, than are certain to be accepted. */
  | 'size'
  /** Its arrays and objects are nested deeper than the policy accepts. */
  | 'depth'
  | 'media-type'
  /** A body that Cloche does not parse. */
  | 'skipped'
  | 'malformed'
  | 'invalid'
  | 'ambiguous'
  | 'undeclared-property'
  /** A valid value or a spelling of JSON that is rarely sent. */
  | 'unusual'
  /** A value that the policy refuses although the schema accepts it. */
  | 'constraint'
  /** An id that may already exist. */
  | 'key'
  /** A value that the policy requires to be unique, and that may already exist. */
  | 'unique'
  /** A reference, if the policy refuses dangling ones. */
  | 'reference'
  /** A read-only property, if the policy refuses it. */
  | 'read-only';

/** The input of a rule about a policy behaviour. */
export interface PolicyRuleInput {
  readonly subject: CheckInput;
  /** The context for the operation. Its policy values count only for configured behaviours. */
  readonly context: CheckContext;
  readonly confounders: ReadonlySet<Confounder>;
}

/** The policy value in words, and whether an exchange agrees with it. */
export interface PolicyExpectation {
  readonly expected: string;
  readonly holds: boolean;
  /** The response in words, if its status and media type are not enough. */
  readonly received?: string;
}

/**
 * Checks an exchange against one configured policy value; undefined if the exchange does not show the behaviour, or if
 * something else may explain the response.
 */
export type PolicyRule = (input: PolicyRuleInput) => PolicyExpectation | undefined;

/** Lists the features of a request that may change its response; empty for a plain request. */
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
  // Without a configured limit, a body of this length is certain to be accepted.
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
  note('key', key === 'sent' || key === 'chosen' || key === 'colliding');
  const refuses = (id: 'dangling-reference' | 'read-only-sent'): boolean =>
    enforced.has(id) && policy[id] === 'refuse';
  const plainJson = body.kind === 'other-media' ? body.plainJson : undefined;
  const value = body.kind === 'valid' ? body.value : plainJson;
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

function concernsOf(body: ClassifiedBody): readonly Confounder[] {
  switch (body.kind) {
    case 'not-expected':
      return [];
    case 'other-media':
      return ['media-type'];
    case 'unjudged':
      return ['skipped'];
    case 'malformed':
    case 'invalid':
      return [body.kind];
    case 'valid':
      if (body.grade.kind !== 'extreme') return body.grade.kind === 'ambiguous' ? ['ambiguous'] : [];
      return body.grade.mutations.map(({ words }) =>
        words === undeclaredProperty ? 'undeclared-property' : 'unusual',
      );
  }
}

/** Returns whether only the listed features of a request may be reasons to reject it. */
export function hasOnly(confounders: ReadonlySet<Confounder>, ...listed: readonly Confounder[]): boolean {
  return [...confounders].every((confounder) => listed.includes(confounder));
}

/** Returns whether the arrays and objects of a body are nested deeper than the enforced policy accepts. */
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

/** Returns whether the policy refuses a valid body for its size or content, or may refuse it for a unique value. */
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

const compiled = new WeakMap<BehaviourValues['constraints'], CompiledSchema>();

/** Returns whether a policy refuses a value although its schema accepts it. */
function breaksConstraints(constraints: BehaviourValues['constraints'], value: JsonValue): boolean {
  if (Object.keys(constraints).length === 0) return false;
  const known =
    compiled.get(constraints) ?? compileSchema({ schema: { properties: { ...constraints } }, pointer: '' });
  compiled.set(constraints, known);
  return !accepts(known, value);
}

/** The statuses that reject a body that breaks its schema (RFC 9110 §15.5.1, §15.5.21). */
export const bodyRefusals: ReadonlySet<number> = new Set([400, 422]);

/** The statuses by which services reject the content of a body (RFC 9110 §15.5). */
const ofContent = new Set([400, 409, 413, 415, 422]);

/**
 * Returns whether a request was rejected for its content. This is certain only if the operation accepted equal plain
 * bodies: otherwise a value may have to be unique and may already exist. A rejected update may be about the resulting
 * item.
 */
export function isRefusedForContent({ subject, context }: PolicyRuleInput): boolean {
  const { operation } = subject;
  const acceptsEqual = operation !== undefined && (context.acceptsEqual?.has(operation.id) ?? false);
  return acceptsEqual && operation.kind.kind !== 'update' && ofContent.has(statusOf(subject));
}
