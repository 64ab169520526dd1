import { environmentProxies } from "@kindling/http";
import {
  bundleSource,
  connectStaging,
  v0BundleSource,
  type Digest,
  type DownloadSource,
  type ManifestFile,
  type StagingClient,
} from "@kindling/staging-client";
import type { ResolvedBundle, ResolvedConfig, ResolvedFile, ResolvedOrigin } from "../config/localizer-config.ts";
import type { LocalizeOptions } from "../localize-options.ts";
import { readSmallFile } from "../read-small-file.ts";
import { LocalizerError } from "../report/localizer-error.ts";
import { turns } from "../turns.ts";
import { ANSWER_TIMEOUT_MS, DOCUMENTS } from "./remote-transport.ts";

/** A file that can be fetched, and what is known about it beforehand. */
export interface Fetchable {
  readonly source: DownloadSource;
  readonly digest: Digest | undefined;
  readonly size: number | undefined;
  readonly mode: number | undefined;
}

export interface StagedBundles {
  file(file: ResolvedFile, bundle: string, name: string, signal: AbortSignal): Promise<Fetchable>;
  whole(bundle: string): Fetchable;
  close(): void;
}

interface OpenBundle {
  readonly access: ResolvedBundle;
  readonly secret: string;
  readonly client: StagingClient;
  /** The files of its manifest that the configuration names. */
  listed: Promise<ReadonlyMap<string, ManifestFile>> | undefined;
}

/**
 * The bundles that a configuration names. A manifest is requested only if the configuration itself does not have a file's
 * digest and size.
 */
export function stagedBundles(config: ResolvedConfig, outside: LocalizeOptions): StagedBundles {
  const bundles = new Map<string, OpenBundle>();
  // One at a time, because a manifest may be large.
  const reading = turns(1);

  const open = (name: string): OpenBundle => {
    const existing = bundles.get(name);
    if (existing !== undefined) return existing;
    const access = config.bundles.get(name);
    if (access === undefined) throw new LocalizerError("config", `there is no bundle ${name} in bundles`);
    const opened = { access, secret: readSecret(access, outside), client: connect(access), listed: undefined };
    bundles.set(name, opened);
    return opened;
  };
  const connect = ({ server, caFile }: ResolvedBundle): StagingClient =>
    connectStaging({
      uri: server,
      ...(caFile !== undefined && { tls: { ca: readAuthorities(caFile) } }),
      proxies: environmentProxies(outside.env),
      maxConnections: config.parallel,
      stallTimeoutMs: config.stallSeconds * 1000,
      answerTimeoutMs: ANSWER_TIMEOUT_MS,
      clock: outside.clock,
      random: () => outside.random.fraction(),
      documents: DOCUMENTS,
      redact: (text) => outside.redactor.clean(text),
      ...(outside.retry !== undefined && { retry: outside.retry }),
    });
  const list = async (name: string, { access, secret, client }: OpenBundle, signal: AbortSignal) => {
    const { files } = await client.manifest(access.id, {
      secret,
      signal,
      ...(access.manifestDigest !== undefined && { manifestDigest: access.manifestDigest }),
    });
    const named = new Set(config.files.flatMap(({ from }) => (isStagedIn(name, from) ? [from.file] : [])));
    return new Map(files.flatMap((file) => (named.has(file.name) ? [[file.name, file] as const] : [])));
  };

  return {
    async file(file, bundle, name, signal) {
      const opened = open(bundle);
      const { access, secret, client } = opened;
      const { redirectHosts } = access;
      const source = bundleSource(client.connection, { bundleId: access.id, secret, name, redirectHosts });
      const { digest, size, mode } = file;
      if (digest !== undefined && size !== undefined && mode !== undefined) return { source, digest, size, mode };
      opened.listed ??= reading.take(() => list(bundle, opened, signal));
      const listed = (await opened.listed).get(name);
      if (listed === undefined) {
        throw new LocalizerError("not-found", `the bundle ${bundle} has no file ${name}`, {
          hint: "submit the application again",
        });
      }
      checkListed(file, listed);
      return { source, digest: listed.digest, size: listed.size, mode: mode ?? listed.mode };
    },
    whole(bundle) {
      const { access, secret, client } = open(bundle);
      const source = v0BundleSource(client.connection, access.id, secret);
      return { source, digest: undefined, size: undefined, mode: undefined };
    },
    close() {
      for (const { client } of bundles.values()) client.close();
    },
  };
}

function isStagedIn(bundle: string, from: ResolvedOrigin): from is ResolvedOrigin & { readonly kind: "staged" } {
  return from.kind === "staged" && from.bundle === bundle;
}

function checkListed({ digest, size }: ResolvedFile, listed: ManifestFile): void {
  if ((digest ?? listed.digest) === listed.digest && (size ?? listed.size) === listed.size) return;
  throw new LocalizerError(
    "digest",
    `the manifest has ${listed.name} with ${listed.size} bytes and ${listed.digest}, which is not what the configuration says`,
    { hint: "submit the application again" },
  );
}

function readSecret({ secretFile }: ResolvedBundle, { redactor }: LocalizeOptions): string {
  const secret = readSmallFile(secretFile)?.toString("latin1").trim();
  // A text that cannot be in a header field (RFC 9110, 5.5) is no secret of a staging server.
  if (secret === undefined || !/^[\x21-\x7e]{1,8192}$/.test(secret)) {
    throw new LocalizerError("config", `${secretFile} ${secret === undefined ? "does not exist" : "holds no secret"}`, {
      hint: "is the submission's secret mounted into the init container?",
    });
  }
  redactor.hide(secret);
  return secret;
}

function readAuthorities(path: string): string {
  const pem = readSmallFile(path)?.toString("latin1");
  if (pem?.includes("-----BEGIN CERTIFICATE-----") === true) return pem;
  const what = pem === undefined ? "does not exist" : "holds no PEM certificate";
  throw new LocalizerError("config", `the caFile ${path} ${what}`);
}
