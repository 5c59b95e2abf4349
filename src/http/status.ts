/** Returns whether a status is a success (RFC 9110 §15.3). */
export function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Returns whether a status blames the request (RFC 9110 §15.5). */
export function isClientError(status: number): boolean {
  return status >= 400 && status < 500;
}

/** Returns whether a status says that the resource does not exist (RFC 9110 §15.5.5 and §15.5.11). */
export function isAbsentStatus(status: number): boolean {
  return status === 404 || status === 410;
}
