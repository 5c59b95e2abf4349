/** The words for an oddity of a body that a question of its own is about. */
export const undeclaredProperty = 'an undeclared property';
