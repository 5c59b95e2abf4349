import { buildContract } from '../../contract/build.ts';
import { jsonBodies } from '../../contract/request-facts.ts';
import { resolveObject } from '../../document/references.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import { findDeclaredSuccess, findExactResponse, statusName } from '../../contract/responses.ts';
import { isStructured } from '../../http/codecs/registry.ts';
import { appendPointer, type JsonPointer, pointerTokens } from '../../json/pointer.ts';
import { jsonEqual, type JsonObject, type JsonValue } from '../../json/value.ts';
import { answerExtension, documentValueOf } from '../document-answers.ts';
import type { Policy } from '../policy.ts';
import type { Addition, Declaration, BehaviourId } from '../behaviour.ts';
import { behaviours } from '../behaviours/index.ts';
import {
  addResponses,
  applyChanges,
  type DocumentChange,
  extendSchemas,
  isInDocument,
  mergeSchemas,
} from './changes.ts';

/** A change to the places that a JSONPath selects (OpenAPI Overlay 1.0.0, Action Object). */
export interface OverlayAction {
  readonly target: string;
  readonly description: string;
  /** Merged into an object, or appended to an array. */
  readonly update?: JsonValue;
  readonly remove?: true;
}

/** Changes to a document (OpenAPI Overlay 1.0.0, Overlay Object). */
export interface Overlay {
  readonly overlay: '1.0.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly extends?: string;
  readonly actions: readonly OverlayAction[];
}

/** A value that a policy has and the document does not specify. */
interface GivenValue {
  readonly id: BehaviourId;
  /** Undefined if the behaviour applies to the whole service. */
  readonly operation: Operation | undefined;
  readonly answer: JsonValue;
}

/** A value, and the part of it that OpenAPI cannot express. */
interface DeclaredValue extends GivenValue {
  readonly left: JsonValue;
}

/** A value that remains to be declared. */
interface LeftAnswer extends DeclaredValue {
  /** Whether the document contradicts it by OpenAPI's own means, which override the values at its root. */
  readonly isContradicted: boolean;
}

/** An overlay, and the values of the policy that it cannot declare. */
export interface CreatedOverlay {
  readonly overlay: Overlay;
  /** Values for operations in another file, which an overlay of the document cannot change. */
  readonly unexpressed: readonly DeclaredValue[];
}

/**
 * Declares the values of a policy that a document does not specify (OpenAPI Overlay 1.0.0). It uses OpenAPI's own
 * means. It uses `x-cloche-policy` for the rest, and for numbers that some readers would round. With the overlay
 * applied, the document specifies all these values. It changes only the operations, not the components that they share.
 *
 * @param input.policy - the known values; others are not declared
 * @param input.source - the name of the document in the overlay
 * @throws DocumentError POLICY_INVALID if the document's own `x-cloche-policy` cannot be used
 */
export function createOverlay(input: {
  readonly contract: Contract;
  readonly policy: Partial<Policy>;
  readonly source?: string;
}): CreatedOverlay {
  const { contract, policy, source } = input;
  const given = givenAnswers(contract, policy);
  const declared = contract.operations.map((operation) =>
    declareAnswers(
      given.filter((each) => each.operation === operation),
      { contract, operation },
    ),
  );
  const ofService = given.filter((each) => each.operation === undefined);
  const changes = declared.flatMap((each) => each.changes);
  const answers = [
    ...ofService.map((each) => ({ ...each, left: each.answer })),
    ...declared.flatMap((each) => each.answers),
  ];
  const placed = placeAnswers(listUnexpressed({ contract, answers, changes }), input);
  return {
    overlay: {
      overlay: '1.0.0',
      info: { title: `Behaviour that ${contract.title} does not specify`, version: contract.version },
      ...(source === undefined ? {} : { extends: source }),
      actions: [...changes, ...placed.changes].map(toAction),
    },
    unexpressed: placed.unexpressed,
  };
}

