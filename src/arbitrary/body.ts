import type { BodyPart } from './request-case.ts';

/** The pieces of a content in order. */
export type Body = readonly BodyPart[];
