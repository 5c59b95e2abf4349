import { headerValue } from '../src/http/message.ts';
import type { RequestCase } from '../src/arbitrary/request-case.ts';
import { buildRequest } from '../src/arbitrary/request.ts';
import { isAccepted, jsonContent } from '../src/check/reading/answer.ts';
import type { CheckedExchange } from '../src/check/reading/subject.ts';
import { pageAfter } from '../src/check/life-cycle/walks.ts';
import { findShownKey } from '../src/contract/created-key.ts';
import { changeQuery, idText } from '../src/contract/list-pages.ts';
import type { Contract } from '../src/contract/contract.ts';
import { createPathFinder } from '../src/contract/router.ts';
import type { Session, KeyBinding } from '../src/session/session.ts';
import { withoutMembers } from './life-cycle-bodies.ts';

/** One request of a life cycle. */
interface LifeStep {
  readonly request: RequestCase;
  /** Steps of one number are of one item: what a create makes is what the others name. */
  readonly item: number;
  /** The number of the item that its collection lies below, where that matters. */
  readonly under?: number;
  /** Steps of one number that follow each other are sent side by side; each is of an item of its own. */
  readonly together?: number;
  /** Whether a list is asked for page after page, to its end. */
  readonly walks?: true;
  /** Whether it is to be sent only if the item still has the entity tag that it was first shown with (RFC 9110 §13.1.1). */
  readonly underFirstTag?: true;
  /**
   * Whether it is sent, some times, until the id of one of the items made so far begins with that of another: the two are
   * its item, and the next one by number. Where there are no such two, the life cycle ends.
   */
  readonly makesPrefixed?: true;
  /** Whether it goes where the answer before says that the item is, if that is no path of the document. */
  readonly follows?: true;
}

/** What happens to some items of a resource, one request after the other; any of them can be left out. */
export type LifeCycle = readonly LifeStep[];

/** More pages than a list of a new service has; on one that holds much, nothing is said of what a list lacks. */
export const mostPages = 30;

/** Sends the steps one after the other, each on the items that the ones before it made. */
export async function sendSteps(steps: LifeCycle, session: Session): Promise<readonly CheckedExchange[]> {
  const bindings = new Map<number, KeyBinding>();
  const trace: CheckedExchange[] = [];
  const firstTags = new Map<number, string>();
  const made: { readonly id: string; readonly keys: KeyBinding }[] = [];
  /** What was to be created side by side with others, and was not. */
  const unmade = new Set<number>();
  const keysOf = ({ item, under }: Pick<LifeStep, 'item' | 'under'>): KeyBinding => {
    const above = under === undefined ? undefined : keysOf({ item: under });
    const known = bindings.get(item) ?? session.bindKeys(...(above === undefined ? [] : [above]));
    bindings.set(item, known);
    // The item of the step may have been made below another one.
    return above === undefined ? known : session.bindKeys(above, known);
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
    const tag = firstTags.get(step.item);
    if (step.underFirstTag === true && tag === undefined) continue;
    const judged = await send(step, keys, step.underFirstTag === true ? tag : undefined);
    if (step.walks === true) await walk(judged, { step, keys, session, trace });
  }
  return trace;

  function first(step: LifeStep): KeyBinding {
    const keys = session.bindKeys(...(step.under === undefined ? [] : [keysOf({ item: step.under })]));
    bindings.set(step.item, keys);
    return keys;
  }

  async function send({ request, item }: LifeStep, keys: KeyBinding, tag?: string): Promise<CheckedExchange> {
    const condition = tag === undefined ? [] : [['If-Match', tag] as const];
    const judged = await session.send({ ...request, headers: [...request.headers, ...condition] }, keys);
    trace.push(judged);
    const { answer } = judged;
    const shown = answer.kind === 'none' ? undefined : headerValue(answer.response.headers, 'etag');
    if (shown !== undefined && !firstTags.has(item)) firstTags.set(item, shown);
    const id = madeId(judged);
    if (id !== undefined) made.push({ id, keys });
    return judged;
  }

  /** Sends all steps from one on that have its number, side by side. */
  async function sendTogether(from: number): Promise<readonly CheckedExchange[]> {
    const end = steps.findIndex(({ together }, at) => at > from && together !== steps[from]?.together);
    const sent = steps
      .slice(from, end < 0 ? steps.length : end)
      // Those without an item of their own, which the first steps make, would all be sent to one and the same.
      .filter(({ item, together }) => !unmade.has(item) && (together === 1 || bindings.has(item)))
      .map((step) => ({ ...step, keys: bindings.has(step.item) ? keysOf(step) : first(step) }));
    return Promise.all(
      sent.map(async ({ request, keys, item }) => {
        const judged = await session.send(request, keys);
        if (judged.operation?.kind.kind === 'create' && !isAccepted(judged.answer)) unmade.add(item);
        return judged;
      }),
    );
  }

  /** Makes items until the id of one begins with that of another; gives whether there are two such. */
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

/** Gives smaller life cycles: long stretches are left out first, then the bodies are made as small as can be. */
export function* simplifySteps(steps: LifeCycle, contract: Contract): Generator<LifeCycle> {
  for (let size = Math.floor(steps.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let end = steps.length; end - size >= 0; end -= size) {
      yield [...steps.slice(0, end - size), ...steps.slice(end)];
    }
  }
  // What lies below two items is told from each other by what it holds.
  if (new Set(steps.map(({ under }) => under)).size > 2) return;
  const smallest = steps.map((step): LifeStep => {
    const operation = contract.operations.find(({ id }) => id === step.request.operationId);
    const isWhole = operation?.kind.kind === 'create' || operation?.kind.kind === 'replace';
    if (operation === undefined || step.request.body === undefined || !isWhole) return step;
    return { ...step, request: { ...step.request, body: buildRequest(operation).body } };
  });
  for (const [index, small] of smallest.entries()) {
    if (JSON.stringify(small) !== JSON.stringify(steps[index])) yield steps.with(index, small);
  }
  for (const requests of withoutMembers(
    steps.map(({ request }) => request),
    contract,
  )) {
    yield steps.map((step, index) => ({ ...step, request: requests[index] ?? step.request }));
  }
}

/** So many items are made for ids that are counted, one of which begins with another one. */
const mostPrefixed = 40;

/** The id that the answer to a create shows. */
function madeId({ answer, operation }: CheckedExchange): string | undefined {
  const kind = operation?.kind;
  if (kind?.kind !== 'create' || kind.key.kind === 'none') return undefined;
  const shown = findShownKey(kind, jsonContent(answer));
  return shown && idText(shown.key);
}

/** A step that is under way. */
interface SendingStep {
  readonly step: LifeStep;
  readonly keys: KeyBinding;
  readonly session: Session;
  readonly trace: CheckedExchange[];
}

/** Goes where a `Location` field leads, whatever of its path stands before the paths of the document (RFC 9110 §10.2.2). */
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
  // What stands before the paths of the document may be the path of the base URL; where that has none, it is followed as it is.
  const baseUrl = session.baseUrl === undefined ? undefined : new URL(session.baseUrl);
  const isHere = !/^(?:[a-z][\w+.-]*:)?\/\//iu.test(field) || new URL(field, base).host === baseUrl?.host;
  const isExact = leads > 0 && baseUrl?.pathname === '/' && isHere;
  if (leads !== -1 && !isExact) return;
  for (const target of isExact ? targets.slice(0, 1) : targets) {
    trace.push(await session.send({ ...step.request, target }, keys));
  }
}

/** A path whose end is the id of what was made, with the parameter for it, so that it leads to another one when it is sent anew. */
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
  // Credentials are put in anew.
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
