import { parseMediaType } from '../../http/media-type.ts';
import { headerValue } from '../../http/message.ts';
import { isJsonObject, jsonEqual, type JsonValue } from '../../json/value.ts';
import { itemSchema, schemaAt, schemaProperties } from '../../schema/properties.ts';
import type { JsonSchema } from '../../schema/walk.ts';
import { describeReceived } from '../describe.ts';
import { quoteDocument, quoteRfc } from '../finding.ts';
import { jsonContent } from '../classify/answer.ts';
import type { Item } from './items.ts';
import { type Tracker, ownMember } from './observations.ts';
import type { Step } from './trace-steps.ts';

/** Judges a writeOnly property in a response. */
export function judgeWriteOnly(step: Step, { items, conclude, contract }: Tracker): void {
  const { answer } = step.judged;
  const body = step.outcome === 'done' ? jsonContent(answer) : undefined;
  if (body === undefined || answer.kind === 'none' || answer.content.kind !== 'json') return;
  const { media } = answer.content;
  const path = findWriteOnly(body, media?.schema?.schema);
  if (path === undefined || media === undefined) return;
  const name =
    step.place?.item ?? step.listed?.find(({ item }) => items.find(item)?.madeBy !== undefined)?.item;
  const madeBy = name === undefined ? undefined : items.find(name)?.madeBy;
  const words = path.join('/');
  conclude('write-only-shown', {
    of: step,
    // OpenAPI 3.0.3 §4.7.24.1 has it as SHOULD NOT.
    level: contract.openapi === '3.0' ? 'warning' : 'violation',
    shownBy: items.chainTo(step.place?.collection ?? '', madeBy, step),
    clause: quoteDocument(media.schema?.pointer ?? media.pointer, `/${words} is writeOnly`),
    expected: `no /${words}`,
    received: `a value for /${words}`,
    cause: words,
  });
}

/** The maximum depth of the search for writeOnly properties. */
const deepest = 8;

/** Returns the path of a writeOnly property with a value; empty and masked values reveal nothing. */
function findWriteOnly(
  value: JsonValue,
  schema: JsonSchema | undefined,
  path: readonly string[] = [],
): readonly string[] | undefined {
  if (path.length > deepest) return undefined;
  if (Array.isArray(value)) {
    const inside = itemSchema(schema);
    if (inside === undefined) return undefined;
    return value.map((each) => findWriteOnly(each, inside, path)).find((found) => found !== undefined);
  }
  if (!isJsonObject(value)) return undefined;
  for (const [name, property] of schemaProperties(schema)) {
    const own = Object.hasOwn(value, name) ? value[name] : undefined;
    if (own === undefined || own === null) continue;
    const place = [...path, name];
    const isMasked =
      own === '' ||
      (typeof own === 'string' && /^(?:[*•xX.]+|\[?(?:redacted|hidden|masked)\]?)$/iu.test(own));
    if (property.writeOnly) {
      if (!isMasked) return place;
      continue;
    }
    const found = findWriteOnly(own, schemaAt(schema, [name]), place);
    if (found !== undefined) return found;
  }
  const values = schemaProperties(schema).size === 0 ? itemSchema(schema, 'additionalProperties') : undefined;
  if (values === undefined) return undefined;
  return Object.values(value)
    .map((each) => findWriteOnly(each, values, path))
    .find((found) => found !== undefined);
}

/** The maximum number of steps between a HEAD and a GET that are compared. */
const mostBetween = 1_000;

/** Statuses of methods that a service does not have. */
const withoutMethod: ReadonlySet<number> = new Set([404, 405, 501]);

/** Compares a HEAD with a neighbouring GET of the same target, if nothing changed in between. */
export function judgeHead(step: Step, { steps, items, conclude }: Tracker): void {
  const { method, target } = step.judged.exchange.request;
  if (method !== 'HEAD' && method !== 'GET') return;
  const near = steps.slice(Math.max(0, step.index - mostBetween), step.index);
  const unchanged = near.slice(
    near.findLastIndex(({ isSafe, outcome }) => !isSafe && outcome !== 'refused') + 1,
  );
  const other = unchanged.findLast(
    ({
      judged: {
        exchange: { request },
      },
      client,
    }) =>
      request.target === target &&
      client === step.client &&
      request.method === (method === 'GET' ? 'HEAD' : 'GET') &&
      ['accept', 'if-none-match', 'range'].every(
        (name) =>
          headerValue(request.headers, name) === headerValue(step.judged.exchange.request.headers, name),
      ),
  );
  if (other === undefined) return;
  const isOpen = steps.slice(0, step.index).some(({ isSafe, outcome }) => !isSafe && outcome === 'open');
  if (isOpen) return;
  const [head, get] = method === 'HEAD' ? [step, other] : [other, step];
  const difference = describeDifference(head, get);
  if (difference === undefined) return;
  // An item may change between the two, so its tag counts only if the GETs before and after it agree.
  const before = unchanged.findLast(
    (each) =>
      each.index < head.index &&
      each.judged.exchange.request.method === 'GET' &&
      each.place?.item === get.place?.item,
  );
  const isSteady = step === get && before !== undefined && describeDifference(before, get) === undefined;
  if (difference.what === 'ETag' && !isSteady) return;
  const madeBy = items.find(get.place?.item ?? '')?.madeBy;
  conclude('head-differs', {
    // The finding belongs to GET, as HEAD need not be declared.
    of: get,
    ...(head.judged.operation === undefined ? { level: 'warning' as const } : {}),
    shownBy: items.chainTo(get.place?.collection ?? '', madeBy, head, get),
    clause: quoteRfc(
      'RFC 9110 §9.3.2',
      'The HEAD method is identical to GET except that the server MUST NOT send content in the response',
    ),
    expected: `the ${difference.what} of GET`,
    received: difference.received,
    cause: difference.what,
  });
}

