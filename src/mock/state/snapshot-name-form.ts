/** A name that a snapshot may have: 1 to 64 characters that need no quotes in a shell or a path, but for spaces. */
export const snapshotNameForm: RegExp = /^[\p{L}\p{N}_](?:[\p{L}\p{N} ._-]{0,62}[\p{L}\p{N}_.-])?$/u;
