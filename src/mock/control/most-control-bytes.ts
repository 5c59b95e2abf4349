/** The largest body that the control interface reads, in bytes: an import may hold a good deal. */
export const mostControlBytes = 67_108_864;
