/**
 * The fields of a request that may hold credentials, a caller's or a bundle's, as `Bearer …`. A server accepts both
 * fields. The second one is for requests through the API server's proxy, which uses the first one itself.
 */
export const CREDENTIALS_FIELDS = ["authorization", "kindling-authorization"] as const;

export type CredentialsField = (typeof CREDENTIALS_FIELDS)[number];
