import { KindlingError } from "@kindling/core-spec";
import { environmentProxies, httpTransport } from "@kindling/http";
import { settingMissing } from "@kindling/service/settings";
import type { Outside } from "@kindling/outside";
import type { BucketPlace, PlaceContext } from "@kindling/stores";
import { type Archive, ArchiveError } from "./archive.ts";
import type { ArchiveKind, ArchiveSettings } from "./archive-settings.ts";

const PROGRAM = "kindling-recorder";
const MOST_CONNECTIONS = 64;

/**
 * Opens the archive, and stores and deletes a small file in it.
 *
 * @throws KindlingError if it cannot be used as configured
 */
export async function openArchive(
  settings: ArchiveSettings,
  outside: Pick<Outside, "clock" | "random" | "env">,
): Promise<Archive> {
  const archive = await opened(settings, outside);
  try {
    const probe = `v1/probes/${outside.random.uuid()}`;
    await archive.put(probe, Buffer.from("may this be stored?\n"));
    await archive.delete(probe);
    return archive;
  } catch (error) {
    await archive.close();
    if (!(error instanceof ArchiveError)) throw error;
    throw new KindlingError("CONF_INVALID", `${archive.name} cannot be used: ${error.message}`, {
      hint: `check the settings store.* of ${PROGRAM}, and that it may read, write, list and delete`,
      cause: error,
    });
  }
}

async function opened(settings: ArchiveSettings, outside: Pick<Outside, "clock" | "random" | "env">): Promise<Archive> {
  const kind = settings["store.kind"];
  const missing = missingSetting(kind, settings);
  if (missing !== undefined) throw settingMissing(missing, `store.kind is ${kind}`);
  if (kind === "local-disk") {
    const { diskArchive } = await import("./disk-archive.ts");
    return diskArchive(settings["store.path"], outside.random);
  }
  const transport = httpTransport({
    clock: outside.clock,
    tls: {},
    proxies: environmentProxies(outside.env),
    maxConnections: MOST_CONNECTIONS,
    connectTimeoutMs: 5_000,
    stallTimeoutMs: 30_000,
    answerTimeoutMs: 120_000,
  });
  const context = { ...outside, transport, program: PROGRAM };
  const close = (): void => transport.close();
  if (kind === "webhdfs") {
    const [{ webhdfsPlace }, { webhdfsArchive }] = await Promise.all([
      import("@kindling/stores/webhdfs"),
      import("./webhdfs-archive.ts"),
    ]);
    const client = webhdfsPlace(settings, context);
    return webhdfsArchive({ client, root: settings["store.webhdfs.path"], random: outside.random, close });
  }
  const { bucketArchive } = await import("./bucket-archive.ts");
  const { bucket, prefix } = await placeOf(kind, settings, context);
  return bucketArchive({ bucket, prefix, close });
}

async function placeOf(
  kind: Exclude<ArchiveKind, "local-disk" | "webhdfs">,
  settings: ArchiveSettings,
  context: PlaceContext,
): Promise<BucketPlace> {
  switch (kind) {
    case "s3":
      return (await import("@kindling/stores/s3")).s3Place(settings, context);
    case "gcs":
      return (await import("@kindling/stores/gcs")).gcsPlace(settings, context);
    case "adls":
      return (await import("@kindling/stores/adls")).adlsPlace(settings, context);
  }
}

function missingSetting(kind: ArchiveKind, settings: ArchiveSettings): keyof ArchiveSettings | undefined {
  const needed = { s3: "store.s3.bucket", gcs: "store.gcs.uri", adls: "store.adls.uri" } as const;
  if (kind === "webhdfs")
    return settings["store.webhdfs.endpoints"].length === 0 ? "store.webhdfs.endpoints" : undefined;
  if (kind === "local-disk") return undefined;
  return settings[needed[kind]] === undefined ? needed[kind] : undefined;
}
