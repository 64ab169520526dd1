import { readFile } from "node:fs/promises";
import { KindlingError, messageOf, parseProperties } from "@kindling/core-spec";
import {
  awsSources,
  credentialsChain,
  type Credentials,
  type CredentialsContext,
  type KeySource,
} from "@kindling/object-store/s3";
import { readIfThere } from "../bucket/open-bucket.ts";

// A file that an operator or a sidecar replaces is read again within a minute.
const FILE_SECONDS = 120;

/** The keys of `store.s3.credentialsFile`; if it is not set, the keys that AWS's own tools would use. */
export function s3Credentials(
  file: string | undefined,
  region: string,
  context: Omit<CredentialsContext, "readFile">,
): Credentials {
  const sources =
    file === undefined ? awsSources({ region, sessionName: "kindling-staging", instance: true }) : [fileKeys(file)];
  return credentialsChain(
    sources,
    { ...context, readFile: readIfThere },
    "set store.s3.credentialsFile, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or give the pod a role",
  );
}

function fileKeys(path: string): KeySource {
  return {
    name: "store.s3.credentialsFile",
    async lend() {
      const { accessKeyId, secretAccessKey, sessionToken } = parseProperties(await read(path));
      if (accessKeyId === undefined || secretAccessKey === undefined) {
        throw new KindlingError("FILE_UNPARSABLE", `${path} has no accessKeyId and secretAccessKey`);
      }
      return { keys: { accessKeyId, secretAccessKey, sessionToken }, seconds: FILE_SECONDS };
    },
  };
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new KindlingError("FILE_UNREADABLE", `store.s3.credentialsFile: cannot read ${path}: ${messageOf(error)}`);
  }
}
