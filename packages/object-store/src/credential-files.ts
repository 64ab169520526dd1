// Only the readers of credential files, without the code that uses credentials.
export { keysOf, parseProfile, type Profile } from "./credentials/profile.ts";
export type { AwsKeys } from "./credentials/aws-keys.ts";
export { parseHadoopTokens, type HadoopToken } from "./webhdfs/hadoop-tokens.ts";
