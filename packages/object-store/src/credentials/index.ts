export type { AwsKeys, Credentials, CredentialsContext, KeySource, LentKeys } from "./aws-keys.ts";
export { awsSources, credentialsChain, type AwsSourcesOptions } from "./credentials-chain.ts";
export { staticKeys } from "./static-keys.ts";
