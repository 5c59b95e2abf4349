import type { HeaderList } from './header-list.ts';
import { redactText } from './redact-text.ts';

/** Puts `[secret]` in the place of every secret in the values of header fields, as {@link redactText} does. */
export function redactCredentials(headers: HeaderList, secrets: readonly string[]): HeaderList {
  return headers.map(([name, value]) => [name, redactText(value, secrets)] as const);
}
