import type { Exchange } from '../http/exchange.ts';
import type { QuestionId } from '../policy/question-id.ts';
import type { LearntQuestion } from './learnt.ts';

/** What happens while a service is asked, in order. */
export type LearnEvent =
  | {
      readonly kind: 'exchange';
      readonly operationId: string;
      /** `sample`: it finds out which plain request is taken. */
      readonly question: QuestionId | 'sample';
      readonly exchange: Exchange;
    }
  | { readonly kind: 'waiting'; readonly status: number; readonly ms: number }
  | { readonly kind: 'question'; readonly learnt: LearntQuestion };
