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
export function sendSteps(steps: LifeCycle, session: Session): Promise<readonly CheckedExchange[]> {
  return new ScenarioSender(steps, session).sendAll();
}

/** The maximum number of items to create if ids are counted, until one begins with another. */
const mostPrefixed = 40;

/** Sends the steps of a scenario, and tracks the items that they create. */
class ScenarioSender {
  readonly #steps: LifeCycle;
  readonly #session: Session;
  readonly #trace: CheckedExchange[] = [];
  readonly #bindings = new Map<number, IdContext>();
  readonly #firstTags = new Map<number, string>();
  readonly #lastTags = new Map<number, string>();
  readonly #lastShown = new Map<number, JsonObject>();
  /** Items that concurrent steps should have created, and did not. */
  readonly #unmade = new Set<number>();
  readonly #made: { readonly id: string; readonly keys: IdContext }[] = [];

  constructor(steps: LifeCycle, session: Session) {
    this.#steps = steps;
    this.#session = session;
  }

  async sendAll(): Promise<readonly CheckedExchange[]> {
    /** Items that concurrent steps create. A smaller scenario may lack the creates. */
    const created = new Set(this.#steps.flatMap(({ item, together }) => (together === 1 ? [item] : [])));
    for (const [index, step] of this.#steps.entries()) {
      const isFirst = step.together !== this.#steps[index - 1]?.together;
      if (step.together !== undefined) {
        if (isFirst) await this.#sendTogether(index, created);
      } else if (step.makesPrefixed !== true) {
        await this.#sendOne(step);
      } else if (!(await this.#makePrefixed(step))) {
        break;
      }
    }
    return this.#trace;
  }

  #keysOf({ item, under }: Pick<LifeStep, 'item' | 'under'>): IdContext {
    const above = under === undefined ? undefined : this.#keysOf({ item: under });
    const known = this.#bindings.get(item) ?? this.#session.openIdContext(...(above ? [above] : []));
    this.#bindings.set(item, known);
    // The item of the step may have been created below another one.
    return above === undefined ? known : this.#session.openIdContext(above, known);
  }

  #openNew(step: LifeStep): IdContext {
    const above = step.under === undefined ? [] : [this.#keysOf({ item: step.under })];
    const other = step.collidesWith === undefined ? undefined : this.#bindings.get(step.collidesWith);
    const keys = this.#session.openIdContext(...above, ...(other === undefined ? [] : [other]));
    this.#bindings.set(step.item, keys);
    return keys;
  }

  #open(step: LifeStep): IdContext {
    return this.#bindings.has(step.item) ? this.#keysOf(step) : this.#openNew(step);
  }

  async #sendOne(step: LifeStep): Promise<void> {
    const keys = this.#open(step);
    if (step.follows === true) {
      await this.#follow(step, keys);
      return;
    }
    if (step.asks !== undefined) {
      const shown = this.#lastShown.get(step.item);
      const request = shown && step.asks(shown);
      if (request !== undefined) await this.#sendAndWalk({ ...step, request }, keys);
      return;
    }
    const isTagged = step.underFirstTag === true || step.underLastTag === true;
    const tag = (step.underLastTag === true ? this.#lastTags : this.#firstTags).get(step.item);
    if (!isTagged) await this.#sendAndWalk(step, keys);
    else if (tag !== undefined) await this.#sendAndWalk(withIfMatch(step, tag), keys);
  }

  /** Sends a step, with all pages of a list. A read is repeated while a lag that the document states may explain it. */
  async #sendAndWalk(step: LifeStep, keys: IdContext): Promise<void> {
    const from = this.#trace.length;
    do {
      this.#trace.length = from;
      const judged = await this.#send(step, keys);
      if (step.walks === true) await this.#walk(judged, step, keys);
    } while (isSafeMethod(step.request.method) && (await this.#session.waitsForLag(this.#trace, from)));
  }

  async #send({ request, item }: LifeStep, keys: IdContext): Promise<CheckedExchange> {
    const judged = await this.#session.send(request, keys);
    this.#trace.push(judged);
    const { answer } = judged;
    const tag = answer.kind === 'none' ? undefined : headerValue(answer.response.headers, 'etag');
    if (tag !== undefined) {
      if (!this.#firstTags.has(item)) this.#firstTags.set(item, tag);
      this.#lastTags.set(item, tag);
    }
    const shown = readStep(judged, this.#trace.length, this.#session.contract).shown?.value;
    if (shown !== undefined) this.#lastShown.set(item, shown);
    const id = madeId(judged);
    if (id !== undefined) this.#made.push({ id, keys });
    return judged;
  }

  /** Requests the pages of a list after the first one. */
  async #walk(start: CheckedExchange, { request }: LifeStep, keys: IdContext): Promise<void> {
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
      const judged = await this.#session.send({ ...request, target }, keys);
      pages.push(judged);
      this.#trace.push(judged);
    }
  }

