/** What a request shows for one security scheme: credentials that are let in, none, or others. */
export type CredentialState = 'good' | 'missing' | 'invalid';
