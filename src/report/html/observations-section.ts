import { questions } from '../../policy/questions.ts';
import { collectAnswers } from '../collect-answers.ts';
import { markup, type Markup } from './markup.ts';
import type { Page } from './page.ts';

/** What the document leaves open and how the service answers it, question by question. */
export function renderObservations({ run, redactor }: Page): Markup {
  const groups = collectAnswers(run.result.observations).map(({ question, answers }) => {
    const given = answers.map(
      ({ answer, count }) =>
        markup`<dd>${redactor.text(answer)} <span class="aside">${count.toLocaleString('en-US')}×</span></dd>`,
    );
    return markup`<div>
      <dt>${questions[question].question} <code>${question}</code></dt>
      ${given}
    </div> `;
  });
  return markup`<dl class="questions">${groups}</dl>`;
}
