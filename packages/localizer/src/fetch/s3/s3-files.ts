import type { DownloadSource, HttpTransport } from "@kindling/staging-client";
import type { ResolvedS3 } from "../../config/localizer-config.ts";
import type { Credentials } from "../../credentials/credentials.ts";
import type { LocalizeOptions } from "../../localize-options.ts";
import { awsKeys, type KeySource } from "./aws-keys.ts";
import { s3File } from "./s3-file.ts";
import { s3Location } from "./s3-location.ts";

/** Objects by their `s3://` or `s3a://` URI; keys are asked for once, by whichever comes first. */
export function s3Files(
  config: ResolvedS3,
  credentials: Credentials,
  transport: HttpTransport,
  outside: LocalizeOptions,
): (uri: string) => DownloadSource {
  let keys: KeySource | undefined;
  return (uri) => {
    const location = s3Location(uri, config, outside.env);
    keys ??= awsKeys(credentials.awsKeys, transport, location.region, outside);
    return s3File(uri, location, transport, keys);
  };
}
