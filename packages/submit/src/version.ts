/** The version of this package; a test holds it to package.json. */
const VERSION = "0.1.0";

/** How requests to the API server name their maker. */
export const USER_AGENT: string = `kindling/${VERSION}`;
