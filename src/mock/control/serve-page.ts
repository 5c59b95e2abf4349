import type { MaybePromise } from '../maybe-promise.ts';
import type { MockAnswer } from '../steps/mock-answer.ts';

/**
 * Answers with a file of the inspector, or undefined where there is no such file. A file holds nothing of the mock.
 *
 * @param path - behind the prefix of the control interface: `/`, `/inspector/page.js`
 */
export type ServePage = (path: string) => MaybePromise<MockAnswer | undefined>;
