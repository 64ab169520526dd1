/** The version of this package; a test compares it with package.json. */
const VERSION = "0.1.0";

/** The user agent of requests to the API server. */
export const USER_AGENT: string = `kindling/${VERSION}`;
