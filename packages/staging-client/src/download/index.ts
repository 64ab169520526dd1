export { bundleSource, v0BundleSource, type BundleSourceOptions } from "./bundle-source.ts";
export { downloadFile, type DownloadedFile, type DownloadOptions } from "./download-file.ts";
export type { DownloadPart, DownloadSource } from "./download-source.ts";
export { httpSource, type HttpSourceOptions } from "./http-source.ts";
