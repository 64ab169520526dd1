import { v1Paths } from "../protocol/v1-paths.ts";
import { v0Paths } from "../protocol/v0.ts";
import { stagingCalls, type StagingConnection } from "../staging-client.ts";
import type { DownloadSource } from "./download-source.ts";
import { httpSource } from "./http-source.ts";

export interface BundleSourceOptions {
  readonly bundleId: string;
  readonly secret: string;
  /** The file's name in the bundle. */
  readonly name: string;
  /** Hosts that the server may redirect to; without any, the server has to send the bytes itself. */
  readonly redirectHosts?: readonly string[];
}

/** One file of a bundle, in version 1 of the protocol. */
export function bundleSource(connection: StagingConnection, options: BundleSourceOptions): DownloadSource {
  const url = new URL(v1Paths.file(options.bundleId, options.name), connection.uri);
  if ((options.redirectHosts ?? []).length === 0) url.searchParams.set("redirect", "false");
  const { bundleId, secret, name } = options;
  const source = httpSource({
    url,
    transport: connection.transport,
    credentials: { authorization: `Bearer ${secret}` },
    redirectHosts: options.redirectHosts,
    description: `${connection.uri.origin}: ${name}`,
  });
  return {
    ...source,
    async reportDamage(signal) {
      const { state } = await stagingCalls(connection).reportDamage(bundleId, name, { secret, signal });
      return state === "damaged";
    },
  };
}

/** A bundle of the old fork's protocol, as a tar.gz; its server knows neither ranges nor digests. */
export function v0BundleSource(connection: StagingConnection, resourceId: string, secret: string): DownloadSource {
  return httpSource({
    url: new URL(v0Paths.resource(resourceId), connection.uri),
    transport: connection.transport,
    // The old protocol: the secret alone, without a scheme.
    credentials: { authorization: secret },
    description: `${connection.uri.origin}: resource ${resourceId}`,
  });
}
