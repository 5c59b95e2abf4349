import type { CheckId } from '../check-id.ts';
import { answerDocs } from './answer-docs.ts';
import type { CheckDoc } from './check-doc.ts';
import { requestDocs } from './request-docs.ts';
import { sequenceDocs } from './sequence-docs.ts';

/**
 * What each check is. `docs/checks.md` is made of it, by the test beside `report/render-check-docs`; a check that
 * is missing here belongs into one of the three lists.
 */
export const checkDocs: Readonly<Partial<Record<CheckId, CheckDoc>>> = {
  ...answerDocs,
  ...requestDocs,
  ...sequenceDocs,
};
