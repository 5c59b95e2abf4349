import type { QuestionSilence } from '../question-silence.ts';
import type { RefusedCredentials } from '../refused-credentials.ts';
import { credentialsSilence } from './credentials-silence.ts';

/** What a document says of requests without credentials. */
export const missingCredentialsSilence: QuestionSilence<RefusedCredentials> =
  credentialsSilence('without credentials');
