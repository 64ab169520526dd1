import type {
  Limits,
  ResolvedBundle,
  ResolvedConfig,
  ResolvedFile,
  ResolvedOrigin,
  ResolvedS3,
} from "./localizer-config.ts";
import {
  absolutePath,
  byName,
  ConfigFault,
  defaulting,
  digest,
  flag,
  httpUri,
  integer,
  list,
  object,
  optional,
  required,
  text,
  textual,
  type Reader,
  type Schema,
} from "./readers.ts";
import { sourceUri } from "./source-uri.ts";

const MAX = Number.MAX_SAFE_INTEGER;

const host: Reader<string> = textual("a host, host:port or *", (given) =>
  given === "*" || /^([a-z0-9_.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(given) ? given.toLowerCase() : undefined,
);

const hostPattern: Reader<string> = textual("a host, host:port, *.domain or *", (given) =>
  given === "*" || /^((\*\.)?[a-z0-9_.-]+|\[[0-9a-f:.]+\])(:\d{1,5})?$/i.test(given) ? given.toLowerCase() : undefined,
);

const authority: Reader<string> = textual("named by a name service or host:port", (given) =>
  /^[a-z0-9_.-]+(:\d{1,5})?$/i.test(given) ? given : undefined,
);

const bundleName: Reader<string> = textual("named by letters, digits, dots, dashes and underscores", (given) =>
  /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,62}$/.test(given) ? given : undefined,
);

export const BUNDLE: Schema<ResolvedBundle> = {
  server: required(httpUri, "The staging server's base URI as pods reach it."),
  id: required(text, "The bundle's id."),
  secretFile: required(absolutePath, "A file that holds the bundle's secret."),
  caFile: optional(absolutePath, "PEM certificates of the authorities to trust.", "Node's own list"),
  protocol: defaulting(
    textual('"v1" or "v0"', (given) => (given === "v1" || given === "v0" ? given : undefined)),
    "v1",
    "The protocol. `v0` is that of the old fork, whose bundles are fetched and unpacked whole.",
  ),
  redirectHosts: defaulting(list(host), [], "Hosts that the server may redirect to, such as its object store."),
  manifestDigest: optional(digest, "What the bundle's manifest must be.", "not checked"),
};

const origin: Reader<ResolvedOrigin> = {
  type: "`{ bundle, file }` or `{ uri }`",
  read(value, at) {
    if (typeof value === "object" && value !== null && "uri" in value) {
      const { uri } = object<{ uri: string }>({ uri: required(sourceUri, "") }).read(value, at);
      return { kind: "remote", uri };
    }
    const staged = object<{ bundle: string; file: string | undefined }>({
      bundle: required(text, ""),
      file: optional(text, ""),
    }).read(value, at);
    if (staged.file === undefined) return { kind: "whole-bundle", bundle: staged.bundle };
    return { kind: "staged", bundle: staged.bundle, file: staged.file };
  },
};

export const FILE: Schema<ResolvedFile> = {
  from: required(
    origin,
    "A file of a bundle of `bundles`, all files of a v0 bundle (without `file`), or a remote file by its URI.",
  ),
  to: required(absolutePath, "Where the file goes, below one of `roots`. With `unpack`, a directory."),
  digest: optional(digest, "What the bytes must be.", "the manifest's, of staged files"),
  size: optional(integer(0, MAX), "How many bytes there must be.", "the manifest's, of staged files"),
  mode: optional(integer(0, 0o777), "Permission bits as a number: 420 is 0644.", "the manifest's, or 420"),
  unpack: defaulting(flag, false, "The file is an archive (tar, tar.gz, zip, jar), unpacked into the directory `to`."),
};

const S3: Schema<ResolvedS3> = {
  endpoint: optional(
    httpUri,
    "The URL of an S3-compatible store.",
    "`AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`, Amazon's",
  ),
  region: optional(text, "The region that requests are signed for.", "`AWS_REGION`, `AWS_DEFAULT_REGION`, `us-east-1`"),
  pathStyle: optional(flag, "Whether buckets are part of the path.", "`true` with an endpoint of one's own"),
  profile: optional(text, "The profile of `aws-credentials`.", "`AWS_PROFILE`, `default`"),
};

export const LIMITS: Schema<Limits> = {
  maxFileBytes: defaulting(integer(0, MAX), 64 * 1024 ** 3, "Bytes of one file or archive as it is fetched.", "64 GiB"),
  maxUnpackedBytes: defaulting(integer(0, MAX), 16 * 1024 ** 3, "Bytes that one archive may unpack to.", "16 GiB"),
  maxUnpackedFiles: defaulting(
    integer(0, MAX),
    200_000,
    "Files, links and directories that one archive may make, including directories that none of its entries names.",
  ),
  maxDepth: defaulting(integer(1, 2048), 128, "How many parts a path in an archive may have."),
  maxRatio: defaulting(integer(1, MAX), 200, "Unpacked bytes for each packed byte, after the first MiB."),
  absoluteLinks: defaulting(
    list(absolutePath),
    ["/"],
    "Directories, such as `/usr`, that symbolic links may lead to; see below.",
  ),
};

function section<T extends object>(schema: Schema<T>): Reader<T> & { readonly empty: T } {
  const reader = object(schema);
  return { ...reader, empty: reader.read({}, "") };
}

const s3 = section(S3);
const limits = section(LIMITS);
export const SECTIONS: Readonly<Record<string, Schema<object>>> = {
  bundles: BUNDLE,
  files: FILE,
  s3: S3,
  limits: LIMITS,
};

const version: Reader<1> = {
  type: "1",
  read(value, at) {
    if (value === 1) return 1;
    throw new ConfigFault(at, "must be 1: this localizer knows no other version");
  },
};

const addresses: Reader<readonly string[]> = {
  type: "URI or list of URIs",
  read: (value, at) => (Array.isArray(value) ? list(httpUri).read(value, at) : [httpUri.read(value, at)]),
};

export const CONFIG: Schema<ResolvedConfig & { version: 1 }> = {
  version: required(version, "The version of this form."),
  files: required(list(object(FILE)), "What to bring, and where; see below."),
  roots: required(list(absolutePath), "Directories that all targets lie below. They must exist."),
  bundles: defaulting(
    byName(bundleName, object(BUNDLE)),
    new Map(),
    "Bundles of staging servers by name; see below.",
    "none",
  ),
  parallel: defaulting(integer(1, 64), 4, "How many files are fetched at once."),
  deadlineSeconds: defaulting(integer(1, 604_800), 300, "How long the whole run may take."),
  stallSeconds: defaulting(integer(1, 3600), 30, "Longest pause between two bytes."),
  redirectHosts: defaulting(
    list(host),
    ["*"],
    "Hosts that remote http and https files may be redirected to. `*` is any host with a public address.",
  ),
  credentialsDir: optional(absolutePath, "A mounted secret with credentials; see below.", "none"),
  s3: defaulting(s3, s3.empty, "Where S3 is; see below.", "from the environment"),
  webhdfs: defaulting(
    byName(authority, addresses),
    new Map(),
    "For `hdfs://` URIs: the WebHDFS or HttpFS address of a name service or `host:port`; more than one with high availability.",
    "none",
  ),
  dataNodeHosts: defaulting(
    list(hostPattern),
    ["*"],
    "Hosts that a WebHDFS name node may redirect to for the bytes, besides its own. `*` and `*.domain` match hosts with a public or private address. Hosts with link-local addresses or addresses of this pod have to be named.",
  ),
  limits: defaulting(
    limits,
    limits.empty,
    "How large files may be, and what archives may unpack to; see below.",
    "see below",
  ),
  terminationLog: defaulting(absolutePath, "/dev/termination-log", "Where the reason of a failure is written."),
};
