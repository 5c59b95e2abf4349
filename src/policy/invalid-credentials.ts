import { describeRefusedCredentials } from './describe-refused-credentials.ts';
import type { RefusedCredentials } from './refused-credentials.ts';
import { refusedCredentialsSchema } from './refused-credentials-schema.ts';
import type { Question } from './question.ts';

/** The question `invalid-credentials`: which status and body does a token get that is not known? */
export const invalidCredentials: Question<'invalid-credentials', RefusedCredentials> = {
  id: 'invalid-credentials',
  question: 'Which status and body does a token get that is not known?',
  scope: 'operation',
  default: { status: 401, body: 'error' },
  representatives: [
    { status: 401, body: 'error' },
    { status: 403, body: 'empty' },
    { status: 401, body: 'problem' },
    { status: 404, body: 'error' },
  ],
  schema: refusedCredentialsSchema,
  describe: describeRefusedCredentials,
};
