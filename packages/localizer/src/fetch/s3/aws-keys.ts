import type { HttpTransport } from "@kindling/staging-client";
import type { Environment } from "../../config/environment.ts";
import type { AwsKeys } from "../../credentials/aws-profile.ts";
import { hideKeys } from "../../credentials/credentials.ts";
import type { LocalizeOptions } from "../../localize-options.ts";
import { LocalizerError } from "../../report/localizer-error.ts";
import { containerKeys } from "./container-keys.ts";
import { webIdentityKeys } from "./web-identity-keys.ts";

/** Gives the keys to sign with at present. */
export type KeySource = (signal: AbortSignal | undefined) => Promise<AwsKeys>;

/** Keys that end, after so many seconds from when they were asked for. */
export interface TemporaryKeys {
  readonly keys: AwsKeys;
  readonly seconds: number;
}

// Asked for again before the last ones end: a request that waits for a connection is signed already.
const MARGIN_SECONDS = 60;

/**
 * The keys for S3, from the first that there is: the mounted `aws-credentials`, the environment, a web identity (IAM
 * roles for service accounts), the container's own service (EKS Pod Identity, ECS). In this order but for the first one
 * as AWS's own tools look for them; the node's role is not asked for.
 */
export function awsKeys(
  mounted: AwsKeys | undefined,
  transport: HttpTransport,
  region: string,
  outside: LocalizeOptions,
): KeySource {
  const { env, clock, redactor } = outside;
  const fixed = mounted ?? environmentKeys(env);
  if (fixed !== undefined) {
    hideKeys(fixed, redactor);
    return () => Promise.resolve(fixed);
  }
  const ask = source(env, transport, region, outside);
  let current: Promise<TemporaryKeys> | undefined;
  let asked = 0;
  return async (signal) => {
    if (current !== undefined) {
      const { keys, seconds } = await current;
      if (clock.monotonic() - asked < (seconds - MARGIN_SECONDS) * 1000) return keys;
    }
    asked = clock.monotonic();
    current = ask(signal);
    try {
      const { keys } = await current;
      hideKeys(keys, redactor);
      return keys;
    } catch (error) {
      current = undefined;
      throw error;
    }
  };
}

function environmentKeys(env: Environment): AwsKeys | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!accessKeyId || !secretAccessKey) return undefined;
  return { accessKeyId, secretAccessKey, sessionToken: env["AWS_SESSION_TOKEN"] || undefined };
}

function source(
  env: Environment,
  transport: HttpTransport,
  region: string,
  outside: LocalizeOptions,
): (signal: AbortSignal | undefined) => Promise<TemporaryKeys> {
  if (env["AWS_ROLE_ARN"] && env["AWS_WEB_IDENTITY_TOKEN_FILE"]) {
    return (signal) => webIdentityKeys(env, transport, region, outside, signal);
  }
  if (env["AWS_CONTAINER_CREDENTIALS_FULL_URI"] || env["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"]) {
    return (signal) => containerKeys(env, transport, outside, signal);
  }
  return () =>
    Promise.reject(
      new LocalizerError("refused", "there are no credentials for S3", {
        hint:
          "put aws-credentials into credentialsDir, or pass AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to the init " +
          "container, or give its service account a role",
      }),
    );
}
