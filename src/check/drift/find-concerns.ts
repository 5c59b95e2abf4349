import { isJsonObject } from '../../json/is-json-object.ts';
import type { JsonValue } from '../../json/json-value.ts';
import type { CheckContext } from '../check-context.ts';
import type { Subject } from '../exchange-check.ts';
import type { BodyReading } from '../request-reading.ts';
import { undeclaredProperty } from '../undeclared-property.ts';
import { breaksConstraints } from './breaks-constraints.ts';

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
