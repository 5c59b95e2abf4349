function isPattern(text: string): boolean {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}

/**
 * Whether a text has a format that the schema of OpenAPI documents names. It forgives what readers forgive,
 * such as braces in a URL.
 *
 * @returns what the text must be, or undefined where it is that, or the format is not known
 */
export function evaluateFormat(format: string, text: string): string | undefined {
  switch (format) {
    case 'regex':
      return isPattern(text) ? undefined : 'must be a regular expression';
    case 'email':
      return /^[^\s@]+@[^\s@]+$/u.test(text) ? undefined : 'must be an e-mail address';
    case 'uri':
    case 'uri-reference':
      return /^[^\s<>"\\^`]*$/u.test(text) ? undefined : 'must be a URL';
    default:
      return undefined;
  }
}
