import { KindlingError, parseProperties } from "@kindling/core-spec";
import { awsSources, credentialsChain, type Credentials, type KeySource } from "@kindling/object-store/s3";
import type { PlaceContext } from "../bucket-place.ts";
import { readIfThere, readNamed } from "../setting-values.ts";

// A file that an operator or a sidecar replaces is read again within a minute.
const FILE_SECONDS = 120;

/** The keys of `store.s3.credentialsFile`; if it is not set, the keys that AWS's own tools would use. */
export function s3Credentials(
  file: string | undefined,
  region: string,
  { program, transport, clock, env }: Omit<PlaceContext, "random">,
): Credentials {
  const sources = file === undefined ? awsSources({ region, sessionName: program, instance: true }) : [fileKeys(file)];
  return credentialsChain(
    sources,
    { transport, clock, env, readFile: readIfThere },
    "set store.s3.credentialsFile, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the pod a role",
  );
}

function fileKeys(path: string): KeySource {
  const name = "store.s3.credentialsFile";
  return {
    name,
    async lend() {
      const { accessKeyId, secretAccessKey, sessionToken } = parseProperties(await readNamed(name, path));
      if (accessKeyId === undefined || secretAccessKey === undefined) {
        throw new KindlingError("FILE_UNPARSABLE", `${path} has no accessKeyId and secretAccessKey`);
      }
      return { keys: { accessKeyId, secretAccessKey, sessionToken }, seconds: FILE_SECONDS };
    },
  };
}
