import { headerValue, isSafeMethod } from '../src/http/message.ts';
import type { RequestCase } from '../src/arbitrary/request-case.ts';
import { buildRequest } from '../src/arbitrary/request.ts';
import { isAccepted, jsonContent } from '../src/check/classify/answer.ts';
import type { CheckedExchange } from '../src/check/classify/subject.ts';
import { pageAfter } from '../src/check/stateful/pagination.ts';
import { readStep } from '../src/check/stateful/trace-steps.ts';
import type { JsonObject } from '../src/json/value.ts';
import { findShownKey } from '../src/contract/created-key.ts';
import { changeQuery, idText } from '../src/contract/list-pages.ts';
import type { Contract } from '../src/contract/contract.ts';
import { createPathFinder } from '../src/contract/router.ts';
import type { Session, IdContext } from '../src/session/session.ts';
import { withoutMembers } from './life-cycle-bodies.ts';
import { asShort, shorten } from './shorten.ts';

/** One request of a stateful scenario. */
interface LifeStep {
  readonly request: RequestCase;
  /** The number of the item. Steps with the same number use the item that the create among them creates. */
  readonly item: number;
  /** The number of the item whose id differs from that of this one only in its spelling. */
  readonly collidesWith?: number;
  /** The number of the parent item, if it matters. */
  readonly under?: number;
  /** Consecutive steps with the same number are sent concurrently. Two of them may replace the same item. */
  readonly together?: number;
  /** Whether a list is read page after page, to its end. */
  readonly walks?: true;
  /** Makes the request from its item as it was shown last; the step is left out if it makes none. */
  readonly asks?: (shown: JsonObject) => RequestCase | undefined;
  /** Whether it requires the entity tag with which the item was first shown (RFC 9110 §13.1.1). */
  readonly underFirstTag?: true;
  /** Whether it requires the entity tag with which the item was last shown. */
  readonly underLastTag?: true;
  /**
   * Whether it is repeated until the id of one created item begins with that of another. These two become its item and
   * the next one by number. If there are no two of this kind, the scenario ends.
   */
  readonly makesPrefixed?: true;
  /** Whether it requests the Location of the previous response, if that is not a path of the document. */
  readonly follows?: true;
}

/** A stateful scenario: successive requests for some items of a resource. Any of them can be omitted. */
export type LifeCycle = readonly LifeStep[];

/** More pages than a list of a new service has. Checks report no missing items of a longer list. */
export const mostPages = 30;

