import type { HoldInput } from './hold.ts';
import { statusOf } from './status-of.ts';

/** Statuses by which services refuse what a body holds (RFC 9110 §15.5). */
const ofContent = new Set([400, 409, 413, 415, 422]);

/**
 * Whether a request was refused for what it holds. Nothing is concluded unless the operation was seen to take equal
 * plain bodies: else a value may be one that has to be unique, and may exist already.
 */
export function isRefusedForContent({ subject, context }: HoldInput): boolean {
  const { operation } = subject;
  const takesEqual = operation !== undefined && (context.takesEqual?.has(operation.id) ?? false);
  return takesEqual && ofContent.has(statusOf(subject));
}
