import { expect, test } from 'vitest';
import type { Finding } from '../../check/finding.ts';
import { createPaint } from '../../errors/console-text.ts';
import type { QuestionId } from '../../policy/question.ts';
import { renderDriftHint } from './finding.ts';

function find(check: Finding['check'], question: QuestionId): { readonly finding: Finding } {
  return {
    finding: {
      check,
      level: 'violation',
      operation: 'createThing',
      clause: { kind: 'policy', question, quote: '' },
      expected: '',
      received: '',
      cause: '',
    },
  };
}

const plain = { paint: createPaint(false) };

test('names each question that drifted once, to be asked again', () => {
  const found = [find('drift', 'echo'), find('drift', 'accept'), find('drift', 'echo')];
  expect(renderDriftHint(found, plain)).toEqual([
    '',
    'If the service is meant to answer so, let the policy say so: by hand, or with cloche learn --question echo --question accept.',
  ]);
});

test('says nothing where nothing drifted', () => {
  expect(renderDriftHint([find('left-open', 'echo')], plain)).toEqual([]);
});
