import { parseJson } from '../json/parse-json.ts';
import { applyEdits } from './apply-edits.ts';
import type { Body } from './body.ts';
import type { Cases } from './cases.ts';
import { distinctBodies } from './distinct-bodies.ts';
import { joinParts } from './join-parts.ts';
import { jsonCorpus } from './json-corpus.ts';
import { judgeValue } from './judge-value.ts';
import type { PlainBody } from './plain-body.ts';

/** Deeper than the deepest text of the corpus that is JSON. */
const maxDepth = 1_000;

/**
 * Plain bodies with a property that no schema declares, whose value is a text of the public corpus: those that
 * every parser must take, and those about which RFC 8259 leaves it to the parser (numbers past the range of a
 * double, lone surrogates, depth).
 */
export function validCorpus(body: PlainBody): Cases<Body> {
  const texts = [...jsonCorpus('accepted'), ...jsonCorpus('open')];
  const examples = texts.flatMap((text): Body[] => {
    const json = parseJson(text, { maxDepth });
    if (json.kind !== 'json') {
      return [];
    }
    const { value } = json;
    const edited = applyEdits(body, body.fullest, [{ kind: 'put', at: '/extra', value, text: [text] }]);
    const isValid = edited !== undefined && judgeValue(body.schema, edited.value) === 'valid';
    return isValid ? [joinParts(edited.tokens)] : [];
  });
  return { examples: distinctBodies(examples), arbitrary: undefined };
}
