import type { QuestionSilence } from '../question-silence.ts';
import type { RefusedCredentials } from '../refused-credentials.ts';
import { credentialsSilence } from './credentials-silence.ts';

/** What a document says of credentials that are not known. */
export const invalidCredentialsSilence: QuestionSilence<RefusedCredentials> = credentialsSilence(
  'with credentials that are not known',
);
