import { tokenForm } from './is-token.ts';

/** A preference as it is written (RFC 7240 §2). */
export function toPreference(name: string, value: string): string {
  return `${name}=${tokenForm.test(value) ? value : JSON.stringify(value)}`;
}
