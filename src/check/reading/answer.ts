import type { DeclaredResponse, Operation } from '../../contract/contract.ts';
import { findDeclaredResponse } from '../../contract/responses.ts';
import { decodeUtf8 } from '../../http/bytes.ts';
import { isJsonMediaType, matchesMediaRange, parseMediaType } from '../../http/media-type.ts';
import { type Answer, headerValue, type HttpResponse } from '../../http/message.ts';
import { parseJson } from '../../json/parse.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { schemaProperties } from '../../schema/properties.ts';
import type { AnswerReading, ContentReading, Subject } from './subject.ts';

/** Whether an operation declares a status by itself, not only by a range or `default`. */
export function declaresExactly(operation: Operation | undefined, status: number): boolean {
  return (
    operation?.responses.some(
      ({ status: pattern }) => pattern.kind === 'exact' && pattern.status === status,
    ) ?? false
  );
}

function readContent(response: HttpResponse, declared: DeclaredResponse | undefined): ContentReading {
  if (response.body.length === 0) return { kind: 'none' };
  const contentType = headerValue(response.headers, 'content-type');
  const mediaType = contentType === undefined ? undefined : parseMediaType(contentType);
  // What has no media type may be taken for bytes of any kind (RFC 9110 §8.3).
  const essence = mediaType?.essence ?? 'application/octet-stream';
  const media = declared?.media.find(({ range }) => matchesMediaRange(essence, range));
  if (mediaType === undefined || !isJsonMediaType(mediaType.essence)) {
    return { kind: 'other', mediaType: contentType, media };
  }
  if (response.cutAfter !== undefined) return { kind: 'cut', media };
  if (response.undecoded !== undefined) return { kind: 'undecoded', fault: response.undecoded, media };
  const text = decodeUtf8(response.body);
  if (text === undefined) return { kind: 'not-utf8', media };
  const json = parseJson(text, { findDuplicateKeys: true, maxDepth: 10_000 });
  return json.kind === 'json' ? { kind: 'json', json, media } : { kind: 'not-json', problem: json, media };
}

/** Reads an answer as its operation declares it; without an operation nothing is declared. */
export function readAnswer(answer: Answer, operation: Operation | undefined): AnswerReading {
  if (answer.kind !== 'response') return { kind: 'none', answer };
  const { response } = answer;
  const declared = operation && findDeclaredResponse(operation.responses, response.status);
  return { kind: 'response', response, declared, content: readContent(response, declared) };
}

/**
 * What an answer says to a request: taken (any 2xx), refused (a 4xx that the document declares), or
 * something else.
 */
type StatusClass = 'accepted' | 'refused' | 'other';

/** Reads the status of an answer as taken, refused or something else. */
export function classifyStatus(answer: AnswerReading): StatusClass {
  if (answer.kind === 'none') return 'other';
  const { status } = answer.response;
  if (status >= 200 && status < 300) return 'accepted';
  return status >= 400 && status < 500 && answer.declared !== undefined ? 'refused' : 'other';
}

/** Statuses that speak of something else than what is wrong with a request's content (RFC 9110 §15.5, RFC 6585 §4). */
const ofOthers: ReadonlySet<number> = new Set([
  401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 417, 429,
]);

/** Whether an operation declares some 4xx that fits a request whose content is wrong, by range or `default` too. */
export function declaresRefusal(operation: Operation): boolean {
  return operation.responses.some(
    ({ status }) =>
      status.kind === 'default' ||
      (status.kind === 'range' && status.hundreds === 4) ||
      (status.kind === 'exact' &&
        status.status >= 400 &&
        status.status < 500 &&
        !ofOthers.has(status.status)),
  );
}

/** The members of what a create was answered with. */
interface Created {
  /** Whether the document declares properties of it at all. */
  readonly isDeclared: boolean;
  /** Those that the document does not declare for it, in the order in which they came. */
  readonly undeclared: readonly string[];
}

/**
 * Reads the JSON object that an accepted create was answered with.
 *
 * @returns undefined where it is no create, was not accepted, or was answered with something else
 */
export function readCreated({
  answer,
  operation,
}: Pick<Subject, 'answer' | 'operation'>): Created | undefined {
  if (
    operation?.kind.kind !== 'create' ||
    classifyStatus(answer) !== 'accepted' ||
    answer.kind === 'none' ||
    answer.content.kind !== 'json' ||
    !isJsonObject(answer.content.json.value)
  ) {
    return undefined;
  }
  const declared = schemaProperties(answer.content.media?.schema?.schema);
  return {
    isDeclared: declared.size > 0,
    undeclared: Object.keys(answer.content.json.value).filter((name) => !declared.has(name)),
  };
}

/** What a create sent and what it was answered with, where the two can be compared. */
export interface Echo {
  readonly sent: JsonObject;
  readonly received: JsonObject;
  /** The properties that were sent and that the answer is to give back. */
  readonly names: readonly string[];
  /** Properties of the answer that were not sent, the ones that only a service sets left out. */
  readonly added: readonly string[];
}

/**
 * Reads what a create should answer with. An answer to a key that may exist already may show what was there.
 *
 * @returns undefined where the answer shows nothing of what was sent
 */
export function readEcho({ answer, request, operation }: Subject): Echo | undefined {
  const isCreate = operation?.kind.kind === 'create' && classifyStatus(answer) === 'accepted';
  const trusted =
    request.credentials === 'good' ||
    request.credentials === 'good-unusual' ||
    request.credentials === 'not-required';
  if (!isCreate || !trusted || answer.kind === 'none' || answer.content.kind !== 'json') return undefined;
  const mayExist = request.key === 'sent' || request.key === 'chosen';
  const { body } = request;
  if (mayExist || body.kind !== 'valid' || body.grade.kind === 'contested' || !isJsonObject(body.value)) {
    return undefined;
  }
  const schema = answer.content.media?.schema?.schema;
  const received = answer.content.json.value;
  if (schema === undefined || !isJsonObject(received)) return undefined;
  const declared = schemaProperties(schema);
  const sent = body.value;
  const names = [...declared].flatMap(([name, { readOnly, writeOnly }]) =>
    readOnly || writeOnly || !Object.hasOwn(sent, name) ? [] : [name],
  );
  const added = [...declared].flatMap(([name, { readOnly }]) =>
    readOnly || Object.hasOwn(sent, name) || !Object.hasOwn(received, name) ? [] : [name],
  );
  return { sent, received, names, added };
}

/** Random letters, too many of them to be anybody's default. */
const form = /^(?=.*[a-z])(?=.*[A-Z])[A-Za-z]{6,20}$/u;

/** Whether a text gives away where it comes from, were it to turn up in another answer. */
export function isTelltale(text: string): boolean {
  return form.test(text);
}

/** The texts at the top of a body that give away where they come from. */
export function telltaleTexts(value: JsonValue): readonly string[] {
  return isJsonObject(value)
    ? Object.values(value).filter(
        (member): member is string => typeof member === 'string' && isTelltale(member),
      )
    : [];
}

/** The status of an answer, 0 where none came. */
export function statusOf({ answer }: Subject): number {
  return answer.kind === 'none' ? 0 : answer.response.status;
}
