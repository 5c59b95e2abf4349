import { jsonSchemaOf } from '../../contract/request-facts.ts';
import { maySayInvalid, declaresExactly } from '../../contract/responses.ts';
import { decodeUtf8 } from '../../http/bytes.ts';
import { findStructured } from '../../http/codecs/registry.ts';
import { parseJson } from '../../json/parse.ts';
import { memberAt, holdsSame } from '../../json/pointer.ts';
import { isJsonObject, jsonEqual, type JsonValue } from '../../json/value.ts';
import { schemaProperties } from '../../schema/properties.ts';
import { isOpenByWord } from '../../schema/walk.ts';
import { classifyStatus, isAccepted, readCreated, statusOf } from '../classify/answer.ts';
import { accepts, gradeBody, isOrdinaryProperty, unusualSpelling } from '../classify/body.ts';
import type { CheckContext, Mutation } from '../classify/subject.ts';
import {
  bodyRefusals,
  hasOnly,
  type PolicyExpectation,
  type PolicyRule,
  type PolicyRuleInput,
  isRefusedForContent,
} from './evidence.ts';
import {
  givesBack,
  type Observe,
  readAnswerMembers,
  type ShownBehaviours,
  undeclaredMembers,
} from './observed.ts';

/** Enforces the response to a body in an undeclared media type. */
const enforceMediaType: PolicyRule = (input) => {
  const { subject, context, confounders } = input;
  const { body, bodyBytes } = subject.request;
  // Services read an empty body in many ways.
  if (body.kind !== 'other-media' || bodyBytes === 0) return undefined;
  if (!hasOnly(confounders, 'media-type', 'key', 'constraint', 'unique')) return undefined;
  const answer = context.policy['unsupported-media-type'];
  const status = statusOf(subject);
  if (answer !== 'read') {
    const isDeclared = answer === 400 && classifyStatus(subject.answer) === 'refused';
    return { expected: String(answer), holds: status === answer || isDeclared };
  }
  // If the content is read anyway, another notation is malformed and is rejected.
  const mustBeTaken = body.plainJson !== undefined && hasOnly(confounders, 'media-type');
  return {
    expected: 'it is read as though it had the declared media type',
    holds: mustBeTaken ? !isRefusedForContent(input) : status !== 415,
  };
};

/** Enforces the maximum number of bytes of a body, and the status past it. */
const enforceBodyLimit: PolicyRule = (input) => {
  const { subject, context, confounders } = input;
  const { bytes, status: past } = context.policy['body-limit'];
  // Plain except for its white space, so only its size can be a reason to reject it.
  const isPlainInside = isUnusualOnlyBy(input, ({ words }) => words === unusualSpelling);
  if (!isPlainInside || !hasOnly(confounders, 'size', 'unusual')) return undefined;
  const status = statusOf(subject);
  if (confounders.has('size')) {
    const isDocuments = status === 413 && declaresExactly(subject.operation, 413);
    // 400 represents any status that a document declares for rejected bodies: 422 or another one.
    const isOwn = maySayInvalid(status) && declaresExactly(subject.operation, status);
    const isRefused = past === 400 && (bodyRefusals.has(status) || isOwn);
    return {
      expected: `${past}, as it has more than ${bytes} bytes`,
      holds: status === past || isDocuments || isRefused,
    };
  }
  // For a short body, 400 is more likely to have another reason.
  const isShort = subject.request.bodyBytes <= Math.max(context.longestPlainBody, 1_024);
  return {
    expected: `it is read, as it has no more than ${bytes} bytes`,
    holds: !(status === 413 || (!isShort && isRefusedForContent(input))),
  };
};

/** Returns whether a body is valid and has only the given mutations. */
function isUnusualOnlyBy({ subject }: PolicyRuleInput, isGiven: (mutation: Mutation) => boolean): boolean {
  const { body } = subject.request;
  if (body.kind !== 'valid' || body.grade.kind === 'ambiguous') return false;
  return body.grade.kind === 'plain' || body.grade.mutations.every(isGiven);
}