/** Sends the steps in sequence, each for the items that earlier steps created. */
export async function sendSteps(steps: LifeCycle, session: Session): Promise<readonly CheckedExchange[]> {
  const bindings = new Map<number, IdContext>();
  const trace: CheckedExchange[] = [];
  const firstTags = new Map<number, string>();
  const lastTags = new Map<number, string>();
  const lastShown = new Map<number, JsonObject>();
  const made: { readonly id: string; readonly keys: IdContext }[] = [];
  /** Items that concurrent steps should have created, and did not. */
  const unmade = new Set<number>();
  /** Items that concurrent steps of this scenario create. A smaller scenario may lack the creates. */
  const created = new Set(steps.flatMap(({ item, together }) => (together === 1 ? [item] : [])));
  const keysOf = ({ item, under }: Pick<LifeStep, 'item' | 'under'>): IdContext => {
    const above = under === undefined ? undefined : keysOf({ item: under });
    const known = bindings.get(item) ?? session.openIdContext(...(above === undefined ? [] : [above]));
    bindings.set(item, known);
    // The item of the step may have been created below another one.
    return above === undefined ? known : session.openIdContext(above, known);
  };
  for (const [index, step] of steps.entries()) {
    if (step.together !== undefined) {
      if (step.together !== steps[index - 1]?.together) trace.push(...(await sendTogether(index)));
      continue;
    }
    if (step.makesPrefixed === true) {
      if (await makePrefixed(step)) continue;
      return trace;
    }
    const keys = bindings.has(step.item) ? keysOf(step) : first(step);
    if (step.follows === true) {
      await follow(trace.at(-1), { step, keys, session, trace });
      continue;
    }
    if (step.asks !== undefined) {
      const shown = lastShown.get(step.item);
      const request = shown && step.asks(shown);
      if (request === undefined) continue;
      await sendAndWalk({ ...step, request }, keys);
      continue;
    }
    const isTagged = step.underFirstTag === true || step.underLastTag === true;
    const tag = (step.underLastTag === true ? lastTags : firstTags).get(step.item);
    if (isTagged && tag === undefined) continue;
    await sendAndWalk(step, keys, isTagged ? tag : undefined);
  }
  return trace;

  /** Sends a step, with all pages of a list. A read is repeated while a lag that the document states may explain it. */
  async function sendAndWalk(step: LifeStep, keys: IdContext, tag?: string): Promise<void> {
    const from = trace.length;
    do {
      trace.length = from;
      const judged = await send(step, keys, tag);
      if (step.walks === true) await walk(judged, { step, keys, session, trace });
    } while (isSafeMethod(step.request.method) && (await session.waitsForLag(trace, from)));
  }

  function first(step: LifeStep): IdContext {
    const above = step.under === undefined ? [] : [keysOf({ item: step.under })];
    const other = step.collidesWith === undefined ? undefined : bindings.get(step.collidesWith);
    const keys = session.openIdContext(...above, ...(other === undefined ? [] : [other]));
    bindings.set(step.item, keys);
    return keys;
  }

  async function send({ request, item }: LifeStep, keys: IdContext, tag?: string): Promise<CheckedExchange> {
    const condition = tag === undefined ? [] : [['If-Match', tag] as const];
    const judged = await session.send({ ...request, headers: [...request.headers, ...condition] }, keys);
    trace.push(judged);
    const { answer } = judged;
    const shown = answer.kind === 'none' ? undefined : headerValue(answer.response.headers, 'etag');
    if (shown !== undefined) {
      if (!firstTags.has(item)) firstTags.set(item, shown);
      lastTags.set(item, shown);
    }
    const representation = readStep(judged, trace.length, session.contract).shown?.value;
    if (representation !== undefined) lastShown.set(item, representation);
    const id = madeId(judged);
    if (id !== undefined) made.push({ id, keys });
    return judged;
  }

  /** Sends consecutive steps with the same number concurrently. */
  async function sendTogether(from: number): Promise<readonly CheckedExchange[]> {
    const end = steps.findIndex(({ together }, at) => at > from && together !== steps[from]?.together);
    const sent = steps
      .slice(from, end < 0 ? steps.length : end)
      // Omits steps whose item was not created, or whose create is left out. They would all be sent to the same item.
      .filter(({ item }) => !unmade.has(item) && created.has(item))
      .map((step) => ({ ...step, keys: bindings.has(step.item) ? keysOf(step) : first(step) }));
    return Promise.all(
      sent.map(async ({ request, keys, item }) => {
        const judged = await session.send(request, keys);
        if (judged.operation?.kind.kind === 'create' && !isAccepted(judged.answer)) unmade.add(item);
        return judged;
      }),
    );
  }

  /** Creates items until the id of one begins with that of another. Returns whether there are two. */
  async function makePrefixed(step: LifeStep): Promise<boolean> {
    for (let tried = 0; tried <= mostPrefixed; tried += 1) {
      for (const long of made) {
        const short = made.find(({ id }) => id !== long.id && long.id.startsWith(id));
        if (short === undefined) continue;
        bindings.set(step.item, long.keys).set(step.item + 1, short.keys);
        return true;
      }
      const ids = made.map(({ id }) => (/^[1-9]\d{0,8}$/u.test(id) ? Number(id) : NaN));
      const last = Math.max(...ids);
      const isSoon = ids.some((id) => id * 10 > last && id * 10 - last <= mostPrefixed - tried);
      if (!isSoon) return false;
      await send(step, first(step));
    }
    return false;
  }
}

