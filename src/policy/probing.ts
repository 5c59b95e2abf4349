import type { Operation } from '../contract/contract.ts';
import { findLimitMaximum, findListMember } from '../contract/list-parameters.ts';
import { listItems, type ListPage, nextPage } from '../contract/list-pages.ts';
import { findIfMatch } from '../contract/request-facts.ts';
import { keptRole } from '../contract/resources.ts';
import { findExactResponse } from '../contract/responses.ts';
import { isClientError } from '../http/status.ts';
import { parseJsonValue } from '../json/parse.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import type {
  Addition,
  ProbeSession,
  ProbeExchange,
  ProbeMember,
  ProbePiece,
  ProbeRequest,
  DocumentAnswer,
} from './question.ts';

/** What a document says to a question that a status answers as soon as it is declared; `open`: what would settle it. */
export function readStatus<Answer>(
  operation: Operation,
  by: { readonly status: number; readonly answer: Answer; readonly open: string },
): DocumentAnswer<Answer> {
  const declared = findExactResponse(operation, by.status);
  return declared === undefined
    ? { kind: 'open', settledBy: by.open }
    : { kind: 'answered', pointer: declared.pointer, says: `It declares ${by.status}`, answer: by.answer };
}

/** A refusal with an error body that a document can be made to declare. */
export function refusalOf(status: number, description: string): Extract<Addition, { kind: 'response' }> {
  return { kind: 'response', status, description, body: 'error' };
}

/** Writes a JSON object, each member once for each time that it is given. */
export function writeBody(members: readonly ProbeMember[]): readonly ProbePiece[] {
  const pieces = members.flatMap(({ name, value }, index): readonly ProbePiece[] => [
    `${index === 0 ? '' : ','}${JSON.stringify(name)}:`,
    ...value,
  ]);
  return ['{', ...pieces, '}'];
}

