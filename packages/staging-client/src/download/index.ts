export { bundleSource, v0BundleSource, type BundleSourceOptions } from "./bundle-source.ts";
export { downloadFile, type DownloadedFile } from "./download-file.ts";
export type { DownloadOptions } from "./download-options.ts";
export type { DownloadPart, DownloadSource } from "./download-source.ts";
export { httpSource, type HttpSourceOptions } from "./http-source.ts";
