export type { BearerToken, TokenSource } from "../credentials/bearer-token.ts";
export { gcsBucket, GOOGLE_ENDPOINT } from "./gcs-bucket.ts";
export type { GcsLocation, GcsOptions } from "./gcs-request.ts";
export { googleCredentials, googleFile, googleSources } from "./google-sources.ts";