/** Returns the values of a policy that a document does not specify, by behaviour. */
function givenAnswers(contract: Contract, policy: Partial<Policy>): readonly GivenValue[] {
  return Object.values(behaviours).flatMap(({ id, scope }): GivenValue[] => {
    const isOfService = scope === 'service';
    const places = isOfService ? contract.operations.slice(0, 1) : contract.operations;
    return places.flatMap((operation): GivenValue[] => {
      const own = isOfService ? undefined : policy.operations?.[operation.id]?.[id];
      // `as`: values are JSON, as their schemas specify, only read-only.
      const answer = (own ?? policy[id]) as JsonValue | undefined;
      return answer === undefined || documentValueOf({ id, operation, contract }).kind !== 'open'
        ? []
        : [{ id, operation: isOfService ? undefined : operation, answer }];
    });
  });
}

interface Where {
  readonly contract: Contract;
  readonly operation: Operation;
}

/** Declares values for one operation by OpenAPI's own means, as far as possible. */
function declareAnswers(
  given: readonly GivenValue[],
  where: Where,
): { readonly changes: readonly DocumentChange[]; readonly answers: readonly DeclaredValue[] } {
  const { contract, operation } = where;
  if (!isInDocument(contract, operation.pointer)) {
    return { changes: [], answers: given.map((each) => ({ ...each, left: each.answer })) };
  }
  const declared = given.map((each) => ({ each, ...declare(each, where) }));
  const responses = declared.flatMap(({ each, additions }) =>
    additions.flatMap((addition) =>
      addition.kind === 'response'
        ? [{ addition, isClear: isClear(each.id, addition.status, { ...where, given }) }]
        : [],
    ),
  );
  const additions = declared.flatMap((each) => each.additions);
  const extended = (['request-schema', 'answer-schema'] as const).map((kind) => ({
    kind,
    changes: extendBodies(kind, additions, where),
  }));
  const lost = extended.flatMap(({ kind, changes }) => (changes === undefined ? [kind as string] : []));
  return {
    changes: [...addResponses(responses, where), ...extended.flatMap(({ changes }) => changes ?? [])],
    answers: declared.map(({ each, additions: own, answer }) => ({
      ...each,
      left: own.some(({ kind }) => lost.includes(kind)) ? each.answer : answer,
    })),
  };
}

function declare({ id, answer }: GivenValue, where: Where): Declaration<JsonValue> {
  // `as`: a behaviour declares its own values.
  const question = behaviours[id] as unknown as {
    readonly declare?: (input: Where & { readonly answer: JsonValue }) => Declaration<JsonValue>;
  };
  return question.declare?.({ ...where, answer }) ?? { additions: [], answer };
}

/**
 * Returns whether a response can be declared without a second meaning. A body that breaks its schema also gets 400 or
 * 422. If the document declares only one of them, or none, another one would change which of them applies. A status may
 * also specify other behaviours, which is wrong if their values are unknown.
 */
function isClear(
  id: BehaviourId,
  status: number,
  { operation, contract, given }: Where & { readonly given: readonly GivenValue[] },
): boolean {
  if (status === 400 || (status === 422 && findExactResponse(operation, 400) === undefined)) return false;
  const answers = Object.fromEntries(given.map((each) => [each.id, each.answer]));
  const answered = Object.values(behaviours).filter(
    (question) =>
      question.statuses?.includes(status) === true &&
      documentValueOf({ id: question.id, operation, contract }).kind !== 'not-asked',
  );
  return (
    answered.length === 0 ||
    (answered.some((question) => question.id === id) &&
      answered.every(
        (question) => Object.hasOwn(answers, question.id) || question.hiddenBy?.(answers) !== undefined,
      ))
  );
}

/** @returns undefined if the document cannot be changed */
function extendBodies(
  kind: 'request-schema' | 'answer-schema',
  additions: readonly Addition[],
  where: Where,
): readonly DocumentChange[] | undefined {
  const schemas = additions.flatMap((addition) => (addition.kind === kind ? [addition.schema] : []));
  if (schemas.length === 0) return [];
  const schema = mergeSchemas(schemas);
  if (kind === 'request-schema') {
    return extendSchemas({
      ...where,
      holder: ['requestBody'],
      ranges: jsonBodies(where.operation).map(({ range }) => range),
      schema,
      description: 'What its bodies must meet besides.',
    });
  }
  const success = findDeclaredSuccess(where.operation);
  const key = success === undefined ? undefined : responseKey(where, statusName(success.status));
  return success === undefined || key === undefined
    ? []
    : extendSchemas({
        ...where,
        holder: ['responses', key],
        ranges: success.media.filter(isStructured).map(({ range }) => range),
        schema,
        description: 'What its answers hold besides.',
      });
}