const ofNumbers = ['a number past 2^53', 'a number past 2^31', 'zero', 'a number below one'];

/** Mutations of length and size. Other checks report rejected characters, as warnings. */
const ofExtent = new Set(['an empty text', 'a long text', 'an empty list', 'a long list', ...ofNumbers]);

/** Enforces bounds of values: values that the policy refuses are rejected, and values of other sizes are accepted. */
const enforceConstraints: PolicyRule = (input) => {
  const { subject, confounders } = input;
  if (subject.request.body.kind !== 'valid') return undefined;
  if (confounders.has('constraint')) {
    return hasOnly(confounders, 'constraint', 'unusual', 'unique')
      ? { expected: 'it is refused, as a value is out of its bounds', holds: !isAccepted(subject.answer) }
      : undefined;
  }
  const isOfExtent = isUnusualOnlyBy(input, ({ words }) => ofExtent.has(words));
  return hasOnly(confounders, 'unusual') && isOfExtent && isRefusedForContent(input)
    ? { expected: 'it is accepted, as every value is within its bounds', holds: false }
    : undefined;
};

/** Enforces the response to properties that the schema of the request does not declare. */
const enforceUndeclaredProperties: PolicyRule = (input) => {
  const { subject, context, confounders } = input;
  const sent = hasOnly(confounders, 'undeclared-property') ? readUndeclared(input) : [];
  if (sent.length === 0) return undefined;
  const wasAccepted = isAccepted(subject.answer);
  const answer = context.policy['undeclared-properties'];
  if (answer === 'refuse') return { expected: 'it is refused', holds: !wasAccepted };
  const isWrong = wasAccepted ? isShown(input, sent) === (answer === 'ignore') : isRefusedForContent(input);
  const shows = answer === 'ignore' ? 'does not show' : 'shows';
  return { expected: `it is accepted, and the response ${shows} the property`, holds: !isWrong };
};

/** Lists the undeclared properties of a body that is otherwise plain; empty for other bodies. */
function readUndeclared({
  subject,
}: PolicyRuleInput): readonly (readonly [name: string, value: JsonValue])[] {
  const { body } = subject.request;
  if (body.kind !== 'valid' || body.grade.kind !== 'extreme' || !isJsonObject(body.value)) return [];
  // A document that explicitly accepts any property specifies the behaviour.
  if (isOpenByWord(jsonSchemaOf(subject.operation?.requestBody?.media) ?? true)) return [];
  const names = body.grade.mutations.map(({ place }) => place.slice(1));
  const members = Object.entries(body.value).filter(
    ([name, value]) => names.includes(name) && isOrdinaryProperty(name, value),
  );
  return members.length === names.length ? members : [];
}

/** Returns whether the response shows the properties; undefined if that is not certain. */
function isShown(
  { subject, context }: PolicyRuleInput,
  sent: readonly (readonly [name: string, value: JsonValue])[],
): boolean | undefined {
  const created = echoesExactly(context) ? readCreated(subject) : undefined;
  if (created?.schema === undefined) return undefined;
  const { received, schema } = created;
  // The service may have a declared property from another source.
  const declared = schemaProperties(schema.schema);
  if (sent.some(([name]) => declared.has(name))) return undefined;
  // It may also show properties of the item in the envelope of the body.
  const { kind } = subject.operation ?? {};
  const path = kind !== undefined && 'request' in kind ? kind.request : [];
  const item =
    path.length > 0 && subject.request.body.kind === 'valid'
      ? memberAt(subject.request.body.value, path)
      : undefined;
  if (isJsonObject(item) && sent.some(([name]) => Object.hasOwn(item, name))) return undefined;
  const shown = sent.filter(([name, value]) => holdsSame(received, { [name]: value }, name));
  if (shown.length > 0) return shown.length === sent.length ? true : undefined;
  // If the schema does not allow the property in the response, its absence shows nothing.
  return accepts(schema, { ...received, ...Object.fromEntries(sent) }) ? false : undefined;
}

