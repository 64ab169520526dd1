export type { HdfsStatus } from "./file-status.ts";
export { delegationToken, identityQuery, type Identity } from "./identity.ts";
export type { NameNodesOptions } from "./name-nodes.ts";
export { webHdfsClient, type FileRange, type WebHdfsClient } from "./webhdfs-client.ts";
