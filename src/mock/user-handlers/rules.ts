import type { DocumentProblem } from '../../document/document.ts';
import { toPlainNumbers } from '../../json/exact-number.ts';
import { appendPointer, pointerTokens } from '../../json/pointer.ts';
import { toText } from '../../json/print.ts';
import {
  holdsExactNumber,
  isJsonObject,
  jsonEqual,
  type JsonObject,
  type JsonValue,
} from '../../json/value.ts';
import { placeBelow, toDocumentProblem } from '../../policy/validate.ts';
import { compileSchema, strictMode } from '../../schema/compile.ts';
import { applyMergePatch } from '../handlers/patch.ts';
import type { MockState } from '../state/rows.ts';
import type { Handler, HandlerInput, HandlerResponse } from './handler.ts';

/** A response by rule: the first rule of an operation whose conditions a request meets answers it. */
interface HandlerRule {
  /** The operationId. */
  readonly operation: string;
  /** The conditions; all of them must be met. @defaultValue every request */
  readonly when?: {
    readonly path?: JsonObject;
    readonly query?: JsonObject;
    readonly header?: JsonObject;
    /** A part of the body: the members of objects that are named, and whole lists. */
    readonly body?: JsonValue;
    /** Parts of items by their path, `/orders/7`; null for an item that does not exist. */
    readonly state?: JsonObject;
  };
  /** @defaultValue the built-in response */
  readonly respond?: HandlerResponse;
  /** Changes of items by their path: members to set; null deletes the item, or the member (RFC 7396). */
  readonly set?: JsonObject;
}

const anyObject: JsonObject = { type: 'object' };
const items: JsonObject = {
  type: 'object',
  propertyNames: { pattern: '^/' },
  additionalProperties: { type: ['object', 'null'] },
};

const ruleSchema: JsonObject = {
  type: 'object',
  required: ['operation'],
  additionalProperties: false,
  anyOf: [{ required: ['respond'] }, { required: ['set'] }],
  properties: {
    operation: { type: 'string' },
    when: {
      type: 'object',
      additionalProperties: false,
      properties: { path: anyObject, query: anyObject, header: anyObject, body: {}, state: items },
    },
    respond: {
      type: 'object',
      additionalProperties: false,
      properties: {
        status: { type: 'integer', minimum: 200, maximum: 599 },
        headers: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
        body: {},
      },
    },
    set: items,
  },
};

const remedies: Readonly<Record<string, string>> = {
  when: 'A condition names path, query, header, body or state',
  respond: 'A response has a status from 200 to 599, headers and a body',
  set: 'Write the path of an item and its new members: /orders/7: { status: paid }',
};

/**
 * Reads handlers that are written as rules in YAML or JSON.
 *
 * @param list - the rules; their order decides
 * @param operations - the ids of all operations
 * @returns a handler for each operation that a rule names, or the problems with their pointers
 */
export function readRules(
  list: readonly JsonValue[],
  operations: readonly string[],
): { readonly handlers: Readonly<Record<string, Handler>>; readonly problems: readonly DocumentProblem[] } {
  const validate = compileSchema({ schema: ruleSchema, pointer: '' }).validator(strictMode);
  const rules = new Map<string, HandlerRule[]>();
  const problems = list.flatMap((value, index): readonly DocumentProblem[] => {
    const found = validate(value, holdsExactNumber(value)).map((problem) => {
      const [name = ''] = pointerTokens(problem.pointer);
      const remedy = remedies[name] ?? 'Write operation with respond or set';
      return toDocumentProblem(value, problem, { names: ['operation', 'when', 'respond', 'set'], remedy });
    });
    // `as`: the schema accepts nothing else.
    const rule = value as unknown as HandlerRule;
    if (found.length > 0) return placeBelow(appendPointer('', index), found);
    if (!operations.includes(rule.operation)) {
      const pointer = appendPointer('', index, 'operation');
      const reason = `the document has no operation "${rule.operation}"`;
      return [{ pointer, reason, remedy: `It has ${operations.slice(0, 12).join(', ')}` }];
    }
    rules.set(rule.operation, [...(rules.get(rule.operation) ?? []), rule]);
    return [];
  });
  const handlers = Object.fromEntries([...rules].map(([id, ofOperation]) => [id, toHandler(ofOperation)]));
  return { handlers, problems };
}

function toHandler(rules: readonly HandlerRule[]): Handler {
  return async (input) => {
    for (const rule of rules) {
      if (!(await matches(rule, input))) continue;
      for (const [path, change] of Object.entries(rule.set ?? {})) await setItem(input.state, path, change);
      if (rule.respond === undefined) return input.next();
      const { status } = rule.respond;
      return { ...rule.respond, ...(status === undefined ? {} : { status: toPlainNumbers(status) }) };
    }
    return input.next();
  };
}

async function matches({ when = {} }: HandlerRule, input: HandlerInput): Promise<boolean> {
  const { request, params, query, body, state } = input;
  const fields = Object.entries(when.header ?? {});
  const meetsRequest =
    contains(params, when.path ?? {}) &&
    contains(query, when.query ?? {}) &&
    fields.every(([name, value]) => request.headers.get(name) === toText(value)) &&
    (when.body === undefined ||
      (body !== undefined && !(body instanceof Uint8Array) && contains(body, when.body)));
  if (!meetsRequest) return false;
  for (const [path, part] of Object.entries(when.state ?? {})) {
    const item = await findItem(state, path);
    if (item === undefined ? part !== null : part === null || !contains(item, part)) return false;
  }
  return true;
}

/** Returns whether a value has all members of a part of it; lists and simple values are equal. */
function contains(whole: JsonValue, part: JsonValue): boolean {
  if (!isJsonObject(whole) || !isJsonObject(part)) return jsonEqual(whole, part);
  return Object.entries(part).every(([name, member]) => {
    const own = Object.hasOwn(whole, name) ? whole[name] : undefined;
    return own !== undefined && contains(own, member);
  });
}

/** Splits the path of an item into its collection and its id; a singleton has no id. */
async function locateItem(
  state: MockState,
  path: string,
): Promise<readonly [collection: string, key?: string]> {
  const isSingleton = (await state.collections()).some(
    ({ name, kind }) => kind === 'singleton' && name === path,
  );
  if (isSingleton) return [path];
  const at = path.lastIndexOf('/');
  return [path.slice(0, at), decodeURIComponent(path.slice(at + 1))];
}

async function findItem(state: MockState, path: string): Promise<JsonObject | undefined> {
  return (await state.get(...(await locateItem(state, path))))?.value;
}

async function setItem(state: MockState, path: string, change: JsonValue): Promise<void> {
  const [collection, key] = await locateItem(state, path);
  const former = await state.get(collection, key);
  if (change === null) {
    if (former !== undefined) await state.delete(collection, key);
    return;
  }
  const merged = applyMergePatch(former?.value ?? {}, change);
  if (isJsonObject(merged)) await state.put(collection, merged);
}
