import type { Operation } from '../contract/contract.ts';
import { listErrorResponses } from '../contract/responses.ts';
import { isJsonMediaType, matchesMediaRange } from '../http/media-type.ts';
import { holdsExactNumber, isJsonObject, type JsonValue } from '../json/value.ts';
import type { RefusedCredentials } from './question.ts';

/** The content of a refusal. */
interface RefusalContent {
  readonly bytes: number;
  /** The media type without its parameters, in lower case; undefined where there is none. */
  readonly mediaType: string | undefined;
  /** Undefined where it is no JSON. */
  readonly value: JsonValue | undefined;
}

/** The members of a problem have the types of RFC 9457 §3.1, which is what an overlay declares of one. */
function isProblem({ mediaType, value }: RefusalContent): boolean {
  if (mediaType !== 'application/problem+json' || value === undefined || !isJsonObject(value)) return false;
  const { title = '', status = 0, detail = '' } = value;
  return typeof title === 'string' && typeof detail === 'string' && Number.isInteger(status);
}

/** Whether it is what the document declares of errors: the same response that a mock and an overlay make one of. */
function isError(
  { mediaType = '', value }: RefusalContent,
  operations: Iterable<Operation | undefined>,
): boolean {
  const isJson = isJsonMediaType(mediaType);
  for (const operation of operations) {
    const [error] = operation === undefined ? [] : listErrorResponses(operation);
    if (error !== undefined) {
      const media = error.media.find(({ range }) => matchesMediaRange(mediaType, range));
      const validate = media?.schema?.validator({ formats: 'ignore', integers: 'by-value' });
      return (
        media !== undefined &&
        (!isJson ||
          (value !== undefined &&
            (validate === undefined || validate(value, holdsExactNumber(value)).length === 0)))
      );
    }
  }
  return isJson && value !== undefined && isJsonObject(value);
}

/**
 * Which of the bodies of {@link RefusedCredentials} the content of a refusal may be called, the one that says the most first.
 * Where no operation declares an error, any JSON object is one.
 *
 * @param operations - the one that was asked first, undefined where a request reached none, then all of the contract
 */
export function listRefusalBodies(
  content: RefusalContent,
  operations: Iterable<Operation | undefined>,
): readonly [RefusedCredentials['body'], ...RefusedCredentials['body'][]] {
  if (content.bytes === 0) return ['empty'];
  const isOfDocument = isError(content, operations);
  if (isProblem(content)) return isOfDocument ? ['problem', 'error'] : ['problem'];
  return [isOfDocument ? 'error' : 'other'];
}
