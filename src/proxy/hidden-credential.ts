/**
 * What stands in the place of each credential of traffic, before a report sees any of it. A report that is told that
 * this is a secret writes a variable of the shell for it in its commands.
 */
export const hiddenCredential = '[secret]';
