import { describeReceived } from '../../check/describe.ts';
import { isAccepted, jsonContent } from '../../check/classify/answer.ts';
import { readAnswerMembers, readErrorCode } from '../../check/drift/observed.ts';
import type { CheckedExchange } from '../../check/classify/subject.ts';
import { memberAt, holdsSame } from '../../json/pointer.ts';
import { isJsonObject, jsonEqual } from '../../json/value.ts';
import { schemaAt, schemaProperties } from '../../schema/properties.ts';

/** Returns whether all parsers agree on the values of a body; the choice of duplicate keys is a behaviour. */
function isReadAlike({ request: { body } }: CheckedExchange): boolean {
  if (body.kind !== 'valid') return false;
  return body.grade.kind !== 'ambiguous' || body.grade.questions.includes('duplicate-keys-in-json');
}

/**
 * Returns the first declared member that was sent and that two services return differently for a create. Generated
 * values are ignored. An empty text may be omitted.
 */
function sameMembers(mine: CheckedExchange, other: CheckedExchange): string | undefined {
  const { operation, request, answer } = mine;
  const { body } = request;
  if (operation?.kind.kind !== 'create' || !isAccepted(answer) || answer.kind === 'none') return undefined;
  const { response = [], request: within } = operation.kind;
  const [left, right] = [mine, other].map((one) => memberAt(jsonContent(one.answer), response));
  const sent = body.kind === 'valid' && isReadAlike(mine) ? memberAt(body.value, within) : undefined;
  if (!isJsonObject(left) || !isJsonObject(right) || !isJsonObject(sent)) return undefined;
  // Ids differ if each service received a different one.
  const sentToOther =
    other.request.body.kind === 'valid' ? memberAt(other.request.body.value, within) : undefined;
  const schema = answer.content.kind === 'json' ? answer.content.media?.schema?.schema : undefined;
  const names = [...schemaProperties(schemaAt(schema, response))].flatMap(([name, { readOnly, writeOnly }]) =>
    readOnly || writeOnly || !holdsSame(sent, sentToOther, name) ? [] : [name],
  );
  return names.find((name) => {
    const [one, two] = [left, right].map((content) => memberAt(content, [name]));
    if (one === undefined || two === undefined) return one !== two && sent[name] !== '';
    return !jsonEqual(one, two);
  });
}

/** The difference of two responses to one request, with a text for each that omits generated values. */
export interface Difference {
  /**
   * `answer`: there is a response from only one, or the failures differ; `shape`: no content, a problem (RFC 9457), or
   * other content; `code`: the one integer in an error response; `members`: values that were sent and returned; `more`:
   * members that the document does not declare.
   */
  readonly what: 'answer' | 'status' | 'shape' | 'code' | 'members' | 'more';
  readonly words: readonly [mine: string, other: string];
}

/** Returns the kind of content of a response, as policies distinguish it. */
function shapeOf({ answer, exchange }: CheckedExchange): 'empty' | 'problem' | 'content' {
  if (answer.kind === 'none' || exchange.request.method === 'HEAD' || answer.content.kind === 'none') {
    return 'empty';
  }
  const type = describeReceived(answer);
  return type.includes('application/problem+json') ? 'problem' : 'content';
}

function compareWords(
  what: Difference['what'],
  [mine, other]: readonly [string, string],
): Difference | undefined {
  return mine === other ? undefined : { what, words: [mine, other] };
}

function compareContents(mine: CheckedExchange, other: CheckedExchange): Difference | undefined {
  // The content of a response to an undeclared operation is not compared.
  if (mine.operation === undefined) return undefined;
  const shape = compareWords('shape', [shapeOf(mine), shapeOf(other)]);
  if (shape !== undefined) {
    return { ...shape, words: [withShape(mine, shape.words[0]), withShape(other, shape.words[1])] };
  }
  if (!isAccepted(mine.answer)) {
    const codes = [readErrorCode(mine), readErrorCode(other)] as const;
    return codes[0] === undefined || codes[1] === undefined
      ? undefined
      : compareWords('code', [`the code ${codes[0]}`, `the code ${codes[1]}`]);
  }
  const members = [readAnswerMembers(mine), readAnswerMembers(other)] as const;
  const changed = sameMembers(mine, other);
  if (changed !== undefined) return { what: 'members', words: [`its own ${changed}`, `another ${changed}`] };
  return members[0] === undefined || members[1] === undefined
    ? undefined
    : compareWords('more', [members[0].words, members[1].words]);
}

function withShape({ answer }: CheckedExchange, shape: string): string {
  return `${describeReceived(answer)}${shape === 'empty' ? ', no content' : ''}`;
}

/**
 * Compares two responses to one request by status, kind of content, error code, and the members that were sent with a
 * create, but not by generated values. Returns the gravest difference, or undefined if there is none.
 */
export function findDifference(mine: CheckedExchange, other: CheckedExchange): Difference | undefined {
  const words = [describeReceived(mine.answer), describeReceived(other.answer)] as const;
  if (mine.answer.kind === 'none' || other.answer.kind === 'none') {
    const kinds = [mine, other].map(({ exchange }) => exchange.answer.kind);
    return kinds[0] === kinds[1] ? undefined : { what: 'answer', words };
  }
  if (mine.answer.response.status !== other.answer.response.status) return { what: 'status', words };
  return compareContents(mine, other);
}
