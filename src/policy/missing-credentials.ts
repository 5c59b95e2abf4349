import { describeRefusedCredentials } from './describe-refused-credentials.ts';
import type { RefusedCredentials } from './refused-credentials.ts';
import { refusedCredentialsSchema } from './refused-credentials-schema.ts';
import type { Question } from './question.ts';

/** The question `missing-credentials`: which status and body does a request without credentials get, or with another scheme? */
export const missingCredentials: Question<'missing-credentials', RefusedCredentials> = {
  id: 'missing-credentials',
  question: 'Which status and body does a request without credentials get, or with another scheme?',
  scope: 'operation',
  default: { status: 401, body: 'error' },
  representatives: [
    { status: 401, body: 'error' },
    { status: 403, body: 'empty' },
    { status: 401, body: 'problem' },
    { status: 400, body: 'error' },
  ],
  schema: refusedCredentialsSchema,
  describe: describeRefusedCredentials,
};
