/**
 * The fields of a request that may hold credentials, a caller's or a bundle's, as `Bearer …`. A server takes either. The
 * second one is for requests that go through the API server's proxy, which takes the first one for itself.
 */
export const CREDENTIALS_FIELDS = ["authorization", "kindling-authorization"] as const;

export type CredentialsField = (typeof CREDENTIALS_FIELDS)[number];
