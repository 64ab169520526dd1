import type { AwsKeys, Credentials, CredentialsContext, KeySource } from "./aws-keys.ts";
import { containerKeys } from "./container-keys.ts";
import { environmentKeys } from "./environment-keys.ts";
import { firstConfigured } from "./first-configured.ts";
import { instanceKeys } from "./instance-keys.ts";
import { profileKeys } from "./profile-keys.ts";
import { webIdentityKeys } from "./web-identity-keys.ts";

export interface AwsSourcesOptions {
  /** The region whose security token service gives the keys of a web identity. */
  readonly region: string;
  /** The name of this program in AWS's audit logs, if the environment does not set one. */
  readonly sessionName: string;
  /** Whether to use the machine's role, which every process on the machine can use. */
  readonly instance: boolean;
}

/**
 * Where AWS's own tools look for keys, in their order: the environment, the profile of the shared files, a web identity
 * (IAM roles for service accounts), the container's own service (EKS Pod Identity, ECS), the machine's metadata service.
 */
export function awsSources({ region, sessionName, instance }: AwsSourcesOptions): readonly KeySource[] {
  return [
    environmentKeys,
    profileKeys,
    webIdentityKeys(region, sessionName),
    containerKeys,
    ...(instance ? [instanceKeys] : []),
  ];
}

/**
 * The keys of the first source that is configured. Only this source is used again when they are about to expire.
 *
 * @param hint what to do if there are none
 */
export function credentialsChain(
  sources: readonly KeySource[],
  context: CredentialsContext,
  hint: string,
): Credentials {
  const secretsOf = ({ secretAccessKey, sessionToken }: AwsKeys): (string | undefined)[] => [
    secretAccessKey,
    sessionToken,
  ];
  return firstConfigured(sources, context, { store: "S3", hint, secretsOf });
}
