import { ExactNumber } from '../../json/exact-number.ts';
import { isJsonObject } from '../../json/is-json-object.ts';
import type { Condition } from '../../policy/condition.ts';
import type { Subject } from '../exchange-check.ts';
import type { Concern } from './find-concerns.ts';
import type { Hold, HoldInput } from './hold.ts';
import { statusOf } from './status-of.ts';

/** A number of this name is the HTTP status, whatever else holds the code. */
const statusName = /status/iu;

/** The one number of a refusal, where it is a whole one. */
function readCode({ answer }: Subject): number | undefined {
  if (answer.kind === 'none' || answer.content.kind !== 'json') {
    return undefined;
  }
  const { value } = answer.content.json;
  const numbers = Object.entries(isJsonObject(value) ? value : {}).flatMap(([name, member]) => {
    const text = member instanceof ExactNumber ? member.text : member;
    return typeof member === 'number' || member instanceof ExactNumber ? [{ name, code: Number(text) }] : [];
  });
  const [only, second] = numbers;
  if (only === undefined || second !== undefined || statusName.test(only.name)) {
    return undefined;
  }
  const { code } = only;
  return Number.isSafeInteger(code) ? code : undefined;
}

/** Where the line is drawn between a text that cannot be read and a value that is not valid is a service's own matter. */
const ofBody: readonly Condition[] = ['invalid-body', 'malformed-body'];

const ofConcern: Readonly<Partial<Record<Concern, readonly Condition[]>>> = {
  malformed: [...ofBody, 'missing-body'],
  invalid: ofBody,
  constraint: ofBody,
  parameters: ['invalid-parameter'],
  accept: ['not-acceptable'],
  size: ['body-too-large'],
};

/** The reasons for which a request may have been refused; none where they cannot be told. */
function listConditions({ subject, context, concerns }: HoldInput): readonly Condition[] {
  const { request, operation, knowsPath } = subject;
  if (statusOf(subject) === 429) {
    return ['too-many-requests'];
  }
  if (operation === undefined) {
    // Nothing says where credentials go in such a request, so that it may have come without any.
    return [knowsPath ? 'unknown-method' : 'unknown-path', 'missing-credentials'];
  }
  const [concern, second] = concerns;
  if (concern === undefined || second !== undefined) {
    return [];
  }
  if (concern === 'credentials') {
    const { told, policy } = context;
    const isUnknown = request.credentials === 'unknown-token';
    const isLetIn = isUnknown && (!told.has('accepted-tokens') || policy['accepted-tokens'] === 'any');
    return isLetIn || request.credentials === 'unjudged'
      ? []
      : [isUnknown ? 'invalid-credentials' : 'missing-credentials'];
  }
  if (concern === 'media-type') {
    const { told, policy } = context;
    // Read anyway, its text may be what is refused.
    const isRead = !told.has('unsupported-media-type') || policy['unsupported-media-type'] === 'read';
    const mayBeForBody = isRead || request.bodyBytes === 0;
    return [...(mayBeForBody ? [...ofBody, 'missing-body' as const] : []), 'unsupported-media-type'];
  }
  if (concern === 'key') {
    return request.key === 'sent' ? ['duplicate-key', 'duplicate-value'] : [];
  }
  return ofConcern[concern] ?? [];
}

/** Holds the number in an error body, where the request leaves no doubt for what it was refused. */
export const holdErrorCodes: Hold = (input) => {
  const { subject, context } = input;
  const status = statusOf(subject);
  const code = status >= 400 && status < 500 ? readCode(subject) : undefined;
  const conditions = code === undefined ? [] : listConditions(input);
  if (code === undefined || conditions.length === 0) {
    return undefined;
  }
  const codes = context.policy['error-codes'];
  const expected = new Set(
    conditions.map((condition) => (codes === 'status' ? status : (codes[condition] ?? status))),
  );
  return {
    expected: codes === 'status' ? 'the HTTP status as its code' : `the code ${[...expected].join(' or ')}`,
    holds: expected.has(code),
    received: `${status} with the code ${code}`,
  };
};
