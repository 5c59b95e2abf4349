/** The base URL of the service, for server code and browser code alike. */
export const api = process.env.NEXT_PUBLIC_API;
