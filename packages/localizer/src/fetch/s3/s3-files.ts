import {
  awsSources,
  credentialsChain,
  s3Client,
  staticKeys,
  type Credentials,
  type S3Client,
} from "@kindling/object-store/s3";
import { readSmallFile } from "../../read-small-file.ts";
import type { FileOf, RemoteContext } from "../remote-source.ts";
import { s3File } from "./s3-file.ts";
import { s3Location } from "./s3-location.ts";

const NO_KEYS_HINT =
  "put aws-credentials into credentialsDir, or pass AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to the init container, " +
  "or give its service account a role";

/** Objects by their URI. The first request asks for the keys, once for all. */
export function s3Files(context: RemoteContext): FileOf {
  const { config, options, http, transport } = context;
  const { clock, random, env, redactor } = options;
  const redact = (text: string): string => redactor.clean(text);
  let credentials: Credentials | undefined;
  const clients = new Map<string, S3Client>();
  return (uri) => {
    const { bucket, key } = s3Location(uri, config.s3, env);
    credentials ??= keysFor(bucket.region, context);
    const client =
      clients.get(bucket.url.href) ??
      s3Client({ bucket, credentials, connection: { clock, random, transport: http, redact } });
    clients.set(bucket.url.href, client);
    return s3File(uri, key, client, transport);
  };
}

/**
 * The keys of the mounted `aws-credentials`, else the keys that AWS's own tools would use. The node's role is not used:
 * it does not belong to the pod.
 */
function keysFor(region: string, { options, credentials, http }: RemoteContext): Credentials {
  const { clock, env, redactor } = options;
  const sources = [
    staticKeys("aws-credentials", credentials.awsKeys),
    ...awsSources({ region, sessionName: "kindling-localizer", instance: false }),
  ];
  const context = {
    clock,
    env,
    transport: http,
    readFile: (path: string) => Promise.resolve(readSmallFile(path)?.toString("utf8")),
    hide: (secret: string) => redactor.hide(secret),
    redact: (text: string) => redactor.clean(text),
  };
  return credentialsChain(sources, context, NO_KEYS_HINT);
}
