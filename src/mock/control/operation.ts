import type { Contract } from '../../contract/contract.ts';
import { ExactNumber } from '../../json/exact-number.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Policy } from '../../policy/policy.ts';
import type { MockClock } from '../clock.ts';
import type { FaultRules } from '../faults/fault.ts';
import type { RequestLog } from '../log/filter.ts';
import type { MaybePromise, MockResponse, ResetPart } from '../message.ts';
import type { ChangeReport } from '../state/migrate-state.ts';
import type { MockChange } from '../reload.ts';
import type { MockState } from '../state/rows.ts';
import type { StoreLocation } from '../store/store.ts';
import type { BodyOf, ControlOperationId, controlLines, ParametersOf, ShownOf } from './calls.ts';

/** What every path of the control interface begins with. */
export const controlPrefix = '/__cloche';

/** The largest body that the control interface reads, in bytes: an import may hold a good deal. */
export const mostControlBytes = 67_108_864;

/** What the operations of the control interface act on. */
export interface ControlContext {
  readonly mock: {
    readonly contract: Contract;
    readonly policy: Policy;
    readonly notices: readonly string[];
    readonly clock: MockClock;
    readonly requests: RequestLog;
    readonly faults: FaultRules;
    readonly state: MockState;
    readonly change: (next: MockChange) => Promise<ChangeReport>;
    readonly reset: (parts?: readonly ResetPart[]) => Promise<void>;
  };
  /** What is said of the mock besides what it shows itself. */
  readonly facts: {
    /** Of this package. */
    readonly version: string;
    /** Milliseconds since 1970. */
    readonly startedAt: number;
    readonly store: StoreLocation['kind'];
    /** The answers that the policy was made of, where neither the defaults nor the document speak. */
    readonly givenPolicy: () => Partial<Policy>;
    /** Whether there are credentials that alone are let in. */
    readonly hasTokens: boolean;
  };
}

/** A request to an operation of the control interface that its document allows. */
export interface ControlRequest<Id extends ControlOperationId> {
  /** Those that were sent. */
  readonly parameters: ParametersOf<Id>;
  /** Its numbers have their digits, see {@link toPlainNumbers}. */
  readonly body: BodyOf<Id>;
}

/** The response of an operation of the control interface. */
export interface ControlResult<Shown = unknown> {
  readonly status: number;
  /** JSON, except that undefined members are left out; undefined for a response without content. */
  readonly body?:
    | Shown
    | { readonly code: number; readonly message: string; readonly rows?: unknown }
    | undefined;
  /** The path of a new item, without the prefix. */
  readonly location?: string;
}

/** An operation of the control interface: its Operation Object (OpenAPI 3.1 §4.8.10), and its handler. */
export interface ControlOperation<Id extends ControlOperationId, Shown = ShownOf<Id>> {
  readonly summary: string;
  readonly parameters?: JsonObject[];
  readonly requestBody?: JsonObject;
  /** The successes; the others are added. */
  readonly responses: JsonObject;
  /** Its own refusals besides those that every operation has. */
  readonly refuses?: readonly (404 | 422)[];
  /**
   * Returns the response, or nothing for 204.
   *
   * @throws ClocheError if the request asks for something impossible; nothing was changed then
   */
  readonly handle: (
    request: ControlRequest<Id>,
    context: ControlContext,
  ) => MaybePromise<ControlResult<Shown> | (undefined extends Shown ? void : never)>;
}

/** The operations of the control interface, by their ids. */
export type ControlOperations = {
  readonly [Id in ControlOperationId]: ControlOperation<Id>;
};

/** Those of them whose paths begin so. */
export type OperationsAt<Path extends string> = {
  readonly [
    Id in ControlOperationId as (typeof controlLines)[Id] extends `${string} ${Path}${string}` ? Id : never
  ]: ControlOperation<Id>;
};

/**
 * Answers with a file of the inspector, or undefined where there is no such file. A file holds nothing of the mock.
 *
 * @param path - behind the prefix of the control interface: `/`, `/inspector/page.js`
 */
export type ServePage = (path: string) => MaybePromise<MockResponse | undefined>;

/** A text (JSON Schema). */
export function text(description: string): { readonly type: 'string'; readonly description: string } {
  return { type: 'string', description };
}

/** A number of things (JSON Schema). */
export function count(description: string): JsonObject {
  return { type: 'integer', minimum: 0, description };
}

/** A whole number from a bound on, as far as JavaScript counts (JSON Schema). */
export function whole(minimum: number): JsonObject {
  return { type: 'integer', minimum, maximum: Number.MAX_SAFE_INTEGER };
}

/** A list of what a schema of the document of the control interface describes. */
export function listOf(name: string): JsonObject {
  return { type: 'array', items: ref(name) };
}

/** A Parameter Object of the query that may be left out (OpenAPI 3.1 §4.8.12). */
export function queryParameter(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: 'query', description, required: false, schema };
}

/** A Parameter Object of the path. */
export function pathParameter(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: 'path', description, required: true, schema };
}

/** A Response Object whose content is JSON, or a Request Body Object that may be left out (OpenAPI 3.1 §4.8.14). */
export function jsonContent(description: string, schema: JsonObject): JsonObject {
  return { description, content: { 'application/json': { schema } } };
}

/** A Request Body Object that is JSON (OpenAPI 3.1 §4.8.13). */
export function jsonBody(description: string, schema: JsonObject): JsonObject {
  return { required: true, ...jsonContent(description, schema) };
}

/** A reference to a schema of the document of the control interface. */
export function ref(name: string): JsonObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** The schema of an object that has all of its properties but for the optional ones. */
export function record(properties: JsonObject, optional: readonly string[] = []): JsonObject {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', required, properties };
}

/** The response to a request that was carried out. */
export function ok<Shown>(body: Shown): ControlResult<Shown> {
  return { status: 200, body };
}

/** The answer to a request that is not carried out; the message says why, as a sentence. */
export function refuse(status: number, message: string): ControlResult<never> {
  return { status, body: { code: status, message } };
}

/** A value whose numbers are JavaScript's, as settings have them: `1.0` is 1. */
export function toPlainNumbers<T>(value: T): T;
export function toPlainNumbers(value: unknown): unknown {
  if (value instanceof ExactNumber) return Number(value.text);
  if (Array.isArray(value)) return value.map((item: unknown) => toPlainNumbers(item));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toPlainNumbers(member)]));
  }
  return value;
}
