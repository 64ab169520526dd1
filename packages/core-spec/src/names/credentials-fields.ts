/**
 * The fields of a request to a service of Kindling that may hold credentials, as `Bearer …`. A service accepts both. The second
 * one is for requests through the API server's proxy, which uses the first one itself.
 */
export const CREDENTIALS_FIELDS = ["authorization", "kindling-authorization"] as const;

export type CredentialsField = (typeof CREDENTIALS_FIELDS)[number];
