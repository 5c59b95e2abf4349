import type { TestArguments } from './test-command.ts';

/** The command that a replay line starts with: what was tested, and how it was reached; no secret. */
export function renderCommand(input: TestArguments): string {
  const words = ['npx cloche test'];
  if (input['base-url'] !== undefined) {
    words.push(input['base-url']);
  }
  if (input.document !== undefined) {
    words.push('--document', input.document);
  }
  if (input.insecure) {
    words.push('--insecure');
  }
  if (input.ca !== undefined) {
    words.push('--ca', input.ca);
  }
  return words.join(' ');
}
