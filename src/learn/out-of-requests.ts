/** As many requests were sent as may be. */
export class OutOfRequests extends Error {
  override readonly name = 'OutOfRequests';
}
