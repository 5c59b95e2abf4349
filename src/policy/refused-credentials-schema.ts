import type { JsonObject } from '../json/json-value.ts';

/** The JSON Schema of {@link RefusedCredentials}. */
export const refusedCredentialsSchema: JsonObject = {
  type: 'object',
  required: ['status', 'body'],
  additionalProperties: false,
  properties: {
    status: { type: 'integer', minimum: 300, maximum: 499, description: 'The status.' },
    body: {
      description: 'What the answer holds.',
      oneOf: [
        { const: 'error', description: 'The error body that the document declares.' },
        { const: 'problem', description: 'application/problem+json (RFC 9457).' },
        { const: 'empty', description: 'Nothing.' },
        { const: 'other', description: 'A body of its own that is neither.' },
      ],
    },
  },
};
