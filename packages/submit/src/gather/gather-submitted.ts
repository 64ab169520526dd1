import { sparkVersionOf, type MainApplication } from "@kindling/core-spec";
import { NO_RESOURCE } from "@kindling/steps";
import { PACKAGES } from "../keys/packages-keys.ts";
import { mainApplicationOf } from "../plan/main-application.ts";
import { confOf, type ConfigurationData } from "../plan/plan-input.ts";
import { resolveSparkVersion } from "../plan/spark-version.ts";
import type { Access } from "../access.ts";
import { applicationClass } from "./application/application-class.ts";
import type { Configuration } from "./configuration/configure.ts";
import { checkJavaOptions } from "./configuration/java-options.ts";
import { referencedDefaults } from "./configuration/referenced-defaults.ts";
import { submittedEntries } from "./configuration/submitted-entries.ts";
import type { Gathering } from "./gathering.ts";
import { checkKeytab } from "./kerberos/check-keytab.ts";
import { isHadoopSecure } from "./kerberos/hadoop-files.ts";
import type { HadoopLogin } from "./kerberos/hadoop-login.ts";
import type { WithPackagesOptions } from "./packages/with-packages.ts";
import type { Place } from "./gather-place.ts";
import { systemProperties, systemPropertiesOf } from "./system-properties.ts";
import { hadoopUser, IMAGE_USER, sparkUser } from "./user.ts";

/** What is submitted, and as which user. */
export interface Submitted {
  readonly data: ConfigurationData;
  readonly mainApplication: MainApplication;
  readonly user: string;
  /** Who the user is for a Hadoop with Kerberos, if there is one. */
  readonly login: HadoopLogin | undefined;
}

export async function gatherSubmitted(
  { configuration, server }: Pick<Place, "configuration" | "server">,
  { request, outside, access, notices, signal, tell }: Gathering,
): Promise<Submitted> {
  const { clock, cwd } = outside;
  const { env, definitions, proxyUser } = configuration;
  const mainApplication = gatherApplication(configuration, access);
  const isHere = access !== "nothing";
  const login = isHere && isHadoopSecure(env, clock) ? await loginOf(configuration, outside) : undefined;
  const hadoops = login?.user ?? (isHere ? hadoopUser({ env, definitions, proxyUser }) : (proxyUser ?? IMAGE_USER));
  const user = request.user ?? (isHere ? sparkUser(env, hadoops) : hadoops);
  const submitted = submittedEntries(configuration, mainApplication, server, clock);
  if (isHere) checkKeytab(submitted, outside);
  // SparkSubmit.setRMPrincipal asks Hadoop for the user, and not SPARK_USER.
  const entries =
    login === undefined ? submitted : { ...submitted, "spark.hadoop.yarn.resourcemanager.principal": hadoops };
  const sparkVersion = resolveSparkVersion(entries, env, notices.add);
  checkJavaOptions(entries, sparkVersionOf(sparkVersion));
  const known: ConfigurationData = {
    sparkVersion,
    entries,
    env: { ...env },
    system: isHere ? systemProperties(cwd, definitions) : systemPropertiesOf(user),
    fallbacks: await referencedDefaults(entries, sparkVersion),
  };
  const data =
    access === "nothing" || entries[PACKAGES.key] === undefined
      ? known
      : { ...known, entries: await withoutPackages(known, mainApplication, { env, clock, signal, tell }) };
  return { data, mainApplication, user, login };
}

/** Loaded only here: few users have Kerberos. */
async function loginOf(configuration: Configuration, outside: Gathering["outside"]): Promise<HadoopLogin> {
  const { hadoopLogin } = await import("./kerberos/hadoop-login.ts");
  return hadoopLogin(configuration, outside);
}

function gatherApplication({ primaryResource, mainClass }: Configuration, access: Access): MainApplication {
  const resource = primaryResource ?? NO_RESOURCE;
  return mainApplicationOf(resource, mainClass ?? applicationClass(resource, access));
}

async function withoutPackages(
  data: ConfigurationData,
  mainApplication: MainApplication,
  options: WithPackagesOptions,
): Promise<ConfigurationData["entries"]> {
  const { withPackages } = await import("./packages/with-packages.ts");
  return withPackages({ conf: confOf(data), mainApplication }, options);
}