function echoesExactly({ enforced, policy }: CheckContext): boolean {
  return enforced.has('echo') && policy.echo === 'exact';
}

/** Enforces the response to integers outside the range of their format. */
const enforceInt64Range: PolicyRule = (input) =>
  enforceNumbers('int64-range', input, input.context.policy['int64-range'] === 'refuse');

/** Enforces the response to integers written with a fraction or an exponent. */
const enforceIntegerNotation: PolicyRule = (input) =>
  enforceNumbers('integer-notation', input, input.context.policy['integer-notation'] === 'no');

/** Enforces the response to ambiguous numbers, if nothing else in the request is ambiguous. */
function enforceNumbers(
  question: 'int64-range' | 'integer-notation',
  input: PolicyRuleInput,
  refuses: boolean,
): PolicyExpectation | undefined {
  const { subject, confounders } = input;
  const { body } = subject.request;
  if (body.kind !== 'valid' || body.grade.kind !== 'ambiguous' || !hasOnly(confounders, 'ambiguous', 'key')) {
    return undefined;
  }
  const { questions: open } = body.grade;
  if (!open.includes(question)) return undefined;
  if (refuses) return { expected: 'it is refused', holds: !isAccepted(subject.answer) };
  const isAlone = open.length === 1 && hasOnly(confounders, 'ambiguous');
  return isAlone && isRefusedForContent(input) && isOtherwisePlain(input)
    ? { expected: 'it is taken', holds: false }
    : undefined;
}

/** Returns whether only the notation or the size of ambiguous numbers is unusual in a body. */
function isOtherwisePlain({ subject }: PolicyRuleInput): boolean {
  const { body } = subject.request;
  const schema = jsonSchemaOf(subject.operation?.requestBody?.media);
  if (body.kind !== 'valid' || schema === undefined) return false;
  const grade = gradeBody(body.value, schema);
  const ofNotation = [...ofNumbers, 'a number with a fraction or an exponent'];
  return grade.kind !== 'extreme' || grade.mutations.every(({ words }) => ofNotation.includes(words));
}

/** Enforces which of several equal keys of a JSON object counts (RFC 8259 §4 does not specify it). */
const enforceDuplicateKeysInJson: PolicyRule = (input) => {
  const { subject, context, confounders } = input;
  const { body } = subject.request;
  const question = 'duplicate-keys-in-json';
  const isAbout =
    body.kind === 'valid' && body.grade.kind === 'ambiguous' && body.grade.questions.includes(question);
  if (!isAbout || !hasOnly(confounders, 'ambiguous', 'key', 'unique', 'constraint')) return undefined;
  const answer = context.policy[question];
  const wasAccepted = isAccepted(subject.answer);
  if (answer === 'refuse') return { expected: 'it is refused', holds: !wasAccepted };
  const counts = readAs(input, answer);
  const other = readAs(input, answer === 'first' ? 'last' : 'first');
  if (counts === undefined || other === undefined || !hasOnly(confounders, 'ambiguous')) return undefined;
  const expected = `the ${answer} of duplicate keys counts`;
  if (!wasAccepted) return { expected, holds: !(counts.kind === 'plain' && isRefusedForContent(input)) };
  const isOther = echoesExactly(context) && shows(input, counts.value, other.value) === false;
  return { expected, holds: counts.kind !== 'invalid' && !isOther };
};

interface Reading {
  readonly value: JsonValue;
  readonly kind: 'plain' | 'unusual' | 'invalid';
}