/** The members of a sample that hold texts, without its keys. */
export function readTexts(members: readonly ProbeMember[]): ReadonlyMap<string, string> {
  const literal = members.filter(({ value }) => value.every((piece) => typeof piece === 'string'));
  const value = parseJsonValue(writeBody(literal).map(String).join(''));
  const object: JsonObject = isJsonObject(value) ? value : {};
  return new Map(
    Object.entries(object).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

/** The names of the properties that hold a text of the client's choice: they differ from sample to sample. */
export function freeTexts(probeSession: ProbeSession): readonly string[] {
  const earlier = readTexts(probeSession.sample() ?? []);
  const later = readTexts(probeSession.sample() ?? []);
  return [...later].flatMap(([name, text]) => (earlier.get(name) === text ? [] : [name]));
}

/** Whether a request was refused for what is wrong with it (RFC 9110 §15.5), and not put off. */
export function isRefused({ status }: ProbeExchange): boolean {
  return isClientError(status) && status !== 429;
}

/** An operation gives no occasion to ask, be it a document or a service; `why` is a sentence without its full stop. */
export function notAsked(why: string): { readonly kind: 'not-asked'; readonly why: string } {
  return { kind: 'not-asked', why };
}

/** A trial settles nothing; `why` is a sentence without its full stop. */
export function unsettled(why: string): { readonly kind: 'unsettled'; readonly why: string } {
  return { kind: 'unsettled', why };
}

/** A trial whose plain request was not taken. */
export function plainRefused({ status }: ProbeExchange): ReturnType<typeof unsettled> {
  return unsettled(`a plain request was answered ${status}`);
}

/** Whether an answer holds a text of a sample under the name that it was sent under. */
export function showsTexts({ received }: ProbeExchange, members: readonly ProbeMember[]): boolean {
  return (
    isJsonObject(received) &&
    [...readTexts(members)].some(([name, text]) => Object.hasOwn(received, name) && received[name] === text)
  );
}

/** Where one key in four is another's, four of them are in one case of 256. */
const mostTries = 4;

/**
 * Creates until an answer shows what was sent, with a key of its own each time: a live store may hold the key already, and
 * answer with what it has under it. What comes back is the last exchange, whether it shows it or not.
 *
 * @param makeBody - the members to send, with the key in the slot given
 */
export async function sendUntilShown(
  probeSession: ProbeSession,
  makeBody: (slot: number) => readonly ProbeMember[],
): Promise<{
  readonly exchange: ProbeExchange;
  readonly members: readonly ProbeMember[];
  readonly slot: number;
}> {
  const tries = probeSession.settled('echo') === 'none' ? 1 : mostTries;
  for (let slot = 0; ; slot += 1) {
    const members = makeBody(slot);
    const exchange = await probeSession.send({ body: writeBody(members) });
    const isShown = readTexts(members).size === 0 || showsTexts(exchange, members);
    if (!exchange.isAccepted || isShown || slot + 1 >= tries) return { exchange, members, slot };
  }
}

/** The text of a JSON body that breaks the schema; undefined where none of these does. */
export function invalidBody({ isValid }: ProbeSession): string | undefined {
  return ['{}', '[]', 'null'].find((text) => !isValid([text]));
}

/** Those that change nothing, the most usual first (RFC 9110 §9.2.1). */
/** HEAD goes with GET and OPTIONS with all of them (RFC 9110 §9.3); PROPFIND is safe too (RFC 4918 §9.1). */
const safeMethods = ['GET', 'PROPFIND'];

/** A request with a safe method that the path of an operation does not have; undefined where it has them all. */
export function unknownMethod({ contract, operation }: ProbeSession): ProbeRequest | undefined {
  const ofPath = contract.operations.filter(({ path }) => path.template === operation.path.template);
  const method = safeMethods.find((each) => ofPath.every((other) => other.method !== each));
  return method === undefined ? undefined : { method, body: undefined };
}

/** A request to a path that the document does not have. */
export const unknownPath: ProbeRequest = { method: 'GET', target: '/cloche-no-such-path', body: undefined };

/** The members of an object with the value of one changed; one that is not there is added at the end. */
export function withMember(
  members: readonly ProbeMember[],
  name: string,
  value: readonly ProbePiece[],
): readonly ProbeMember[] {
  return members.some((member) => member.name === name)
    ? members.map((member) => (member.name === name ? { name, value } : member))
    : [...members, { name, value }];
}

/** What would settle a question that nothing in OpenAPI speaks of. */
export const noWords = 'OpenAPI has no words for it; x-cloche-policy would have to say it';

/** What a document says to a question that OpenAPI has no words for. */
export const unspecified: Extract<DocumentAnswer<never>, { kind: 'open' }> = {
  kind: 'open',
  settledBy: noWords,
};

/** A trial that found neither a success nor a refusal that says anything. */
export function oddAnswer(what: string, { status }: ProbeExchange): ReturnType<typeof unsettled> {
  return unsettled(`${what} is answered ${status}, which is none of the answers`);
}

/** So many pages of a list are looked through. */
const mostPages = 20;
/** So many items are asked for at once where the document allows as many. */
const largestPage = 100;

/** The items that a list shows in all, page after page. */
export async function walkList(
  { operation, items }: Pick<ProbeSession, 'operation' | 'items'>,
  collection: string,
): Promise<ReturnType<typeof listItems>> {
  const role = keptRole(operation);
  if (role === undefined) return [];
  const limit = findListMember(operation, 'limit')?.name;
  const size = Math.min(findLimitMaximum(operation)?.maximum ?? largestPage, largestPage);
  const pages: ListPage[] = [];
  let target: string | undefined =
    limit === undefined ? collection : `${collection}?${encodeURIComponent(limit)}=${size}`;
  while (target !== undefined && pages.length < mostPages) {
    const query = target.split('?')[1]?.split('&') ?? [];
    const exchange = await items.send(operation, { resource: role.resource, collection }, { query });
    pages.push({ target, status: exchange.status, headers: exchange.headers, body: exchange.received });
    const next = nextPage(operation, pages);
    target = next.kind === 'next' ? next.target : undefined;
  }
  return pages.flatMap(({ status, body }) => (status === 200 ? listItems(operation, body) : []));
}

/** What a document says that has changes to name what they change: there must be something. */
export function readIfMatch<Answer>(
  operation: Operation,
  answer: Answer,
): DocumentAnswer<Answer> | undefined {
  const match = findIfMatch(operation);
  if (match?.required !== true) return undefined;
  const says = 'It requires If-Match, which nothing meets that is not there';
  return { kind: 'answered', pointer: match.pointer, says, answer };
}
