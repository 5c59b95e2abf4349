/** The id of a rule, which stands in a path: `.` and `..` would not get there (RFC 3986 §5.2.4). */
export const faultIdForm: RegExp = /^[A-Za-z0-9_~-][A-Za-z0-9_.~-]{0,63}$/;