function describeDifference(
  head: Step,
  get: Step,
): { readonly what: string; readonly received: string } | undefined {
  const [one, two] = [head.judged.answer, get.judged.answer];
  if (one.kind === 'none' || two.kind === 'none') return undefined;
  const passing = [head.status, get.status].some(
    (status) => status >= 500 || status === 429 || status === 408,
  );
  if (head.status !== get.status) {
    const isUndeclared = head.judged.operation === undefined && withoutMethod.has(head.status);
    // The document may declare another success for HEAD.
    const isSaid =
      [head.outcome, get.outcome].every((outcome) => outcome === 'done') &&
      head.judged.operation !== undefined &&
      one.declared?.status.kind === 'exact';
    const received = `${describeReceived(one)}, and ${describeReceived(two)} to GET`;
    return passing || isUndeclared || isSaid ? undefined : { what: 'status', received };
  }
  if (passing) return undefined;
  const field = (step: typeof one, name: string): string | undefined =>
    headerValue(step.response.headers, name);
  const type = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : parseMediaType(text)?.essence;
  const pairs = [
    ['Content-Type', type(field(one, 'content-type')), type(field(two, 'content-type'))],
    ['ETag', field(one, 'etag'), field(two, 'etag')],
  ] as const;
  // A response to HEAD may omit fields that require the content.
  const [found] = pairs.filter(
    ([, left, right]) => left !== undefined && right !== undefined && left !== right,
  );
  return found && { what: found[0], received: `another ${found[0]}` };
}

/** Judges a change that succeeded though its precondition was false. */
export function judgePrecondition(step: Step, item: Item | undefined, tracker: Tracker): void {
  const { items, conclude } = tracker;
  const { headers } = step.judged.exchange.request;
  const [match, none] = [headerValue(headers, 'if-match'), headerValue(headers, 'if-none-match')];
  if (item?.state !== 'there' || item.tag === undefined || step.outcome !== 'done') return;
  if (item.tag.by.client !== step.client) return;
  const strong = (tag: string): string => tag.trim().replace(/^W\//u, '').replaceAll('"', '');
  const { text, by } = item.tag;
  const isUnmet =
    match !== undefined &&
    match.trim() !== '*' &&
    !match.split(',').some((tag) => strong(tag) === strong(text));
  const isThere = none?.trim() === '*';
  if (!isUnmet && !isThere) {
    if (match !== undefined) judgeSharedTag(item, step, tracker);
    return;
  }
  const name = isUnmet ? 'If-Match' : 'If-None-Match';
  conclude('precondition-ignored', {
    of: step,
    shownBy: items.chainTo(item.place.collection, item.madeBy, item.changedBy, by, step),
    clause: isUnmet
      ? quoteRfc(
          'RFC 9110 §13.1.1',
          'An origin server that evaluates an If-Match condition MUST NOT perform the requested method if the condition evaluates to false',
        )
      : quoteRfc(
          'RFC 9110 §13.1.2',
          'An origin server that evaluates an If-None-Match condition MUST NOT perform the requested method if the condition evaluates to false',
        ),
    expected: `a refusal, as ${name} does not hold`,
    received: describeReceived(step.judged.answer),
    cause: name,
  });
}

/** Judges a change under an entity tag that the item had in two states, so the tag is ambiguous. */
function judgeSharedTag(item: Item, step: Step, { items, conclude }: Tracker): void {
  const match = headerValue(step.judged.exchange.request.headers, 'if-match')?.trim();
  const looks = item.tagged.filter(({ tag }) => tag === match);
  const [before] = looks;
  const after = looks.at(-1);
  if (before === undefined || after === undefined || item.madeBy === undefined) return;
  // The tag may not depend on properties that only the service sets.
  const changed = [...item.known].find(([name, { by, occurrences }]) => {
    const [one, two] = [ownMember(before.value, name), ownMember(after.value, name)];
    const isShown = occurrences.includes(after.by) && by.index > before.by.index;
    return isShown && one !== undefined && two !== undefined && !jsonEqual(one, two);
  });
  const change = changed?.[1].by;
  if (changed === undefined || change === undefined) return;
  conclude('precondition-ignored', {
    of: step,
    shownBy: [...items.chainTo(item.place.collection), item.madeBy, before.by, change, after.by, step],
    clause: quoteRfc(
      'RFC 9110 §8.8.1',
      'A strong validator is representation metadata that changes value whenever a change occurs to the representation data that would be observable in the content of a 200 (OK) response to GET',
    ),
    expected: 'a refusal, as the item had that ETag before it was changed',
    received: `${describeReceived(step.judged.answer)}, as it has one ETag before and after`,
    cause: 'one ETag of two states',
  });
}
