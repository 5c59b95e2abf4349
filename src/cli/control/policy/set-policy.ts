import type { JsonObject } from '../../../json/json-value.ts';
import type { Action } from '../action.ts';
import { parseAnswers } from '../../policy/parse-answers.ts';
import { showPolicyOf } from './show-policy.ts';

/** `cloche policy set` */
export const setPolicy: Action = {
  options: { answer: { describe: 'QUESTION=ANSWER or OPERATION:QUESTION=ANSWER; several go together' } },
  async act(client, { list }) {
    const { operations = {}, ...answers } = parseAnswers(list('answer'));
    // `as`: answers are JSON, as their schemas say.
    const body = { answers, operations } as unknown as JsonObject;
    await client.call({ method: 'PATCH', path: '/policy', body });
    return showPolicyOf(client);
  },
};