  /** Requests the `Location` of the previous response, if that is not a path of the document. */
  async #follow({ request }: LifeStep, keys: IdContext): Promise<void> {
    const made = this.#trace.at(-1);
    for (const target of made === undefined ? [] : locationTargets(made, request, this.#session)) {
      this.#trace.push(await this.#session.send({ ...request, target }, keys));
    }
  }

  /** Sends consecutive steps with the same number concurrently. */
  async #sendTogether(from: number, created: ReadonlySet<number>): Promise<void> {
    const steps = this.#steps;
    const end = steps.findIndex(({ together }, at) => at > from && together !== steps[from]?.together);
    const sent = steps
      .slice(from, end < 0 ? steps.length : end)
      // Omits steps whose item was not created, or whose create is left out. They would all be sent to the same item.
      .filter(({ item }) => !this.#unmade.has(item) && created.has(item))
      .map((step) => ({ ...step, keys: this.#open(step) }));
    const received = await Promise.all(
      sent.map(async ({ request, keys, item }) => {
        const judged = await this.#session.send(request, keys);
        if (judged.operation?.kind.kind === 'create' && !isAccepted(judged.answer)) this.#unmade.add(item);
        return judged;
      }),
    );
    this.#trace.push(...received);
  }

  /** Creates items until the id of one begins with that of another. Returns whether there are two. */
  async #makePrefixed(step: LifeStep): Promise<boolean> {
    for (let tried = 0; tried <= mostPrefixed; tried += 1) {
      for (const long of this.#made) {
        const short = this.#made.find(({ id }) => id !== long.id && long.id.startsWith(id));
        if (short === undefined) continue;
        this.#bindings.set(step.item, long.keys).set(step.item + 1, short.keys);
        return true;
      }
      const ids = this.#made.map(({ id }) => (/^[1-9]\d{0,8}$/u.test(id) ? Number(id) : NaN));
      const last = Math.max(...ids);
      const isSoon = ids.some((id) => id * 10 > last && id * 10 - last <= mostPrefixed - tried);
      if (!isSoon) return false;
      await this.#send(step, this.#openNew(step));
    }
    return false;
  }
}

/** Sets the precondition in the request of a step. */
function withIfMatch({ request, ...step }: LifeStep, tag: string): LifeStep {
  const others = request.headers.filter(([name]) => name.toLowerCase() !== 'if-match');
  return { ...step, request: { ...request, headers: [...others, ['If-Match', tag]] } };
}

/** Returns the id in the response to a create. */
function madeId({ answer, operation }: CheckedExchange): string | undefined {
  const kind = operation?.kind;
  if (kind?.kind !== 'create' || kind.key.kind === 'none') return undefined;
  const shown = findShownKey(kind, jsonContent(answer));
  return shown && idText(shown.key);
}

/**
 * Returns the targets to request for a `Location`, whatever prefix its path has before the paths of the document (RFC 9110
 * §10.2.2); none if it is a path of the document.
 */
function locationTargets(
  made: CheckedExchange,
  request: RequestCase,
  { contract, baseUrl: testedUrl }: Session,
): readonly string[] {
  const { answer, exchange } = made;
  const field = answer.kind === 'response' ? headerValue(answer.response.headers, 'location') : undefined;
  const base = `http://service.invalid${exchange.request.target}`;
  if (field === undefined || !URL.canParse(field, base) || /%2f/iu.test(base)) return [];
  const named = toNamed(new URL(field, base).pathname, made, request);
  const segments = named.split('/').slice(1);
  const targets = segments.map((_, index) => `/${segments.slice(index).join('/')}`).slice(0, 5);
  const find = createPathFinder(contract);
  const leads = targets.findIndex((target) => find(target).route !== undefined);
  if (leads === -1) return targets;
  // The prefix may be the path of the base URL. If the base URL has no path, the request uses the full path.
  const baseUrl = testedUrl === undefined ? undefined : new URL(testedUrl);
  const isHere = !/^(?:[a-z][\w+.-]*:)?\/\//iu.test(field) || new URL(field, base).host === baseUrl?.host;
  return leads > 0 && baseUrl?.pathname === '/' && isHere ? targets.slice(0, 1) : [];
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
