import { ObjectStoreError } from "../object-store-error.ts";
import type { Credentials, CredentialsContext, KeySource, LentKeys } from "./aws-keys.ts";
import { containerKeys } from "./container-keys.ts";
import { environmentKeys } from "./environment-keys.ts";
import { instanceKeys } from "./instance-keys.ts";
import { profileKeys } from "./profile-keys.ts";
import { refreshing } from "./refreshing.ts";
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
  let candidates = sources;
  const lend = async (): Promise<LentKeys> => {
    for (const source of candidates) {
      const lent = await source.lend(context);
      if (lent === undefined) continue;
      candidates = [source];
      context.hide?.(lent.keys.secretAccessKey);
      if (lent.keys.sessionToken !== undefined) context.hide?.(lent.keys.sessionToken);
      return lent;
    }
    const asked = candidates.map(({ name }) => name).join(", ");
    throw new ObjectStoreError("credentials", `there are no credentials for S3 (looked in: ${asked})`, { hint });
  };
  return refreshing(lend, context.clock);
}