/** Returns the body as parsed with the first or the last of equal keys. */
function readAs({ subject }: PolicyRuleInput, which: 'first' | 'last'): Reading | undefined {
  const text = decodeUtf8(subject.exchange.request.body ?? new Uint8Array());
  const schema = findStructured(subject.operation?.requestBody?.media)?.schema;
  const json =
    text === undefined ? undefined : parseJson(text, which === 'first' ? { duplicateKey: 'first' } : {});
  if (schema === undefined || json?.kind !== 'json') return undefined;
  const { value, exact } = json;
  if (schema.validator({ formats: 'assert', integers: 'by-value' })(value, exact).length > 0) {
    return { value, kind: 'invalid' };
  }
  return { value, kind: gradeBody(value, schema.schema).kind === 'plain' ? 'plain' : 'unusual' };
}

/** Returns whether a response shows the wanted value if two readings differ; undefined if it shows neither or both. */
function shows({ subject }: PolicyRuleInput, wanted: JsonValue, other: JsonValue): boolean | undefined {
  const { answer } = subject;
  if (answer.kind === 'none' || answer.content.kind !== 'json') return undefined;
  const { json, media } = answer.content;
  const received = json.value;
  if (!isJsonObject(received) || !isJsonObject(wanted) || !isJsonObject(other)) return undefined;
  const telling = [...schemaProperties(media?.schema?.schema)].flatMap(([name, { readOnly, writeOnly }]) => {
    const [one, two, back] = [wanted, other, received].map((object) => memberAt(object, [name]));
    const isTelling = one !== undefined && two !== undefined && back !== undefined && !jsonEqual(one, two);
    return isTelling && !readOnly && !writeOnly ? [{ one, two, back }] : [];
  });
  if (telling.length === 0) return undefined;
  if (telling.every(({ one, back }) => jsonEqual(one, back))) return true;
  return telling.every(({ two, back }) => jsonEqual(two, back)) ? false : undefined;
}

/** Assumes that a limit is a power of two or a round number below it. */
const observeBodyLimit: Observe = (observed, policy) => {
  const { bodyBytes } = observed.request;
  const status = statusOf(observed);
  if (isAccepted(observed.answer)) {
    const { bytes, status: past } = policy['body-limit'];
    return { bytes: Math.max(bytes, 2 ** Math.ceil(Math.log2(bodyBytes))), status: past };
  }
  const bytes = 2 ** Math.floor(Math.log2(bodyBytes - 1));
  return status === 413 || status === 400 ? { bytes, status } : undefined;
};

const observeUndeclared: Observe = (observed) => {
  if (!isAccepted(observed.answer)) {
    const isOrdinary = undeclaredMembers(observed).some(([name, value]) => isOrdinaryProperty(name, value));
    return isOrdinary ? 'refuse' : undefined;
  }
  return (readAnswerMembers(observed)?.kept.length ?? 0) > 0 ? 'store' : 'ignore';
};

/** The policy behaviours about bodies, in the order in which they are enforced. */
export const bodyBehaviours: ShownBehaviours = {
  'unsupported-media-type': {
    enforce: enforceMediaType,
    observe: (observed) =>
      isAccepted(observed.answer) ? 'read' : [400, 415].find((status) => status === statusOf(observed)),
  },
  'body-limit': { enforce: enforceBodyLimit, observe: observeBodyLimit },
  constraints: { enforce: enforceConstraints },
  'undeclared-properties': { enforce: enforceUndeclaredProperties, observe: observeUndeclared },
  'int64-range': {
    enforce: enforceInt64Range,
    observe: ({ answer }) => (isAccepted(answer) ? 'accept' : 'refuse'),
  },
  'integer-notation': {
    enforce: enforceIntegerNotation,
    observe: ({ answer }) => (isAccepted(answer) ? 'yes' : 'no'),
  },
  'duplicate-keys-in-json': {
    enforce: enforceDuplicateKeysInJson,
    observe(observed) {
      if (!isAccepted(observed.answer)) return 'refuse';
      return givesBack(observed) ? 'last' : 'first';
    },
  },
};
