import { decodeUtf8 } from '../http/bytes.ts';
import { exceedsDepth } from '../json/parse.ts';
import { isJsonObject } from '../json/value.ts';
import type { QuestionId } from '../policy/question.ts';
import { questions } from '../policy/questions/index.ts';
import { schemaProperties } from '../schema/properties.ts';
import { describeReceived, nameOperation } from './describe.ts';
import type { Finding } from './finding.ts';
import { classifyStatus, readCreated } from './reading/answer.ts';
import type { Subject } from './reading/subject.ts';

/** How an exchange answers a question, in words; undefined where it does not touch it. */
type ReadAnswer = (subject: Subject) => string | undefined;

/** Bodies that are nested deeper may be refused for that, whatever their properties are called. */
const mostPlainLevels = 64;
/** Bodies from this many bytes on tell of a limit. */
const smallestLargeBody = 65_536;

function statusOf({ answer }: Subject): number {
  return answer.kind === 'none' ? 0 : answer.response.status;
}

function sayWhether(subject: Subject): string {
  const status = statusOf(subject);
  return classifyStatus(subject.answer) === 'accepted' ? `taken (${status})` : `refused (${status})`;
}

/** Whether nothing but its body could be held against a request. */
function hasOnlyItsBody({ request }: Subject): boolean {
  const { credentials, accept, invalidParameters, key } = request;
  const isTrusted = credentials === 'good' || credentials === 'not-required';
  return isTrusted && accept === 'met' && invalidParameters.length === 0 && key !== 'sent';
}

function gradeOf({ request }: Subject) {
  return request.body.kind === 'valid' ? request.body.grade : undefined;
}

function isPlain(subject: Subject): boolean {
  return subject.request.body.kind === 'not-expected' || gradeOf(subject)?.kind === 'plain';
}

function readCredentials(wanted: readonly string[]): ReadAnswer {
  return (subject) =>
    wanted.includes(subject.request.credentials) && classifyStatus(subject.answer) !== 'accepted'
      ? describeReceived(subject.answer)
      : undefined;
}

function readContest(question: QuestionId): ReadAnswer {
  return (subject) => {
    const grade = gradeOf(subject);
    const isAbout =
      grade?.kind === 'contested' && grade.questions.length === 1 && grade.questions[0] === question;
    return isAbout && hasOnlyItsBody(subject) ? sayWhether(subject) : undefined;
  };
}

const readMediaType: ReadAnswer = (subject) => {
  const { body } = subject.request;
  if (body.kind !== 'other-media' || !hasOnlyItsBody(subject)) return undefined;
  if (classifyStatus(subject.answer) !== 'accepted') return `refused (${statusOf(subject)})`;
  return body.carries ? `read anyway (${statusOf(subject)})` : undefined;
};

const readBodyLimit: ReadAnswer = (subject) => {
  const { body, bodyBytes, framing } = subject.request;
  if (body.kind !== 'valid' || !hasOnlyItsBody(subject)) return undefined;
  if (framing === 'chunked' && statusOf(subject) === 411) return 'chunked bodies refused (411)';
  // Rounded down, so that bodies of about one size are one answer.
  const kibibytes = 2 ** Math.floor(Math.log2(Math.max(bodyBytes, 1) / 1_024));
  return bodyBytes < smallestLargeBody ? undefined : `${kibibytes} KiB and more ${sayWhether(subject)}`;
};

const readUndeclaredProperties: ReadAnswer = (subject) => {
  const { operation, request } = subject;
  const grade = gradeOf(subject);
  if (grade?.kind !== 'extreme' || request.body.kind !== 'valid' || !hasOnlyItsBody(subject)) {
    return undefined;
  }
  const declared = schemaProperties(operation?.requestBody?.media[0]?.schema?.schema);
  const isOther = (pointer: string): boolean =>
    pointer !== '' && !declared.has(pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~'));
  return declared.size > 0 && grade.oddities.every(({ place }) => isOther(place)) && !isDeep(subject)
    ? sayWhether(subject)
    : undefined;
};

function isDeep({ exchange }: Subject): boolean {
  const { body } = exchange.request;
  return (
    body !== undefined &&
    body.length > mostPlainLevels &&
    exceedsDepth(decodeUtf8(body) ?? '', mostPlainLevels)
  );
}

const readExtras: ReadAnswer = (subject) => {
  const created = isPlain(subject) && hasOnlyItsBody(subject) ? readCreated(subject) : undefined;
  if (created === undefined) return undefined;
  const { isDeclared, undeclared } = created;
  return isDeclared && undeclared.length > 0 ? `also ${undeclared.toSorted().join(', ')}` : 'nothing more';
};

const readAccept: ReadAnswer = (subject) => {
  const { accept, credentials, key } = subject.request;
  const isTrusted = credentials === 'good' || credentials === 'not-required';
  if (
    subject.operation === undefined ||
    accept !== 'unmet' ||
    !isPlain(subject) ||
    !isTrusted ||
    key === 'sent'
  ) {
    return undefined;
  }
  return classifyStatus(subject.answer) === 'accepted'
    ? `ignored (${statusOf(subject)})`
    : `refused (${statusOf(subject)})`;
};

const readOtherOperations: ReadAnswer = (subject) => {
  const { operation, exchange, knowsPath } = subject;
  // OPTIONS is CORS's matter.
  if (operation !== undefined || exchange.request.method === 'OPTIONS') return undefined;
  return `${statusOf(subject)} for another ${knowsPath ? 'method' : 'path'}`;
};

/** The one integer in a refusal is its code. */
const readErrorCode: ReadAnswer = ({ answer }) => {
  if (answer.kind === 'none' || answer.response.status < 400 || answer.content.kind !== 'json') {
    return undefined;
  }
  const { value } = answer.content.json;
  const numbers = isJsonObject(value)
    ? Object.values(value).filter((member) => typeof member === 'number')
    : [];
  if (numbers.length !== 1) return undefined;
  return numbers[0] === answer.response.status ? 'the HTTP status' : 'another number';
};

const readers: readonly (readonly [QuestionId, ReadAnswer])[] = [
  ['missing-credentials', readCredentials(['missing', 'other'])],
  ['invalid-credentials', readCredentials(['unknown-token'])],
  ['error-codes', readErrorCode],
  ['unsupported-media-type', readMediaType],
  ['body-limit', readBodyLimit],
  ['undeclared-properties', readUndeclaredProperties],
  ['int64-range', readContest('int64-range')],
  ['integer-notation', readContest('integer-notation')],
  ['duplicate-keys-in-json', readContest('duplicate-keys-in-json')],
  ['response-extras', readExtras],
  ['accept', readAccept],
  ['other-operations', readOtherOperations],
];

/**
 * Reads from an exchange how the service answers the questions that the document leaves open: observations,
 * which say nothing for or against it.
 *
 * @example `refused (415)` for `unsupported-media-type`
 */
export function observeAnswers(subject: Subject): readonly Finding[] {
  const { answer } = subject;
  if (answer.kind === 'none' || answer.response.status >= 500) return [];
  const findings: Finding[] = [];
  for (const [question, readAnswer] of readers) {
    const seen = readAnswer(subject);
    if (seen !== undefined) {
      findings.push({
        check: 'left-open',
        level: 'observation',
        operation: nameOperation(subject),
        clause: { kind: 'policy', question, quote: questions[question].question },
        expected: 'any of the answers that the question allows',
        received: seen,
        cause: `${question} ${seen}`,
      });
    }
  }
  return findings;
}
