/** The words for a body that a usual writer of JSON would not have written so, whatever it holds. */
export const unusualSpelling = 'an unusual spelling';
