/** The snapshot that holds what does not fit. */
export const setAsideName = 'set-aside';
