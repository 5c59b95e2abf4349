import { findInvalidHeader } from '../../contract/check-headers.ts';
import type { DeclaredResponse, MediaTypeContract, Operation } from '../../contract/contract.ts';
import { findDeclaredResponse, statusName } from '../../contract/responses.ts';
import { findParser } from '../../http/codecs/registry.ts';
import { essenceOf, findMedia, parseMediaType } from '../../http/media-type.ts';
import { type HeaderList, headerValue, toHeaderList } from '../../http/message.ts';
import { appendPointer } from '../../json/pointer.ts';
import { holdsExactNumber } from '../../json/value.ts';
import type { ValidationMode } from '../../schema/compile.ts';
import type { RequestProblem } from '../message.ts';
import { toBodyProblem } from '../request/body.ts';
import type { ReadResponse } from './read-response.ts';

const inDocument = (reason: string, pointer: string, text: string): RequestProblem => ({
  reason,
  clause: { in: 'document', pointer, text },
});

/** Lists the differences of a response from the document: its status, media type, content and header fields. */
export function findProblems(
  read: ReadResponse,
  operation: Operation,
  { reading, method }: { readonly reading: ValidationMode; readonly method: string },
): readonly RequestProblem[] {
  const { status } = read;
  const declared = findDeclaredResponse(operation.responses, status);
  if (declared === undefined) {
    const names = operation.responses.map((response) => statusName(response.status)).join(', ');
    const pointer = appendPointer(operation.pointer, 'responses');
    return [inDocument(`the status ${status} is not declared`, pointer, `responses: [${names}]`)];
  }
  const headers = toHeaderList(read.headers);
  const ofContent = method === 'HEAD' ? [] : findContentProblems(read, declared, { headers, reading });
  return [...findHeaderProblems(headers, declared), ...ofContent];
}

function findHeaderProblems(headers: HeaderList, declared: DeclaredResponse): readonly RequestProblem[] {
  return declared.headers.flatMap((header) => {
    const { name, required, pointer, schema } = header;
    if (headerValue(headers, name) === undefined) {
      return required ? [inDocument(`the header ${name} is missing`, pointer, 'required: true')] : [];
    }
    const invalid = findInvalidHeader(header, headers);
    if (invalid === undefined) return [];
    const { keyword, schemaPointer } = invalid.problem;
    return [inDocument(invalid.reason, schema?.placeOf(schemaPointer) ?? pointer, keyword)];
  });
}

function findContentProblems(
  { body, value }: ReadResponse,
  declared: DeclaredResponse,
  { headers, reading }: { readonly headers: HeaderList; readonly reading: ValidationMode },
): readonly RequestProblem[] {
  const ranges = declared.media.map(({ range }) => range).join(', ');
  const fail = (reason: string): readonly RequestProblem[] => [
    inDocument(reason, appendPointer(declared.pointer, 'content'), `content: [${ranges}]`),
  ];
  if (body === undefined) return [];
  if (declared.media.length === 0) return body.length === 0 ? [] : fail('the document declares no content');
  if (body.length === 0) return fail('the content is missing');
  const type = headerValue(headers, 'content-type') ?? '';
  const media = findMedia(declared.media, parseMediaType(type));
  if (media === undefined) return fail(`the media type ${type} is not declared`);
  if (media.schema === undefined) return [];
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const parsed = value === undefined ? parseContent(bytes, media, type) : ({ kind: 'value', value } as const);
  if (parsed === undefined) return [];
  if (parsed.kind === 'malformed') return fail(`the content is not valid: ${parsed.reason}`);
  if (parsed.kind === 'wrong-type')
    return fail(`a part of the content is ${parsed.sent}, not ${parsed.wanted}`);
  const found = media.schema.validator(reading)(parsed.value, holdsExactNumber(parsed.value));
  const judge = { schema: media.schema, source: 'document' } as const;
  return found.length === 0 ? [] : toBodyProblem(found, parsed.value, judge).problems();
}

function parseContent(bytes: Uint8Array, media: MediaTypeContract, type: string) {
  return findParser(media, essenceOf(type))?.parse?.(bytes, media, type);
}
