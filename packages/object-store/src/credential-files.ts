// What reads files of credentials, without anything that uses them.
export { keysOf, parseProfile, type Profile } from "./credentials/profile.ts";
export type { AwsKeys } from "./credentials/aws-keys.ts";
export { parseHadoopTokens, type HadoopToken } from "./webhdfs/hadoop-tokens.ts";
