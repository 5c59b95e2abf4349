import { decodeUtf8 } from '../http/bytes.ts';
import { exceedsDepth } from '../json/parse.ts';
import { findErrorCode, repeatsStatus } from '../policy/error-code.ts';
import type { BehaviourId } from '../policy/behaviour.ts';
import { schemaProperties } from '../schema/properties.ts';
import type { Check } from './define-check.ts';
import { describeReceived, nameOperation } from './describe.ts';
import { type Finding, quoteBehaviour } from './finding.ts';
import { isAccepted, jsonContent, readCreated, statusOf } from './classify/answer.ts';
import { isFineAround, isPlainOrNone, isTrusted } from './classify/request.ts';
import type { BodyGrade, CheckInput } from './classify/subject.ts';

/** {@link observeAnswers} makes its findings, as one exchange may show several behaviours. */
export const leftOpenCheck: Check<'left-open'> = {
  id: 'left-open',
  levels: ['note'],
  docs: {
    title: 'Behaviour that the document does not specify',
    place: 'the behaviour in the policy',
    finds: 'How the service behaves where the document does not specify it. A note never fails a run.',
    example: {
      request: 'POST /orders\nContent-Type: application/xml\n\n<order/>',
      answer: 'HTTP/1.1 415 Unsupported Media Type',
    },
  },
};

/** Functions that describe in words the value that an exchange shows for a behaviour; undefined if it shows none. */
const readers: readonly (readonly [BehaviourId, (subject: CheckInput) => string | undefined])[] = [
  ['missing-credentials', (subject) => readRefusal(subject, 'missing', 'other')],
  ['invalid-credentials', (subject) => readRefusal(subject, 'unknown-token')],
  ['error-codes', readErrorCode],
  ['unsupported-media-type', readMediaType],
  ['body-limit', readBodyLimit],
  ['undeclared-properties', readUndeclaredProperties],
  ['int64-range', (subject) => readAmbiguity(subject, 'int64-range')],
  ['integer-notation', (subject) => readAmbiguity(subject, 'integer-notation')],
  ['duplicate-keys-in-json', (subject) => readAmbiguity(subject, 'duplicate-keys-in-json')],
  ['response-extras', readExtras],
  ['accept', readAccept],
  ['other-operations', readOtherOperations],
];

/** Notes how the service behaves where its document does not specify it: `refused (415)`. */
export function observeAnswers(subject: CheckInput): readonly Finding[] {
  const { answer } = subject;
  if (answer.kind === 'none' || answer.response.status >= 500) return [];
  const findings: Finding[] = [];
  for (const [question, readAnswer] of readers) {
    const seen = readAnswer(subject);
    if (seen !== undefined) {
      findings.push({
        check: 'left-open',
        level: 'note',
        operation: nameOperation(subject),
        clause: quoteBehaviour(question),
        expected: 'any of the answers that the question allows',
        received: seen,
        cause: `${question} ${seen}`,
      });
    }
  }
  return findings;
}

function sayWhether(subject: CheckInput, taken = 'taken'): string {
  return `${isAccepted(subject.answer) ? taken : 'refused'} (${statusOf(subject)})`;
}

/** Returns whether a service could reject the request only because of its body. */
function hasOnlyItsBody({ request }: CheckInput): boolean {
  return isFineAround(request) && request.key !== 'sent';
}

function gradeOf({ request }: CheckInput): BodyGrade | undefined {
  return request.body.kind === 'valid' ? request.body.grade : undefined;
}

function readRefusal({ request, answer }: CheckInput, ...wanted: readonly string[]): string | undefined {
  return wanted.includes(request.credentials) && !isAccepted(answer) ? describeReceived(answer) : undefined;
}

function readErrorCode(subject: CheckInput): string | undefined {
  const status = statusOf(subject);
  if (status < 400) return undefined;
  const body = jsonContent(subject.answer);
  const code = findErrorCode(body, status, subject.operation);
  if (code === undefined) return repeatsStatus(body, status) ? 'the HTTP status' : undefined;
  return code === status ? 'the HTTP status' : 'another number';
}

function readMediaType(subject: CheckInput): string | undefined {
  const { body } = subject.request;
  if (body.kind !== 'other-media' || !hasOnlyItsBody(subject)) return undefined;
  return body.carries || !isAccepted(subject.answer) ? sayWhether(subject, 'read anyway') : undefined;
}

/** Only responses to bodies of at least this many bytes can show a limit. */
const smallestLargeBody = 65_536;

function readBodyLimit(subject: CheckInput): string | undefined {
  const { body, bodyBytes, framing } = subject.request;
  if (body.kind !== 'valid' || !hasOnlyItsBody(subject)) return undefined;
  if (framing === 'chunked' && statusOf(subject) === 411) return 'chunked bodies refused (411)';
  if (bodyBytes < smallestLargeBody) return undefined;
  // Rounded down, so that bodies of similar size lead to the same note.
  return `${2 ** Math.floor(Math.log2(bodyBytes / 1_024))} KiB and more ${sayWhether(subject)}`;
}

function readUndeclaredProperties(subject: CheckInput): string | undefined {
  const grade = gradeOf(subject);
  if (grade?.kind !== 'extreme' || !hasOnlyItsBody(subject)) return undefined;
  const declared = schemaProperties(subject.operation?.requestBody?.media[0]?.schema?.schema);
  const isOther = (pointer: string): boolean =>
    pointer !== '' && !declared.has(pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~'));
  return declared.size > 0 && grade.mutations.every(({ place }) => isOther(place)) && !isDeep(subject)
    ? sayWhether(subject)
    : undefined;
}

/** A service may reject deeper nesting, whatever the names of the properties. */
const mostPlainLevels = 64;

function isDeep({ exchange }: CheckInput): boolean {
  const { body } = exchange.request;
  return (
    body !== undefined &&
    body.length > mostPlainLevels &&
    exceedsDepth(decodeUtf8(body) ?? '', mostPlainLevels)
  );
}

function readAmbiguity(subject: CheckInput, question: BehaviourId): string | undefined {
  const grade = gradeOf(subject);
  const isAbout =
    grade?.kind === 'ambiguous' && grade.questions.length === 1 && grade.questions[0] === question;
  return isAbout && hasOnlyItsBody(subject) ? sayWhether(subject) : undefined;
}

function readExtras(subject: CheckInput): string | undefined {
  const created =
    isPlainOrNone(subject.request) && hasOnlyItsBody(subject) ? readCreated(subject) : undefined;
  if (created === undefined) return undefined;
  const { isDeclared, undeclared } = created;
  return isDeclared && undeclared.length > 0 ? `also ${undeclared.toSorted().join(', ')}` : 'nothing more';
}

function readAccept(subject: CheckInput): string | undefined {
  const { request, operation } = subject;
  const isOnlyAccept =
    request.accept === 'unmet' &&
    isPlainOrNone(subject.request) &&
    isTrusted(request) &&
    request.key !== 'sent';
  return operation !== undefined && isOnlyAccept ? sayWhether(subject, 'ignored') : undefined;
}

function readOtherOperations(subject: CheckInput): string | undefined {
  const { operation, exchange, knowsPath } = subject;
  // OPTIONS belongs to CORS, and HEAD follows GET (RFC 9110 §9.3.2).
  if (operation !== undefined || ['OPTIONS', 'HEAD'].includes(exchange.request.method)) return undefined;
  return `${statusOf(subject)} for another ${knowsPath ? 'method' : 'path'}`;
}
