import type { Contract, Operation } from '../../contract/contract.ts';
import { statusName } from '../../contract/responses.ts';
import { appendPointer, memberAt, resolvePointer } from '../../json/pointer.ts';
import { isJsonObject } from '../../json/value.ts';
import type { SequenceConclusion } from '../define-check.ts';
import { type CheckId, type Clause, type Finding, type Qualification, quoteRfc } from '../finding.ts';
import type { Step } from './trace-steps.ts';

/** A conclusion from a trace, with the check that it belongs to. */
export type StatefulConclusion = StatedConclusion & { readonly check: CheckId };

/** A conclusion with its clause and its cause. */
export type StatedConclusion = SequenceConclusion & Pick<Finding, 'clause' | 'cause'>;

/** Records a conclusion from some steps; `shownBy` may be in any order and have duplicates. */
export type Conclude = (
  check: CheckId,
  conclusion: Omit<StatedConclusion, 'of' | 'shownBy'> & {
    readonly of: Step;
    readonly shownBy: readonly Step[];
  },
) => void;

/** Collects conclusions. */
export function createConclusions(): {
  readonly all: readonly StatefulConclusion[];
  readonly conclude: Conclude;
} {
  const all: StatefulConclusion[] = [];
  return {
    all,
    conclude(check, { of, shownBy, ...conclusion }) {
      const steps = [...new Set(shownBy)].toSorted((left, right) => left.index - right.index);
      all.push({ ...conclusion, check, of: of.judged, shownBy: steps.map(({ judged }) => judged) });
    },
  };
}

/** The clause that safe methods change nothing. */
export const safeMethodClause: Clause = quoteRfc(
  'RFC 9110 §9.2.1',
  'Request methods are considered "safe" if their defined semantics are essentially read-only',
);

/** The clause by which a created item is found (RFC 9110 §15.3.2). */
export const primaryResource: Clause = quoteRfc(
  'RFC 9110 §15.3.2',
  'The primary resource created by the request is identified by either a Location header field in the response or, if no Location header field is received, by the target URI',
);

/** The clause that a PUT replaces the whole state (RFC 9110 §9.3.4). */
export const replaceClause: Clause = quoteRfc(
  'RFC 9110 §9.3.4',
  'The PUT method requests that the state of the target resource be created or replaced with the state defined by the representation enclosed in the request message content',
);

/** Returns the clause that specifies an update in the notation of the step. */
export function patchClause({ notation }: Step): Clause {
  switch (notation) {
    case 'json-patch':
      return quoteRfc(
        'RFC 6902 §4',
        'Operation objects MUST have exactly one "op" member, whose value indicates the operation to perform',
      );
    case 'merge-patch':
      return quoteRfc(
        'RFC 7396 §2',
        'Null values in the merge patch are given special meaning to indicate the removal of existing values in the target',
      );
    case 'plain':
      return quoteRfc(
        'RFC 5789 §2',
        'The PATCH method requests that a set of changes described in the request entity be applied to the resource identified by the Request-URI',
      );
  }
}

/** Words for a replace that keeps what it omits. */
export const partial: RegExp =
  /\bpartial|\bmerge|\b(?:omitt?\w*|left out|missing|absent|not (?:given|sent|provided|specified))\b.*\b(?:unchanged|ke[ep]+t?s?|stays?|remains?|preserve\w*|not (?:changed|modified|updated|touched))\b|\bonly (?:the )?(?:(?:\w+ ){0,2}(?:have|has|needs?) to be )?(?:given|provided|specified|sent|supplied)\b/iu;

/** Returns the words with which the document may describe responses that do not show the value of a property. */
export function withheld(name: string): RegExp {
  return new RegExp(
    `^(?=.*\\b${name.replaceAll(/\W/gu, '\\W')}\\b).*\\b(?:except|without|omit\\w*|hid(?:e|es|den)|mask\\w*|redact\\w*|never|not (?:shown|returned|included))\\b`,
    'isu',
  );
}

// A sentence ends with a full stop, or with its paragraph.
const split = (text: string): readonly string[] =>
  text.split(/(?<=[.!?])\s+|\n{2,}/u).map((each) => each.trim());

const sentences = new WeakMap<Operation, readonly Qualification[]>();

/**
 * Lists the sentences of what the document says of an operation: its summary, its description, its id, and the
 * descriptions of its responses.
 */
export function sentencesOf(operation: Operation, contract: Contract): readonly Qualification[] {
  const known = sentences.get(operation);
  if (known !== undefined) return known;
  const described = resolvePointer(contract.root, operation.pointer);
  const texts = [
    ...['summary', 'description', 'operationId'].map(
      (name) => [[name], isJsonObject(described) ? described[name] : undefined] as const,
    ),
    ...operation.responses.map(
      ({ status, description }) => [['responses', statusName(status), 'description'], description] as const,
    ),
  ];
  const found = texts.flatMap(([path, text]) =>
    typeof text === 'string'
      ? split(text).map((quote) => ({ pointer: appendPointer(operation.pointer, ...path), quote }))
      : [],
  );
  sentences.set(operation, found);
  return found;
}

/** Lists the sentences of the description of the whole document. */
export function infoSentences({ root }: Contract): readonly string[] {
  const described = memberAt(root, ['info', 'description']);
  return typeof described === 'string' ? split(described) : [];
}

/**
 * Lowers a conclusion to a warning if a sentence in the description of one of its operations has some words. Prose is
 * not read well enough to allow a response, or to forbid it.
 */
export function qualify(
  steps: readonly (Step | undefined)[],
  contract: Contract,
  words: RegExp,
): Pick<StatedConclusion, 'level' | 'qualification'> {
  for (const step of steps) {
    const stated = step?.operation === undefined ? [] : sentencesOf(step.operation, contract);
    const qualification = stated.find(({ quote }) => words.test(quote));
    if (qualification !== undefined) return { level: 'warning', qualification };
  }
  return {};
}