/** Returns the status of a response as the document writes it, for example `2xx`. */
function responseKey({ contract, operation }: Where, name: string): string | undefined {
  const responses = resolveObject(contract.root, appendPointer(operation.pointer, 'responses'))?.value ?? {};
  return Object.keys(responses).find((key) => key.toUpperCase() === name.toUpperCase());
}

/** Returns the values that the changed document does not specify by OpenAPI's own means. */
function listUnexpressed(input: {
  readonly contract: Contract;
  readonly answers: readonly DeclaredValue[];
  readonly changes: readonly DocumentChange[];
}): readonly LeftAnswer[] {
  const { contract, answers, changes } = input;
  const { source, openapi } = contract;
  const root = applyChanges(contract.root, changes);
  const changed = buildContract({ source, version: openapi, openapi, root, locate: () => undefined });
  return answers.flatMap((answer): readonly LeftAnswer[] => {
    const { id, operation, left } = answer;
    const now = changed.operations.find((each) => each.id === operation?.id);
    const documentValue =
      now === undefined ? undefined : documentValueOf({ id, operation: now, contract: changed });
    const isSaid =
      documentValue?.kind === 'answered' &&
      documentValue.answer !== undefined &&
      jsonEqual(documentValue.answer, left);
    return isSaid ? [] : [{ ...answer, isContradicted: documentValue?.kind === 'answered' }];
  });
}

/** Returns whether a value applies to the whole service: the policy has it, and all operations need the same. */
function isShared(answer: LeftAnswer, answers: readonly LeftAnswer[], policy: Partial<Policy>): boolean {
  return (
    policy[answer.id] !== undefined &&
    answers.every(
      ({ id, left, isContradicted }) => id !== answer.id || (!isContradicted && jsonEqual(left, answer.left)),
    )
  );
}

/**
 * Declares with `x-cloche-policy` the values that OpenAPI cannot express: at the root if a value applies to the whole
 * service, else on each operation.
 */
function placeAnswers(
  answers: readonly LeftAnswer[],
  { contract, policy }: { readonly contract: Contract; readonly policy: Partial<Policy> },
): Pick<CreatedOverlay, 'unexpressed'> & { readonly changes: readonly DocumentChange[] } {
  const places = new Map<JsonPointer, JsonObject>();
  const unexpressed: DeclaredValue[] = [];
  for (const answer of answers) {
    const isOfService = answer.operation === undefined || isShared(answer, answers, policy);
    const pointer = isOfService ? '' : (answer.operation?.pointer ?? '');
    if (isInDocument(contract, pointer)) {
      places.set(pointer, { ...places.get(pointer), [answer.id]: answer.left });
    } else {
      unexpressed.push(answer);
    }
  }
  const changes = [...places].map(([pointer, value]): DocumentChange => ({
    pointer,
    description: 'What OpenAPI has no words for.',
    change: { kind: 'update', value: { [answerExtension]: value } },
  }));
  return { changes, unexpressed };
}

function toAction({ pointer, description, change }: DocumentChange): OverlayAction {
  const target = toJsonPath(pointer);
  return change.kind === 'remove'
    ? { target, description, remove: true }
    : { target, description, update: change.value };
}

/** A quoted name must not contain unescaped controls (RFC 9535 §2.3.1.1). */
function quote(name: string): string {
  const escaped = name
    .replaceAll('\\', '\\\\')
    .replaceAll("'", String.raw`\'`)
    .replaceAll(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `['${escaped}']`;
}

/** Returns the JSONPath that selects only the place of a pointer (RFC 9535 §2.3): `$.paths['/orders'].post`. */
export function toJsonPath(pointer: JsonPointer): string {
  const segments = pointerTokens(pointer).map((token) =>
    /^[A-Za-z_]\w*$/u.test(token) ? `.${token}` : quote(token),
  );
  return `$${segments.join('')}`;
}
