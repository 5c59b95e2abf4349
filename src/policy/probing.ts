import type { Operation } from '../contract/contract.ts';
import { findLimitMaximum, findListMember } from '../contract/list-parameters.ts';
import { idText, listItems, type ListPage, nextPage } from '../contract/list-pages.ts';
import { findIfMatch } from '../contract/request-facts.ts';
import { keptRole } from '../contract/resources.ts';
import { findExactResponse } from '../contract/responses.ts';
import { isClientError } from '../http/status.ts';
import { parseJsonValue } from '../json/parse.ts';
import { memberAt } from '../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../json/value.ts';
import {
  type Addition,
  type ProbeSession,
  type ProbeExchange,
  type ProbeMember,
  type ProbePiece,
  type ProbeRequest,
  type DocumentValue,
  Unanswered,
} from './behaviour.ts';

/** Returns the value of a behaviour that a declared status specifies; `by.open` is the change that would specify it. */
export function readStatus<Answer>(
  operation: Operation,
  by: { readonly status: number; readonly answer: Answer; readonly open: string },
): DocumentValue<Answer> {
  const declared = findExactResponse(operation, by.status);
  return declared === undefined
    ? { kind: 'open', settledBy: by.open }
    : { kind: 'answered', pointer: declared.pointer, says: `It declares ${by.status}`, answer: by.answer };
}

/** Returns a rejection with an error body, as a response that a document can declare. */
export function refusalOf(status: number, description: string): Extract<Addition, { kind: 'response' }> {
  return { kind: 'response', status, description, body: 'error' };
}

/** Writes a JSON object. A member that is given twice is written twice. */
export function writeBody(members: readonly ProbeMember[]): readonly ProbePiece[] {
  const pieces = members.flatMap(({ name, value }, index): readonly ProbePiece[] => [
    `${index === 0 ? '' : ','}${JSON.stringify(name)}:`,
    ...value,
  ]);
  return ['{', ...pieces, '}'];
}

/** Returns the members of a sample that contain texts, without its ids. */
export function readTexts(members: readonly ProbeMember[]): ReadonlyMap<string, string> {
  const literal = members.filter(({ value }) => value.every((piece) => typeof piece === 'string'));
  const value = parseJsonValue(writeBody(literal).map(String).join(''));
  const object: JsonObject = isJsonObject(value) ? value : {};
  return new Map(
    Object.entries(object).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  );
}

/** Returns the names of properties with texts that the client chooses. These texts differ between samples. */
export function freeTexts(probeSession: ProbeSession): readonly string[] {
  const earlier = readTexts(probeSession.sample() ?? []);
  const later = readTexts(probeSession.sample() ?? []);
  return [...later].flatMap(([name, text]) => (earlier.get(name) === text ? [] : [name]));
}

/** Returns whether a request was rejected as wrong (RFC 9110 §15.5), not postponed. */
export function isRefused({ status }: ProbeExchange): boolean {
  return isClientError(status) && status !== 429;
}

/** Reports that a behaviour does not apply to an operation; `why` is a sentence without its full stop. */
export function notAsked(why: string): { readonly kind: 'not-asked'; readonly why: string } {
  return { kind: 'not-asked', why };
}

/** Reports a trial without a result; `why` is a sentence without its full stop. */
export function unsettled(why: string): { readonly kind: 'unsettled'; readonly why: string } {
  return { kind: 'unsettled', why };
}

/** Reports a trial whose plain request was not accepted. */
export function plainRefused({ status }: ProbeExchange): ReturnType<typeof unsettled> {
  return unsettled(`a plain request was answered ${status}`);
}

/** Returns whether a response contains a text of a sample under the same name. */
export function showsTexts({ received }: ProbeExchange, members: readonly ProbeMember[]): boolean {
  return (
    isJsonObject(received) &&
    [...readTexts(members)].some(([name, text]) => Object.hasOwn(received, name) && received[name] === text)
  );
}

/** If one id in four already exists, four ids all exist in one case of 256. */
const mostTries = 4;

/**
 * Creates items with new ids until a response shows what was sent. A live store may already have the id, and answer
 * with the item stored under it. Returns the last exchange, whether it shows the data or not.
 *
 * @param makeBody - returns the members to send, with the id in the given slot
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

/** Returns the text of a JSON body that breaks the schema; undefined if none of these does. */
export function invalidBody({ isValid }: ProbeSession): string | undefined {
  return ['{}', '[]', 'null'].find((text) => !isValid([text]));
}

/** Methods that change nothing, the most usual first (RFC 9110 §9.2.1). */
/** HEAD comes with GET, and OPTIONS with all of them (RFC 9110 §9.3). PROPFIND is safe too (RFC 4918 §9.1). */
const safeMethods = ['GET', 'PROPFIND'];

