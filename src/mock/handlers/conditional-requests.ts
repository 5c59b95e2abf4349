import type { Operation } from '../../contract/contract.ts';
import type { Parameter } from '../../contract/read-parameters.ts';
import { keptRole } from '../../contract/resources.ts';
import { findExactResponse } from '../../contract/responses.ts';
import { acceptsValue } from '../../schema/compile.ts';
import type { Refuse } from '../answer/refusal.ts';
import { replaceFields } from '../answer/representation.ts';
import { type MockResponse, shorten } from '../message.ts';
import type { ValidRequest } from './stored-form.ts';

/** The entity tags of the items of a resource, and the preconditions of requests (RFC 9110 §8.8.3 and §13). */
export interface ConditionalRequests {
  /** Adds the ETag of the item to a response that shows it. */
  readonly tag: (answer: MockResponse, text: string) => MockResponse;
  /** Returns the 304 or the error response that a precondition leads to; undefined if the request can proceed. */
  readonly check: (request: ValidRequest, text: string | undefined) => MockResponse | undefined;
}

const none: ConditionalRequests = { tag: (answer) => answer, check: () => undefined };

const fields: readonly string[] = ['if-match', 'if-none-match'];

/** Returns whether the document declares entity tags or preconditions for an operation. */
function mentionsTags({ parameters, responses }: Operation): boolean {
  return (
    parameters.some((each) => each.in === 'header' && fields.includes(each.name.toLowerCase())) ||
    responses.some(
      ({ status, headers }) =>
        (status.kind === 'exact' && [304, 412, 428].includes(status.status)) ||
        headers.some(({ name }) => name.toLowerCase() === 'etag'),
    )
  );
}

/** Returns whether the document accepts our entity tags: a schema may require another notation. */
function takesTags({ responses }: Operation): boolean {
  return responses
    .flatMap(({ headers }) => headers.filter(({ name }) => name.toLowerCase() === 'etag'))
    .every(({ schema }) => acceptsValue(schema, tagOf('')));
}

/** Returns a strong entity tag: two texts have the same tag once in 2^64. It is fast; forging a tag has no benefit. */
function tagOf(text: string): string {
  let left = 0x9e_37_79_b9;
  let right = 0x85_eb_ca_6b;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    left = Math.imul(left ^ code, 0x01_00_01_93);
    right = Math.imul(right ^ code, 0x27_d4_eb_2f);
    right ^= right >>> 15;
  }
  left = Math.imul(left ^ (right >>> 13), 0xc2_b2_ae_35);
  right = Math.imul(right ^ (left >>> 16), 0x27_d4_eb_2f);
  const digits = (half: number): string => (half >>> 0).toString(16).padStart(8, '0');
  return `"${digits(left)}${digits(right)}"`;
}

const entityTag = /(?:W\/)?"[\u{21}\u{23}-\u{7E}\u{80}-\u{FF}]*"/gu;

/** Parses the entity tags of a field; undefined if it contains anything else (RFC 9110 §8.8.3). */
function readTags(field: string): readonly string[] | '*' | undefined {
  if (field.trim() === '*') return '*';
  const isList = /^[ \t,]*$/u.test(field.replaceAll(entityTag, ''));
  return isList ? (field.match(entityTag) ?? undefined) : undefined;
}

/** Returns whether a missing header leads to 428 (RFC 6585 §3) instead of the response to invalid parameters. */
export function asksForMatch(operation: Operation, { in: place, name }: Parameter): boolean {
  const { kind } = keptRole(operation) ?? {};
  const changes = kind === 'replace' || kind === 'update' || kind === 'delete';
  const isMatch = place === 'header' && name.toLowerCase() === 'if-match';
  return changes && isMatch && findExactResponse(operation, 428) !== undefined;
}

/**
 * Prepares the entity tags of a resource if the document declares them for any operation, and the preconditions of an
 * operation. A change that does not meet them is rejected. A read of an item that the client already has returns 304.
 *
 * @param input.siblings - all operations on the resource
 */
export function prepareConditionalRequests(input: {
  readonly operation: Operation;
  readonly siblings: readonly Operation[];
  readonly refuse: Refuse;
}): ConditionalRequests {
  const { operation, siblings, refuse } = input;
  if (!siblings.some(mentionsTags) || !siblings.every(takesTags)) return none;
  const { kind, responses } = operation;
  const requiresMatch = findExactResponse(operation, 428) !== undefined;
  const isRead = kind.kind === 'read';
  const declares304 = responses.some(
    ({ status }) =>
      (status.kind === 'exact' && status.status === 304) ||
      (status.kind === 'range' && status.hundreds === 3),
  );
  const undeclared = 'precondition-failed' as const;
  const note = { operation: operation.id, ...(declares304 ? {} : { undeclared }) };
  const mark = declares304 ? [] : ['Cloche-Undeclared', undeclared];

  function checkRead({ head }: ValidRequest, text: string | undefined): MockResponse | undefined {
    const field = head.header('if-none-match');
    if (field === undefined || text === undefined) return undefined;
    const tag = tagOf(text);
    if (!matchesWeakly(field, tag)) return undefined;
    return { status: 304, headers: ['ETag', tag, ...mark], body: undefined, note };
  }

  function checkChange({ head }: ValidRequest, text: string | undefined): MockResponse | undefined {
    const match = head.header('if-match');
    const noneMatch = head.header('if-none-match');
    const tag = text === undefined ? undefined : tagOf(text);
    const now = tag === undefined ? 'there is no item' : `the ETag of the item is ${tag}`;
    if (match !== undefined) {
      const tags = readTags(match);
      const isMet = tag !== undefined && (tags === '*' || tags?.includes(tag) === true);
      const reason =
        tags === undefined ? 'is no list of entity-tags, which stand in quotes' : 'does not match';
      const message = `If-Match: ${shorten(match)} ${reason}: ${now}.`;
      if (!isMet) return refuse({ condition: 'precondition-failed', message });
    }
    if (noneMatch !== undefined && tag !== undefined && matchesWeakly(noneMatch, tag)) {
      const message = `If-None-Match: ${shorten(noneMatch)} matches: ${now}.`;
      return refuse({ condition: 'precondition-failed', message });
    }
    if (requiresMatch && match === undefined && tag !== undefined) {
      const message = 'The request must say what it changes: send the ETag of the item in If-Match.';
      return refuse({ condition: 'precondition-required', message });
    }
    return undefined;
  }

  return {
    tag: (answer, text) =>
      answer.status < 300
        ? { ...answer, headers: replaceFields(answer.headers, ['ETag', tagOf(text)]) }
        : answer,
    check: isRead ? checkRead : checkChange,
  };
}

/** Returns whether If-None-Match contains a tag. W/ makes no difference (RFC 9110 §13.1.2). */
function matchesWeakly(field: string, tag: string): boolean {
  const tags = readTags(field);
  return tags === '*' || tags?.some((each) => each.replace(/^W\//u, '') === tag) === true;
}