/** Yields smaller scenarios: first without long stretches of steps, then with smaller bodies. */
export function* simplifySteps(steps: LifeCycle, contract: Contract): Generator<LifeCycle> {
  yield* shorten(steps);
  // The content of items distinguishes those below two parents.
  if (new Set(steps.map(({ under }) => under)).size > 2) return;
  const smallest = steps.map((step): LifeStep => {
    const operation = contract.operations.find(({ id }) => id === step.request.operationId);
    const isWhole = operation?.kind.kind === 'create' || operation?.kind.kind === 'replace';
    if (operation === undefined || step.request.body === undefined || !isWhole) return step;
    return { ...step, request: { ...step.request, body: buildRequest(operation).body } };
  });
  for (const [index, small] of smallest.entries()) {
    if (JSON.stringify(small) !== JSON.stringify(steps[index])) yield asShort(steps.with(index, small));
  }
  for (const requests of withoutMembers(
    steps.map(({ request }) => request),
    contract,
  )) {
    yield asShort(steps.map((step, index) => ({ ...step, request: requests[index] ?? step.request })));
  }
}

/** The maximum number of items to create if ids are counted, until one begins with another. */
const mostPrefixed = 40;

/** Returns the id in the response to a create. */
function madeId({ answer, operation }: CheckedExchange): string | undefined {
  const kind = operation?.kind;
  if (kind?.kind !== 'create' || kind.key.kind === 'none') return undefined;
  const shown = findShownKey(kind, jsonContent(answer));
  return shown && idText(shown.key);
}

/** The context of a step that is being sent. */
interface SendingStep {
  readonly step: LifeStep;
  readonly keys: IdContext;
  readonly session: Session;
  readonly trace: CheckedExchange[];
}

/** Requests a `Location`, whatever prefix its path has before the paths of the document (RFC 9110 §10.2.2). */
async function follow(
  made: CheckedExchange | undefined,
  { step, keys, session, trace }: SendingStep,
): Promise<void> {
  const { answer, exchange } = made ?? {};
  const field = answer?.kind === 'response' ? headerValue(answer.response.headers, 'location') : undefined;
  const base = `http://service.invalid${exchange?.request.target ?? ''}`;
  if (made === undefined || field === undefined || !URL.canParse(field, base)) return;
  if (/%2f/iu.test(base)) return;
  const named = toNamed(new URL(field, base).pathname, made, step.request);
  const segments = named.split('/').slice(1);
  const targets = segments.map((_, index) => `/${segments.slice(index).join('/')}`).slice(0, 5);
  const find = createPathFinder(session.contract);
  const leads = targets.findIndex((target) => find(target).route !== undefined);
  // The prefix may be the path of the base URL. If the base URL has no path, the request uses the full path.
  const baseUrl = session.baseUrl === undefined ? undefined : new URL(session.baseUrl);
  const isHere = !/^(?:[a-z][\w+.-]*:)?\/\//iu.test(field) || new URL(field, base).host === baseUrl?.host;
  const isExact = leads > 0 && baseUrl?.pathname === '/' && isHere;
  if (leads !== -1 && !isExact) return;
  for (const target of isExact ? targets.slice(0, 1) : targets) {
    trace.push(await session.send({ ...step.request, target }, keys));
  }
}

/** Replaces the id of a created item at the end of a path with its parameter. A repeated request uses the new id. */
function toNamed(path: string, made: CheckedExchange, { target }: RequestCase): string {
  const id = madeId(made);
  const end = path.slice(path.lastIndexOf('/') + 1);
  const parameter = target.slice(target.lastIndexOf('{'));
  return id !== undefined && encodeURIComponent(id) === end
    ? `${path.slice(0, -end.length)}${parameter}`
    : path;
}

async function walk(start: CheckedExchange, on: SendingStep): Promise<void> {
  const { step, keys, session, trace } = on;
  const { operation } = start;
  if (operation === undefined) return;
  // Credentials are inserted again.
  const secrets = operation.security
    .flat()
    .flatMap((scheme) => (scheme.kind === 'api-key' && scheme.in === 'query' ? [scheme.parameter] : []));
  const pages = [start];
  while (pages.length < mostPages) {
    const next = pageAfter(operation, pages);
    if (next.kind !== 'next') return;
    const target = changeQuery(next.target, new Map(secrets.map((name) => [name, undefined])));
    const judged = await session.send({ ...step.request, target }, keys);
    pages.push(judged);
    trace.push(judged);
  }
}