/** Returns a request with a safe method that the path does not declare; undefined if it declares all of them. */
export function unknownMethod({ contract, operation }: ProbeSession): ProbeRequest | undefined {
  const ofPath = contract.operations.filter(({ path }) => path.template === operation.path.template);
  const method = safeMethods.find((each) => ofPath.every((other) => other.method !== each));
  return method === undefined ? undefined : { method, body: undefined };
}

/** A request to a path that the document does not declare. */
export const unknownPath: ProbeRequest = { method: 'GET', target: '/cloche-no-such-path', body: undefined };

/** Returns the members of an object with one value replaced. A missing member is added at the end. */
export function withMember(
  members: readonly ProbeMember[],
  name: string,
  value: readonly ProbePiece[],
): readonly ProbeMember[] {
  return members.some((member) => member.name === name)
    ? members.map((member) => (member.name === name ? { name, value } : member))
    : [...members, { name, value }];
}

/** The remedy for a behaviour that OpenAPI cannot express. */
export const noWords = 'OpenAPI has no words for it; x-cloche-policy would have to say it';

/** The specification of a behaviour that OpenAPI cannot express. */
export const unspecified: Extract<DocumentValue<never>, { kind: 'open' }> = {
  kind: 'open',
  settledBy: noWords,
};

/** Reports a trial that found neither a success nor a meaningful rejection. */
export function unexpectedAnswer(what: string, { status }: ProbeExchange): ReturnType<typeof unsettled> {
  return unsettled(`${what} is answered ${status}, which is none of the answers`);
}

/** The maximum number of pages to read of a list. */
const mostPages = 20;
/** The number of items to request in a page if the document allows it. */
const largestPage = 100;

/** Returns the items of a list from all its pages. */
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

/** Returns the value for a document whose changes require If-Match, which no missing item can satisfy. */
export function readIfMatch<Answer>(operation: Operation, answer: Answer): DocumentValue<Answer> | undefined {
  const match = findIfMatch(operation);
  if (match?.required !== true) return undefined;
  const says = 'It requires If-Match, which nothing meets that is not there';
  return { kind: 'answered', pointer: match.pointer, says, answer };
}

/** Returns a function that returns the properties of created items, which JSON:API keeps in a member of them. */
async function createPropertyReader(maker: Operation | undefined): Promise<(body: JsonObject) => JsonObject> {
  // A mock loads this module and probes nothing.
  const { requestPath } = await import('../contract/item-properties.ts');
  const depth = maker !== undefined && 'request' in maker.kind ? maker.kind.request.length : 0;
  const path = maker === undefined ? [] : requestPath(maker).slice(depth);
  return (body) => {
    const held = memberAt(body, path);
    return isJsonObject(held) ? held : body;
  };
}

/** The minimum length of a text of which even a part occurs in no other item. */
const tellingLength = 5;

/**
 * Creates an item, and the function that returns whether a list finds it by a query.
 *
 * @returns undefined if the operation lists nothing; `texts` has each text of the item that no other item has
 * @throws Unanswered if no item can be created
 */
export async function createListFinder({
  operation,
  items,
}: Pick<ProbeSession, 'operation' | 'items'>): Promise<
  | {
      readonly texts: readonly (readonly [name: string, text: string])[];
      /** @throws Unanswered if the list refuses the query, or shows the first of several pages without the item */
      readonly finds: (parameter: string, text: string) => Promise<boolean>;
    }
  | undefined
> {
  const role = keptRole(operation);
  if (role === undefined) return undefined;
  const { body: other, collection } = await items.make(role.resource);
  const { body, id } = await items.make(role.resource, collection);
  const limit = findListMember(operation, 'limit')?.name;
  const size = Math.min(findLimitMaximum(operation)?.maximum ?? largestPage, largestPage);
  const readProperties = await createPropertyReader(items.operation(role.resource, 'create'));
  const all = Object.entries(readProperties(body));
  const others = readProperties(other);
  return {
    texts: all.flatMap(([name, text]) => {
      if (typeof text !== 'string' || text.length < tellingLength || text === others[name]) return [];
      const isAlone = all.every(([each, value]) => each === name || !JSON.stringify(value).includes(text));
      return isAlone ? [[name, text] as const] : [];
    }),
    async finds(parameter, text) {
      const query = [
        `${encodeURIComponent(parameter)}=${encodeURIComponent(text)}`,
        ...(limit === undefined ? [] : [`${encodeURIComponent(limit)}=${size}`]),
      ];
      const exchange = await items.send(operation, { resource: role.resource, collection }, { query });
      if (!exchange.isAccepted) throw new Unanswered(`a query is answered ${exchange.status}`);
      const isFound = listItems(operation, exchange.received).some((each) => idText(each.id) === idText(id));
      const target = `${collection}?${query.join('&')}`;
      const { status, headers, received } = exchange;
      const next = nextPage(operation, [{ target, status, headers, body: received }]);
      if (isFound || next.kind !== 'next') return isFound;
      throw new Unanswered('a query finds more items than one page shows');
    },
  };
}
