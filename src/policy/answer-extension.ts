/** The extension that a document answers questions with, at its root or on an operation (OpenAPI 3.1 §4.9). */
export const answerExtension = 'x-cloche-policy';
