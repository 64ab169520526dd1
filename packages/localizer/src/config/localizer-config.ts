import type { Digest } from "@kindling/staging-client/protocol";

/** The localizer's configuration as a JSON document. The README has the defaults of missing members. */
export interface LocalizerConfig {
  readonly version: 1;
  readonly files: readonly FileConfig[];
  /** Directories that contain all targets. */
  readonly roots: readonly string[];
  /** Bundles of staging servers, by a name that files refer to. */
  readonly bundles?: Readonly<Record<string, BundleConfig>>;
  /** How many files are fetched at once. */
  readonly parallel?: number;
  /** How long the whole run may take. */
  readonly deadlineSeconds?: number;
  /** Longest pause between two bytes. */
  readonly stallSeconds?: number;
  /** Hosts, as `name` or `name:port`, that remote files may be redirected to; `*` means any public host. */
  readonly redirectHosts?: readonly string[];
  /** A mounted secret with credentials by host. */
  readonly credentialsDir?: string;
  readonly s3?: S3Config;
  /** Where the WebHDFS or HttpFS service of an HDFS is, by its name service or `host:port`. */
  readonly webhdfs?: Readonly<Record<string, string | readonly string[]>>;
  /** Hosts, as `name`, `name:port` or `*.domain`, that a WebHDFS name node may redirect to; `*` means any host. */
  readonly dataNodeHosts?: readonly string[];
  readonly limits?: LimitsConfig;
  /** The file for the reason of a failure. */
  readonly terminationLog?: string;
}

/** One bundle of a staging server. */
export interface BundleConfig {
  /** The server's base URI as pods reach it. */
  readonly server: string;
  readonly id: string;
  /** A file that holds the bundle's secret. */
  readonly secretFile: string;
  /** PEM certificates of the authorities to trust, instead of Node's own. */
  readonly caFile?: string;
  /** `v0` is the old fork's protocol. */
  readonly protocol?: "v0" | "v1";
  /** Hosts that the server may redirect to. */
  readonly redirectHosts?: readonly string[];
  /** The digest that the bundle's manifest must have. */
  readonly manifestDigest?: string;
}

export interface FileConfig {
  readonly from: FileOrigin;
  /** An absolute path; a directory where an archive or a whole bundle is unpacked. */
  readonly to: string;
  /** `sha256:…` of the bytes that are fetched. */
  readonly digest?: string;
  /** In bytes. */
  readonly size?: number;
  /** Permission bits as a number; default for staged files: those of the manifest. */
  readonly mode?: number;
  /** The file is an archive, and `to` the directory to unpack it to. */
  readonly unpack?: boolean;
}

/** A file of a bundle, all files of a bundle of the old fork (without `file`), or a remote file. */
export type FileOrigin =
  | { readonly bundle: string; readonly file?: string }
  | {
      /** Of the schemes http, https, s3, s3a, hdfs, webhdfs and swebhdfs. */
      readonly uri: string;
    };

export interface S3Config {
  /** The URL of an S3-compatible store. */
  readonly endpoint?: string;
  readonly region?: string;
  /** Whether the bucket is part of the path rather than of the host's name; default: true if an endpoint is set. */
  readonly pathStyle?: boolean;
  /** The profile of the credentials file; default `default`. */
  readonly profile?: string;
}

/** How large a file, or the contents of an archive, may be at most. */
export interface LimitsConfig {
  readonly maxFileBytes?: number;
  readonly maxUnpackedBytes?: number;
  /** Files, links and directories, including directories that no entry names. */
  readonly maxUnpackedFiles?: number;
  /** How many parts a path may have. */
  readonly maxDepth?: number;
  /** Unpacked bytes for each packed one, after the first MiB. */
  readonly maxRatio?: number;
  /** Directories that absolute symbolic links in archives may lead to; never to system directories, secrets or `roots`. */
  readonly absoluteLinks?: readonly string[];
}

/** A configuration that has been checked, with all defaults filled in. */
export interface ResolvedConfig {
  readonly files: readonly ResolvedFile[];
  readonly roots: readonly string[];
  readonly bundles: ReadonlyMap<string, ResolvedBundle>;
  readonly parallel: number;
  readonly deadlineSeconds: number;
  readonly stallSeconds: number;
  readonly redirectHosts: readonly string[];
  readonly credentialsDir: string | undefined;
  readonly s3: ResolvedS3;
  readonly webhdfs: ReadonlyMap<string, readonly string[]>;
  readonly dataNodeHosts: readonly string[];
  readonly limits: Limits;
  readonly terminationLog: string;
}

export interface ResolvedBundle {
  readonly server: string;
  readonly id: string;
  readonly secretFile: string;
  readonly caFile: string | undefined;
  readonly protocol: "v0" | "v1";
  readonly redirectHosts: readonly string[];
  readonly manifestDigest: Digest | undefined;
}

export interface ResolvedFile {
  readonly from: ResolvedOrigin;
  readonly to: string;
  readonly digest: Digest | undefined;
  readonly size: number | undefined;
  readonly mode: number | undefined;
  readonly unpack: boolean;
}

export type ResolvedOrigin =
  | { readonly kind: "staged"; readonly bundle: string; readonly file: string }
  | { readonly kind: "whole-bundle"; readonly bundle: string }
  | { readonly kind: "remote"; readonly uri: string };

export interface ResolvedS3 {
  readonly endpoint: string | undefined;
  readonly region: string | undefined;
  readonly pathStyle: boolean | undefined;
  readonly profile: string | undefined;
}

export type Limits = Required<LimitsConfig>;
