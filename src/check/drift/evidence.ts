import { holdsExactNumber, isJsonObject, type JsonValue } from '../../json/value.ts';
import type { ConstraintsAnswer } from '../../policy/questions/constraints.ts';
import { type CompiledSchema, compileSchema } from '../../schema/compile.ts';
import { statusOf } from '../reading/answer.ts';
import { undeclaredProperty } from '../reading/body.ts';
import type { BodyReading, CheckContext, Subject } from '../reading/subject.ts';

/** The statuses by which a body is refused that breaks its schema (RFC 9110 §15.5.1, §15.5.21). */
export const bodyRefusals: ReadonlySet<number> = new Set([400, 422]);

const compiled = new WeakMap<ConstraintsAnswer, CompiledSchema>();

/**
 * Whether a value is one that a policy refuses although its schema accepts it.
 *
 * @throws ClocheError SCHEMA_UNUSABLE where a fragment of the policy is no JSON Schema
 */
function breaksConstraints(constraints: ConstraintsAnswer, value: JsonValue): boolean {
  if (Object.keys(constraints).length === 0) return false;
  const known =
    compiled.get(constraints) ?? compileSchema({ schema: { properties: { ...constraints } }, pointer: '' });
  compiled.set(constraints, known);
  const validate = known.validator({ formats: 'ignore', integers: 'by-value' });
  return validate(value, holdsExactNumber(value)).length > 0;
}

/** Something of a request that a service might answer otherwise than a plain request. */
export type Concern =
  /** No operation takes it. */
  | 'route'
  | 'credentials'
  /** Good credentials, the media type or the length are written in a way that few would. */
  | 'spelling'
  | 'accept'
  | 'parameters'
  /** It has more bytes than the policy lets in, or where that was not told, than are surely let in. */
  | 'size'
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
  | 'unique';

/** Where no limit was told, a body of so many bytes is let in. */
const surelyLetIn = 1_024;

function addBodyConcerns(body: BodyReading, concerns: Set<Concern>): void {
  switch (body.kind) {
    case 'not-expected':
      return;
    case 'other-media':
      concerns.add('media-type');
      return;
    case 'unjudged':
      concerns.add('unread');
      return;
    case 'malformed':
    case 'invalid':
      concerns.add(body.kind);
      return;
    case 'valid':
      if (body.grade.kind === 'contested') {
        concerns.add('contested');
      }
      for (const { words } of body.grade.kind === 'extreme' ? body.grade.oddities : []) {
        concerns.add(words === undeclaredProperty ? 'undeclared-property' : 'unusual');
      }
  }
}

function valueOf(body: BodyReading): JsonValue | undefined {
  return body.kind === 'valid' ? body.value : body.kind === 'other-media' ? body.plainJson : undefined;
}

/** Lists what of a request might be answered otherwise than a plain one; nothing is listed for a plain one. */
export function findConcerns(subject: Subject, context: CheckContext): ReadonlySet<Concern> {
  const { request, operation } = subject;
  const { credentials, body, key, bodyBytes } = request;
  const { policy, told } = context;
  const concerns = new Set<Concern>();
  const note = (concern: Concern, isThere: boolean): void => {
    if (isThere) {
      concerns.add(concern);
    }
  };
  const limit = told.has('body-limit')
    ? policy['body-limit'].bytes
    : Math.max(surelyLetIn, context.longestPlainBody);
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
  note('key', key === 'sent' || key === 'chosen' || key === 'twin');
  addBodyConcerns(body, concerns);
  const value = valueOf(body);
  if (isJsonObject(value)) {
    note('constraint', told.has('constraints') && breaksConstraints(policy.constraints, value));
    const isUnique = (name: string): boolean => Object.hasOwn(value, name);
    note('unique', told.has('unique-properties') && policy['unique-properties'].some(isUnique));
  }
  return concerns;
}

/** Whether nothing but what is listed could be held against a request. */
export function hasOnly(concerns: ReadonlySet<Concern>, ...listed: readonly Concern[]): boolean {
  for (const concern of concerns) {
    if (!listed.includes(concern)) return false;
  }
  return true;
}

/** What an exchange says of one question of the policy. */
export interface Held {
  /** What the policy says, in words. */
  readonly expected: string;
  readonly holds: boolean;
  /** What came, in words, where its status and media type do not say it. */
  readonly received?: string;
}

/** What a question is held against. */
export interface HoldInput {
  readonly subject: Subject;
  /** That of the operation. Its policy says nothing of a question that it was not told. */
  readonly context: CheckContext;
  readonly concerns: ReadonlySet<Concern>;
}

/**
 * Holds an exchange against the answer to one question; only called where that answer was told.
 *
 * @returns undefined where the exchange does not show the answer, or something else might explain what it shows
 */
export type Hold = (input: HoldInput) => Held | undefined;

/** Whether the policy that the run was told says that a valid body is refused, for its size or for what is in it. */
export function isRefusedAsTold({ request }: Subject, { policy, told }: CheckContext): boolean {
  const { body, bodyBytes } = request;
  const isTooLarge = told.has('body-limit') && bodyBytes > policy['body-limit'].bytes;
  const isOutOfBounds =
    told.has('constraints') && body.kind === 'valid' && breaksConstraints(policy.constraints, body.value);
  const isUndeclared =
    told.has('undeclared-properties') &&
    policy['undeclared-properties'] === 'refuse' &&
    body.kind === 'valid' &&
    body.grade.kind === 'extreme' &&
    body.grade.oddities.some(({ words }) => words === undeclaredProperty);
  return isTooLarge || isOutOfBounds || isUndeclared;
}

/** Statuses by which services refuse what a body holds (RFC 9110 §15.5). */
const ofContent = new Set([400, 409, 413, 415, 422]);

/**
 * Whether a request was refused for what it holds. Nothing is concluded unless the operation was seen to take equal
 * plain bodies: else a value may be one that has to be unique, and may exist already.
 */
export function isRefusedForContent({ subject, context }: HoldInput): boolean {
  const { operation } = subject;
  const takesEqual = operation !== undefined && (context.takesEqual?.has(operation.id) ?? false);
  return takesEqual && ofContent.has(statusOf(subject));
}
