import type { Contract } from '../../contract/contract.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Policy } from '../../policy/policy.ts';
import type { MockClock } from '../clock.ts';
import { faultIdForm, type FaultRules } from '../faults/fault.ts';
import type { RequestLog } from '../log/filter.ts';
import type { MaybePromise, MockAnswer, ResetPart } from '../message.ts';
import type { ChangeReport } from '../reload/migrate-state.ts';
import type { MockChange } from '../reload/reload.ts';
import type { MockState } from '../state/rows.ts';
import { snapshotNameForm, type StorePlace } from '../store/store.ts';

/** A Parameter Object of the query (OpenAPI 3.1 §4.8.12). */
export function queryParameter(input: {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonObject;
  /** @defaultValue false */
  readonly required?: boolean;
}): JsonObject {
  const { name, description, schema, required = false } = input;
  return { name, in: 'query', description, required, schema };
}

/** The parameter that names a collection. */
export const collectionParameter: JsonObject = queryParameter({
  name: 'collection',
  description: 'The concrete path of the collection, `/shops/7/orders`.',
  required: true,
  schema: { type: 'string', pattern: '^/' },
});

/** What the control interface says of a mock besides what the mock itself shows. */
interface ControlFacts {
  /** The version of this package. */
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Where resources are kept. */
  readonly store: StorePlace['kind'];
  /** The answers that the policy was made of, where neither the defaults nor the document speak. */
  readonly givenPolicy: () => Partial<Policy>;
  /** Whether there are credentials that alone are let in. */
  readonly hasTokens: boolean;
}

/** What of a mock its control interface depends on. */
export interface ControlSubject {
  /** The ids of the operations that are mocked. */
  readonly operations: readonly string[];
  /** Whether there are credentials that alone are let in. */
  readonly hasTokens: boolean;
}

/** What of a mock the control interface shows and changes. */
interface ControlledMock {
  readonly contract: Contract;
  readonly policy: Policy;
  readonly notices: readonly string[];
  readonly clock: MockClock;
  readonly requests: RequestLog;
  readonly faults: FaultRules;
  readonly state: MockState;
  readonly change: (next: MockChange) => Promise<ChangeReport>;
  readonly reset: (parts?: readonly ResetPart[]) => Promise<void>;
}

/** What the operations of the control interface act on. */
export interface ControlContext {
  readonly mock: ControlledMock;
  readonly facts: ControlFacts;
  /** Makes the document of the control interface, which is made of the operations. */
  readonly describe: (subject: ControlSubject) => JsonObject;
}

/** A request to the control interface that its document allows. */
export interface ControlRequest {
  /** A parameter as a text; undefined where it was not sent. */
  text(name: string): string | undefined;
  /** A parameter as a number; undefined where it was not sent. */
  number(name: string): number | undefined;
  /** The body with its digits; undefined where none was sent. */
  readonly body: JsonValue | undefined;
}

/** What an operation of the control interface answers. */
export interface ControlResult {
  readonly status: number;
  /** JSON, but that members may be undefined, which are left out; undefined where there is no content. */
  readonly body?: unknown;
}

/**
 * Does what an operation is for.
 *
 * @throws ClocheError where the request asks for what cannot be; nothing was changed then
 */
export type ControlAct = (request: ControlRequest, context: ControlContext) => MaybePromise<ControlResult>;

/** One method on one path of the control interface: its piece of the document, and what it does. */
export interface ControlOperation {
  /** Without the prefix. */
  readonly path: string;
  readonly method: 'get' | 'put' | 'post' | 'patch' | 'delete';
  /**
   * Its Operation Object (OpenAPI 3.1 §4.8.10), with the responses to a success alone: those that every operation has
   * are added.
   */
  readonly declares: JsonObject;
  /** Which refusals of its own it has besides those. */
  readonly refuses?: readonly (404 | 422)[];
  readonly act: ControlAct;
}

/** What every path of the control interface begins with. */
export const controlPrefix = '/__cloche';

/** A Parameter Object of the path (OpenAPI 3.1 §4.8.12). */
export function pathParameter(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: 'path', description, required: true, schema };
}

/** The parameter that names a rule. */
export const faultIdParameter: JsonObject = pathParameter('id', 'The id of the rule.', {
  type: 'string',
  pattern: faultIdForm.source,
});

/** A Response Object or Request Body Object whose content is JSON (OpenAPI 3.1 §4.8.14). */
export function jsonContent(description: string, schema: JsonObject): JsonObject {
  return { description, content: { 'application/json': { schema } } };
}

/** The parameter that names a resource of a collection. */
export const keyParameter: JsonObject = queryParameter({
  name: 'key',
  description:
    'What the resource is kept under, as a JSON text; a text may go without its quotes where no other key is meant then.',
  required: true,
  schema: { type: 'string', minLength: 1 },
});

/** The largest body that the control interface reads, in bytes: an import may hold a good deal. */
export const mostControlBytes = 67_108_864;

/** The answer where something is asked for that there is not. */
export function notFound(message: string): ControlResult {
  return { status: 404, body: { code: 404, message } };
}

/** A reference to a schema of the document of the control interface. */
export function ref(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** The parameter that names a snapshot. */
export const snapshotNameParameter: JsonObject = pathParameter('name', 'The name of the snapshot.', {
  type: 'string',
  pattern: snapshotNameForm.source,
});

/** The first moment that a text of RFC 3339 §5.6 can name, in milliseconds since 1970: a year has four digits there. */
export const earliestTime: number = Date.parse('0000-01-01T00:00:00.000Z');

/** The last one. */
export const latestTime: number = Date.parse('9999-12-31T23:59:59.999Z');

/** A value whose numbers are JavaScript's, as settings have them: `1.0` is 1. */
export function toPlainNumbers(value: JsonValue): JsonValue {
  if (value instanceof ExactNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map(toPlainNumbers);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toPlainNumbers(member)]));
  }
  return value;
}

/**
 * Answers with a file of the inspector, or undefined where there is no such file. A file holds nothing of the mock.
 *
 * @param path - behind the prefix of the control interface: `/`, `/inspector/page.js`
 */
export type ServePage = (path: string) => MaybePromise<MockAnswer | undefined>;
